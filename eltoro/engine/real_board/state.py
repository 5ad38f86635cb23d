"""State of a tracked board, and the rules for what must be entered next and how pieces move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from eltoro.engine.board import EVEN, ODD, Board, Sign
from eltoro.engine.cards import Bonus
from eltoro.engine.real_board.entries import EntryError, EntryNote, ScoredDay, Verb
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die
from fairness import Seed

SEAT_LETTERS: Final = "abcdef"
MAX_BULLS: Final = 10
TOKENS: Final = 3
# Index used as the space of a runner that shows 1 and is not yet placed.
NOWHERE: Final = -1


class DueEntryKind(StrEnum):
    """The kind of entry that must be made next."""

    DICE = "dice"
    LAY = "lay"
    BULLS = "bulls"
    RUNNERS = "runners"
    START = "start"
    HERD = "herd"
    CARDS = "cards"
    CHARGE = "charge"
    EVENING = "evening"
    OVER = "over"


@dataclass(slots=True, kw_only=True)
class BoardState:
    """State of a tracked board between two entries.

    `day` counts from 1, `step` from 0. `rolls`: True if the site rolls the dice. `runners`: by
    seat, empty until rolled, None for trampled runners. `charging`: runners that match a bull and
    must be rolled. `effects`: by seat, the destinations reached yesterday (as indexes), whose
    effects apply today. `gained`: by seat, points from cards. `dice`: by seat, faces rolled for
    destinations whose effect is a die. `arrived`: by seat, numbers of runners at d1 to d5, None
    until the day is scored.
    """

    rules: Rules
    players: int
    seed: Seed
    rolls: bool
    day: int = 1
    step: int = 0
    first: int = 0
    runners: list[list[Die | None]] = field(default_factory=list)
    bulls: list[Die] = field(default_factory=list)
    tokens: dict[Sign, int] = field(default_factory=dict)
    destinations: tuple[int, ...] = ()
    charging: tuple[str, ...] = ()
    effects: tuple[tuple[int, ...], ...] = ()
    gained: list[int] = field(default_factory=list)
    dice: list[tuple[int, ...]] = field(default_factory=list)
    arrived: tuple[tuple[int, ...], ...] | None = None
    past: tuple[ScoredDay, ...] = ()
    notes: tuple[EntryNote, ...] = ()

    @property
    def board(self) -> Board:
        """The board (map of spaces) that the rules define."""
        return self.rules.board

    @property
    def turn_order(self) -> tuple[int, ...]:
        """The seats in turn order, beginning with the first player."""
        return tuple((self.first + offset) % self.players for offset in range(self.players))

    @property
    def row(self) -> tuple[int, ...]:
        """The spaces of the row that runners have reached."""
        return self.board.rows[self.step]

    def effect(self, seat: int, kind: Bonus) -> int:
        """Return the sum of a seat's effects of this kind (such as additional runners) that apply
        today (Ruling E-7).
        """
        working = (self.rules.destinations[index] for index in self.effects[seat])
        return sum(effect.amount for effect in working if effect.effect is kind)

    def times(self, seat: int, kind: Bonus) -> int:
        """Return the number of destinations whose effect of this kind applies to a seat today."""
        kinds = [self.rules.destinations[index].effect for index in self.effects[seat]]
        return kinds.count(kind)

    def allowed(self, seat: int) -> int:
        """Return how many runners the seat has today, which is at least one (Ruling E-1)."""
        return max(1, self.rules.runners(self.players) + self.effect(seat, Bonus.RUNNER))

    @property
    def herd(self) -> int:
        """The number of bulls after the morning: six plus those added by effects, at most ten."""
        more = sum(self.effect(seat, Bonus.BULL) for seat in range(self.players))
        return min(MAX_BULLS, len(self.board.rows[0]) + 1 + more)

    @property
    def due(self) -> DueEntryKind:
        """The kind of entry that must be made next, according to the board."""
        if self.arrived is not None:
            return DueEntryKind.OVER if self.day == self.rules.days else DueEntryKind.EVENING
        if self.charging:
            return DueEntryKind.CHARGE
        return self._due_in_the_morning() or DueEntryKind.CARDS

    def _due_in_the_morning(self) -> DueEntryKind | None:
        if not self.destinations:
            return DueEntryKind.DICE if any(self.due_dice()) else DueEntryKind.LAY
        if len(self.bulls) < len(self.board.rows[0]):
            return DueEntryKind.BULLS
        if not all(self.runners):
            return DueEntryKind.RUNNERS
        if any(self.ones()):
            return DueEntryKind.START
        return DueEntryKind.HERD if len(self.bulls) < self.herd else None

    def due_dice(self) -> Iterator[str]:
        """Yield the seats that must roll a die for yesterday's destinations (Ruling E-7).

        A seat occurs once per die.
        """
        for seat in self.turn_order:
            yield from SEAT_LETTERS[seat] * (self.times(seat, Bonus.DIE) - len(self.dice[seat]))

    def ones(self) -> Iterator[str]:
        """Yield the runners that show 1 and must be placed, in turn order."""
        for seat in self.turn_order:
            for number, die in enumerate(self.runners[seat], start=1):
                if die is not None and die.space == NOWHERE:
                    yield f"{SEAT_LETTERS[seat]}{number}"

    def seat(self, letter: str) -> int:
        """Return the number of the seat with this letter. Raises `EntryError` if there is none."""
        seat_number = SEAT_LETTERS.find(letter)
        if not 0 <= seat_number < self.players:
            raise EntryError("no_seat", what=letter)
        return seat_number

    def die(self, name: str) -> Die:
        """Return the die of a runner or bull. Raises `EntryError` if it is not on the board."""
        die = self._find_die(name)
        if die is None:
            raise EntryError("trampled", what=name)
        return die

    def _find_die(self, name: str) -> Die | None:
        dice = self.bulls if name[0] == "T" else self.runners[self.seat(name[0])]
        number = int(name[1:])
        if not 1 <= number <= len(dice):
            raise EntryError("no_die", what=name)
        return dice[number - 1]

    def is_out(self, name: str) -> bool:
        """Return True if this runner has been trampled today."""
        return self._find_die(name) is None

    def set_die(self, name: str, die: Die | None) -> None:
        """Set the die of a runner or bull. None means that the runner is trampled."""
        if name[0] != "T":
            self.runners[self.seat(name[0])][int(name[1:]) - 1] = die
        elif die is not None:
            self.bulls[int(name[1:]) - 1] = die

    def standing(self) -> Iterator[tuple[str, Die]]:
        """Yield the runners on the board, sorted by space, turn order and number (Ruling E-6)."""
        dice = [
            (die.space, place, number, die)
            for place, seat in enumerate(self.turn_order)
            for number, die in enumerate(self.runners[seat], start=1)
            if die is not None and die.space != NOWHERE
        ]
        for _space, place, number, die in sorted(dice, key=lambda entry: entry[:3]):
            yield f"{SEAT_LETTERS[self.turn_order[place]]}{number}", die

    def space(self, key: str) -> int:
        """Return the space of the current row with this key.

        Raises `EntryError` if there is none.
        """
        space_index = next(
            (index for index in self.row if self.board.spaces[index].key == key), None
        )
        if space_index is None:
            raise EntryError("no_space", what=key)
        return space_index

    def sign(self, name: str) -> Sign:
        """Return the path sign with this notation (`fuente/odd`).

        Raises `EntryError` if there is none.
        """
        sign = self.board.by_sign.get(name)
        if sign is None:
            raise EntryError("no_sign", what=name)
        return sign

    def tokens_left(self, seat: int) -> int:
        """Return the number of tokens that a seat has not placed."""
        return TOKENS - sum(owner == seat for owner in self.tokens.values())

    def today(self) -> ScoredDay | None:
        """Return the result of the current day, or None if it is not scored yet."""
        if self.arrived is None:
            return None
        return ScoredDay(
            destinations=self.destinations,
            arrived=self.arrived,
            gained=tuple(self.gained),
            dice=tuple(self.dice),
            points=self.day_points(),
            aside=tuple(self._led_aside()),
        )

    def _led_aside(self) -> Iterator[str]:
        """Yield the runners that a card moved to another space of their row today."""
        for note in self.notes:
            for entry in note.entries:
                if note.day == self.day and entry.verb is Verb.LEAD:
                    yield from (f"{what}>{to}" for what, to in entry.targets if what[0] != "T")

    def day_points(self) -> tuple[int, ...]:
        """Return the points of the current day by seat: from cards, effects and arrivals."""
        return tuple(self._points(seat) for seat in range(self.players))

    def _points(self, seat: int) -> int:
        worth = [self.rules.destinations[index].points for index in self.destinations]
        arrived = self.arrived[seat] if self.arrived else ()
        scored = sum(count * each for count, each in zip(arrived, worth, strict=False))
        return scored + self.gained[seat] + self.granted_points(seat)

    def granted_points(self, seat: int) -> int:
        """Return a seat's points today from destinations reached yesterday (Ruling E-7).

        An even die brings its face, an odd die costs one point.
        """
        by_dice = sum(face if face % 2 == 0 else -1 for face in self.dice[seat])
        return self.effect(seat, Bonus.POINTS) + by_dice


def move_down(state: BoardState) -> None:
    """Move all dice one row down: runners by token or parity, bulls by parity (E-4, E-5)."""
    for name, die in list(state.standing()):
        state.set_die(name, Die(_next_space(state, die, state.seat(name[0])), die.face))
    state.bulls = [Die(_next_space(state, bull, None), bull.face) for bull in state.bulls]
    state.step += 1


def _next_space(state: BoardState, die: Die, seat: int | None) -> int:
    ways = state.board.spaces[die.space].ways
    if len(ways) == 1:
        return ways[0]
    own = [
        parity
        for parity in (EVEN, ODD)
        if seat is not None and state.tokens.get((die.space, parity)) == seat
    ]
    return ways[own[0]] if len(own) == 1 else ways[die.face % 2]


def charging_runners(state: BoardState) -> tuple[str, ...]:
    """Return the runners that match a bull, in the order in which their dice are rolled (E-6)."""
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    return tuple(name for name, die in state.standing() if (die.space, die.face) in dangers)


def trample(state: BoardState, faces: Mapping[str, int]) -> None:
    """Set the faces of runners that were rolled because they matched a bull (Ruling E-6).

    Runners that match a bull again are trampled.
    """
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    for name in state.charging:
        again = Die(state.die(name).space, faces[name])
        state.set_die(name, None if (again.space, again.face) in dangers else again)
    state.charging = ()


def end_step(state: BoardState) -> None:
    """End a step: pass the first-player token to the left, and after the last step score the day.

    See Rulings E-4 and E-7.
    """
    state.first = (state.first + 1) % state.players
    if state.step == state.board.steps:
        state.arrived = tuple(_arrivals_of(state, seat) for seat in range(state.players))


def _arrivals_of(state: BoardState, seat: int) -> tuple[int, ...]:
    places = [die.space for die in state.runners[seat] if die is not None]
    return tuple(places.count(space) for space in state.row)


def end_day(state: BoardState) -> None:
    """End the day. Its destinations take effect on the next day (Ruling E-7)."""
    today = state.today()
    assert today is not None, "a day ends once it is scored"
    state.past = (*state.past, today)
    state.effects = tuple(
        tuple(index for index, count in zip(today.destinations, arrived, strict=True) if count)
        for arrived in today.arrived
    )
    state.first = next(
        (seat for seat in state.turn_order if state.times(seat, Bonus.FIRST)), state.first
    )
    state.day += 1
    begin_day(state)


def begin_day(state: BoardState) -> None:
    """Begin a day on which nothing is laid out or rolled yet."""
    state.step, state.destinations, state.arrived = 0, (), None
    state.bulls, state.runners = [], [[] for _seat in range(state.players)]
    state.gained, state.dice = [0] * state.players, [()] * state.players
    state.charging = ()
