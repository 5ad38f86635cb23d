"""Calculates which card of a corrida is visible at a given time of its broadcast.

A corrida is simulated at once but shown card by card. What a viewer may see follows from the number
of cards of each lidia (the fight with one bull), the pace, and the clock. So no progress is stored
and no background process is needed.
"""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

# Number of bulls in a corrida. A corrida that is suspended early shows fewer.
MOST_LIDIAS = 6


_MILLISECOND = timedelta(milliseconds=1)


class BroadcastError(ValueError):
    """The timeline's values are invalid, or a moment is not part of the timeline."""


class Address(NamedTuple):
    """A moment of a broadcast as it appears in URLs: a turn and a number of visible cards.

    A turn is the fight with one bull (1-6). `(turn, 0)` is the bull's entrance and `(turn, k)` its
    k-th card. `(0, 0)` is the paseíllo (entry parade), and `(number of lidias + 1, 0)` the end of
    the corrida.
    """

    turn: int
    card: int


class Position(NamedTuple):
    """The part of a corrida that is visible at a given time.

    `moment` is the index of the latest moment, or -1 before the paseíllo (entry parade). `turn` is
    the current bull (1-6), or 0 before the first bull. `card` is the number of visible cards of
    that bull's fight. `finished` counts the fights that have been shown completely. `over` is true
    after the end of the corrida; `turn` and `card` then still point at the last card.
    """

    moment: int
    turn: int
    card: int
    finished: int
    over: bool


@dataclass(frozen=True)
class Timeline:
    """All moments of a corrida's broadcast in chronological order.

    `cards_per_lidia` is the number of cards drawn in each lidia (the fight with one bull).
    Durations: `pace_ms` between two cards; `paseillo_ms` from the start to the first bull;
    `interval_ms` from the last card of a lidia to the next bull, and from the last lidia to the
    end. Each duration is at least 1 ms, so no two moments coincide.

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
        """Number of lidias (fights with one bull) in the broadcast, 1-6."""
        return len(self.cards_per_lidia)

    @cached_property
    def _first_moments(self) -> tuple[int, ...]:
        """Index of the moment at which each bull comes out, followed by the index of the end."""
        return tuple(accumulate((cards + 1 for cards in self.cards_per_lidia), initial=1))

    @cached_property
    def offsets_ms(self) -> tuple[int, ...]:
        """Time of every moment in milliseconds since the start, strictly increasing."""
        offsets, instant = [0], self.paseillo_ms
        for cards in self.cards_per_lidia:
            last = instant + cards * self.pace_ms
            offsets.extend(range(instant, last + 1, self.pace_ms))
            instant = last + self.interval_ms
        offsets.append(instant)
        return tuple(offsets)

    def __len__(self) -> int:
        """Return the number of moments: entry parade, each bull's entrance, each card, and the
        end.
        """
        return self._first_moments[-1] + 1

    def address(self, moment: int) -> Address:
        """Return the turn and card of the moment with this index.

        Raises `BroadcastError` if the index is not between 0 and `len(timeline) - 1`.
        """
        if not 0 <= moment < len(self):
            raise BroadcastError(f"moment {moment} is not one of the {len(self)} of this corrida")
        turn = bisect_right(self._first_moments, moment)
        return Address(turn, moment - self._first_moments[turn - 1] if turn else 0)

    def moment(self, address: Address | tuple[int, int]) -> int:
        """Return the index of the moment with this turn and card.

        Raises `BroadcastError` if the timeline has no such moment.
        """
        turn, card = address
        if not 0 <= turn <= self.lidias + 1:
            raise BroadcastError(f"this corrida has no turn {turn}; it has {self.lidias}")
        last = self.cards_per_lidia[turn - 1] if 1 <= turn <= self.lidias else 0
        if not 0 <= card <= last:
            raise BroadcastError(f"turn {turn} has cards 0 to {last}, not {card}")
        return self._first_moments[turn - 1] + card if turn else 0

    def due(self, start: float, moment: int) -> float:
        """Return the time of a moment, in seconds on the same clock as `start`."""
        self.address(moment)
        return start + self.offsets_ms[moment] / 1000

    def moments(self, start: float) -> list[float]:
        """Return the times of all moments, in seconds on the same clock as `start`."""
        return [start + offset / 1000 for offset in self.offsets_ms]

    def ends(self, start: float) -> list[float]:
        """Return the time of the last card of each lidia, when its result becomes public."""
        return [start + offset / 1000 for offset in self.lidia_ends_ms]

    @property
    def lidia_ends_ms(self) -> tuple[int, ...]:
        """Time of the last card of each lidia, in milliseconds since the start."""
        return tuple(self.offsets_ms[first - 1] for first in self._first_moments[1:])

    @property
    def length_ms(self) -> int:
        """Duration of the broadcast in milliseconds."""
        return self.offsets_ms[-1]

    def ends_at(self, start: float) -> float:
        """Return the end of the broadcast, in seconds on the same clock as `start`."""
        return start + self.length_ms / 1000

    def shown(self, start: float, at: float) -> Position:
        """Return what is visible at the time `at` if the broadcast began at `start`.

        It compares the same floating-point numbers that `moments` returns, so a moment becomes
        visible exactly at its own time.
        """
        reached = bisect_right(self.offsets_ms, at, key=lambda offset: start + offset / 1000)
        return self.position(reached - 1)

    def shown_after(self, elapsed: timedelta) -> Position:
        """Return what is visible when this much time has passed since the start of the broadcast.

        It calculates in whole milliseconds. With datetimes from the database, `shown_after(at -
        start)` therefore agrees exactly with `start + offset(moment)`.
        """
        return self.position(bisect_right(self.offsets_ms, elapsed // _MILLISECOND) - 1)

    def offset(self, moment: int) -> timedelta:
        self.address(moment)
        return timedelta(milliseconds=self.offsets_ms[moment])

    def position(self, moment: int) -> Position:
        """Return what is visible at the moment with this index; -1 is before the entry parade."""
        if moment < 0:
            return Position(-1, 0, 0, 0, over=False)
        turn, card = self.address(moment)
        if turn > self.lidias:
            return Position(moment, self.lidias, self.cards_per_lidia[-1], self.lidias, over=True)
        finished = turn - (card < self.cards_per_lidia[turn - 1]) if turn else 0
        return Position(moment, turn, card, finished, over=False)
