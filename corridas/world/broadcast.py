"""The broadcast: the card of a corrida that is shown at an instant.

A corrida is played at once and shown slowly. What a viewer may see depends on the number of cards
of each lidia, the pace and the clock. Nothing is stored and no process waits.
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

# Bulls of a corrida; a suspended one shows fewer.
MOST_LIDIAS = 6


_MILLISECOND = timedelta(milliseconds=1)


class BroadcastError(ValueError):
    """An invalid timeline, or a moment outside it."""


class Address(NamedTuple):
    """A moment as in links: the turn of the lidia and its number of visible cards.

    `(turn, 0)`, turn 1-6: the bull comes out; `(turn, k)`: its k-th card has been drawn. `(0, 0)`
    is the paseíllo (entry parade), `(lidias + 1, 0)` the end of the corrida.
    """

    turn: int
    card: int


class Position(NamedTuple):
    """The visible part of a corrida.

    `moment`: the number of the last moment, -1 before the paseíllo. `turn`: the current lidia, 1-6,
    0 before the first bull. `card`: the number of its visible cards. `finished`: lidias shown to
    their last card. `over`: the corrida has ended; `turn` and `card` then stay with the last card.
    """

    moment: int
    turn: int
    card: int
    finished: int
    over: bool


@dataclass(frozen=True)
class Timeline:
    """The moments of one corrida in chronological order.

    `cards_per_lidia`: cards drawn, one entry per lidia. `pace_ms`: between two cards.
    `interval_ms`: the arrastre (the bull is dragged out) from the last card of a lidia to the next
    bull, and after the last lidia to the end. `paseillo_ms`: from the start to the first bull. Each
    is at least 1 ms, so that every moment has an instant of its own.

    Raises `BroadcastError` for invalid values.
    """

    cards_per_lidia: tuple[int, ...]
    pace_ms: int
    interval_ms: int
    paseillo_ms: int

    def __post_init__(self) -> None:
        if not 1 <= len(self.cards_per_lidia) <= MOST_LIDIAS:
            raise BroadcastError(
                f"a corrida shows 1 to {MOST_LIDIAS} lidias, not {len(self.cards_per_lidia)}"
            )
        for turn, cards in enumerate(self.cards_per_lidia, start=1):
            if cards < 1:
                raise BroadcastError(f"lidia {turn} has {cards} cards; it needs at least one")
        for name in ("pace_ms", "interval_ms", "paseillo_ms"):
            if getattr(self, name) < 1:
                raise BroadcastError(f"{name} is {getattr(self, name)}; it must be 1 or more")

    @property
    def lidias(self) -> int:
        """The number of lidias shown, 1-6."""
        return len(self.cards_per_lidia)

    @cached_property
    def _first_moments(self) -> tuple[int, ...]:
        """The number of the moment at which each bull comes out, and that of the end."""
        return tuple(accumulate((cards + 1 for cards in self.cards_per_lidia), initial=1))

    @cached_property
    def offsets_ms(self) -> tuple[int, ...]:
        """The times of all moments, in milliseconds from the start, strictly increasing."""
        offsets, instant = [0], self.paseillo_ms
        for cards in self.cards_per_lidia:
            last = instant + cards * self.pace_ms
            offsets.extend(range(instant, last + 1, self.pace_ms))
            instant = last + self.interval_ms
        offsets.append(instant)
        return tuple(offsets)

    def __len__(self) -> int:
        """Return the number of moments: the paseíllo, each bull, each card, the end."""
        return self._first_moments[-1] + 1

    def address(self, moment: int) -> Address:
        """Return the address of a moment, 0 to `len(timeline) - 1`. Raise
        `BroadcastError` outside.
        """
        if not 0 <= moment < len(self):
            raise BroadcastError(f"moment {moment} is not one of the {len(self)} of this corrida")
        turn = bisect_right(self._first_moments, moment)
        return Address(turn, moment - self._first_moments[turn - 1] if turn else 0)

    def moment(self, address: Address | tuple[int, int]) -> int:
        """Return the number of the moment with this address. Raise `BroadcastError` without one."""
        turn, card = address
        if not 0 <= turn <= self.lidias + 1:
            raise BroadcastError(f"this corrida has no turn {turn}; it has {self.lidias}")
        last = self.cards_per_lidia[turn - 1] if 1 <= turn <= self.lidias else 0
        if not 0 <= card <= last:
            raise BroadcastError(f"turn {turn} has cards 0 to {last}, not {card}")
        return self._first_moments[turn - 1] + card if turn else 0

    def due(self, start: float, moment: int) -> float:
        """Return the instant of a moment, in seconds on the clock of `start`."""
        self.address(moment)
        return start + self.offsets_ms[moment] / 1000

    def moments(self, start: float) -> list[float]:
        """Return the instants of all moments, in seconds on the clock of `start`."""
        return [start + offset / 1000 for offset in self.offsets_ms]

    def ends(self, start: float) -> list[float]:
        """Return the instant of the last card of each lidia, from which its result is public."""
        return [start + offset / 1000 for offset in self.lidia_ends_ms]

    @property
    def lidia_ends_ms(self) -> tuple[int, ...]:
        """The time of the last card of each lidia, in milliseconds from the start."""
        return tuple(self.offsets_ms[first - 1] for first in self._first_moments[1:])

    @property
    def length_ms(self) -> int:
        """The length of the broadcast, in milliseconds."""
        return self.offsets_ms[-1]

    def ends_at(self, start: float) -> float:
        """Return the instant of the end, in seconds on the clock of `start`."""
        return start + self.length_ms / 1000

    def shown(self, start: float, at: float) -> Position:
        """Return the position at the instant `at` of a corrida that went on air at `start`.

        Compares the same floating-point numbers that `moments` returns, so that a moment is shown
        exactly at its own instant.
        """
        reached = bisect_right(self.offsets_ms, at, key=lambda offset: start + offset / 1000)
        return self.position(reached - 1)

    def shown_after(self, elapsed: timedelta) -> Position:
        """Return the position so long after the start of the broadcast.

        Uses whole milliseconds, and so is exact where `start` and `at` are stored datetimes:
        `shown_after(at - start)` agrees with every `start + offset(moment)`.
        """
        return self.position(bisect_right(self.offsets_ms, elapsed // _MILLISECOND) - 1)

    def offset(self, moment: int) -> timedelta:
        self.address(moment)
        return timedelta(milliseconds=self.offsets_ms[moment])

    def position(self, moment: int) -> Position:
        """Return the position at a moment; -1 is before the paseíllo."""
        if moment < 0:
            return Position(-1, 0, 0, 0, over=False)
        turn, card = self.address(moment)
        if turn > self.lidias:
            return Position(moment, self.lidias, self.cards_per_lidia[-1], self.lidias, over=True)
        finished = turn - (card < self.cards_per_lidia[turn - 1]) if turn else 0
        return Position(moment, turn, card, finished, over=False)
