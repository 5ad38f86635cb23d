"""The state of a real board, what must be entered next, and what happens between two steps."""

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
NOWHERE: Final = -1
"""Where a 1 is that nobody has placed yet."""


class Due(StrEnum):
    """What has to be said before anything else can happen."""

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
    """The board on the table between two entries; `day` counts from 1, `step` from 0.

    `rolls`: the site rolls the dice. `runners` by seat, none until rolled, None where trampled;
    `charging`: runners that stand with a bull of their face and must roll. `effects`: by seat,
    yesterday's destinations (indexes) that work today. `gained`: points by cards; `dice`: what
    `die` effects rolled; `arrived`: by seat, runners at d1 to d5, once the day is scored.
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
        """The board of the rules."""
        return self.rules.board

    @property
    def turn_order(self) -> tuple[int, ...]:
        """The seats, from who has the token."""
        return tuple((self.first + offset) % self.players for offset in range(self.players))

    @property
    def row(self) -> tuple[int, ...]:
        """The spaces where everybody is."""
        return self.board.rows[self.step]

    def effect(self, seat: int, kind: Bonus) -> int:
        """What the effects of this kind grant the seat today, added up (Ruling E-7)."""
        working = (self.rules.destinations[index] for index in self.effects[seat])
        return sum(one.amount for one in working if one.effect is kind)

    def times(self, seat: int, kind: Bonus) -> int:
        """How many effects of this kind work for the seat today."""
        kinds = [self.rules.destinations[index].effect for index in self.effects[seat]]
        return kinds.count(kind)

    def allowed(self, seat: int) -> int:
        """How many runners the seat has today, one at least (Ruling E-1)."""
        return max(1, self.rules.runners(self.players) + self.effect(seat, Bonus.RUNNER))

    @property
    def herd(self) -> int:
        """How many bulls a morning ends with: six and those of effects, ten at most."""
        more = sum(self.effect(seat, Bonus.BULL) for seat in range(self.players))
        return min(MAX_BULLS, len(self.board.rows[0]) + 1 + more)

    @property
    def due(self) -> Due:
        """What has to be said next; it follows from what lies on the table."""
        if self.arrived is not None:
            return Due.OVER if self.day == self.rules.days else Due.EVENING
        if self.charging:
            return Due.CHARGE
        return self._due_in_the_morning() or Due.CARDS

    def _due_in_the_morning(self) -> Due | None:
        if not self.destinations:
            return Due.DICE if any(self.due_dice()) else Due.LAY
        if len(self.bulls) < len(self.board.rows[0]):
            return Due.BULLS
        if not all(self.runners):
            return Due.RUNNERS
        if any(self.ones()):
            return Due.START
        return Due.HERD if len(self.bulls) < self.herd else None

    def due_dice(self) -> Iterator[str]:
        """The seats that have dice of yesterday's destinations to roll, once for each (E-7)."""
        for seat in self.turn_order:
            yield from SEAT_LETTERS[seat] * (self.times(seat, Bonus.DIE) - len(self.dice[seat]))

    def ones(self) -> Iterator[str]:
        """The runners that show a 1 and wait for a place, players in turn order."""
        for seat in self.turn_order:
            for number, die in enumerate(self.runners[seat], start=1):
                if die is not None and die.space == NOWHERE:
                    yield f"{SEAT_LETTERS[seat]}{number}"

    def seat(self, letter: str) -> int:
        """The seat of this letter. Raises `EntryError` where nobody sits there."""
        found = SEAT_LETTERS.find(letter)
        if not 0 <= found < self.players:
            raise EntryError("no_seat", what=letter)
        return found

    def die(self, name: str) -> Die:
        """A runner or a bull that is on the board. Raises `EntryError` where it is not."""
        found = self._find(name)
        if found is None:
            raise EntryError("trampled", what=name)
        return found

    def _find(self, name: str) -> Die | None:
        dice = self.bulls if name[0] == "T" else self.runners[self.seat(name[0])]
        number = int(name[1:])
        if not 1 <= number <= len(dice):
            raise EntryError("no_die", what=name)
        return dice[number - 1]

    def is_out(self, name: str) -> bool:
        """Whether this runner has been trampled today."""
        return self._find(name) is None

    def put(self, name: str, die: Die | None) -> None:
        """Let a runner or a bull stand so; None: the runner is out for the day."""
        if name[0] != "T":
            self.runners[self.seat(name[0])][int(name[1:]) - 1] = die
        elif die is not None:
            self.bulls[int(name[1:]) - 1] = die

    def standing(self) -> Iterator[tuple[str, Die]]:
        """Runners on the board: spaces as listed, players in turn order, by number (E-6)."""
        found = [
            (die.space, place, number, die)
            for place, seat in enumerate(self.turn_order)
            for number, die in enumerate(self.runners[seat], start=1)
            if die is not None and die.space != NOWHERE
        ]
        for _space, place, number, die in sorted(found, key=lambda one: one[:3]):
            yield f"{SEAT_LETTERS[self.turn_order[place]]}{number}", die

    def space(self, key: str) -> int:
        """The space of this key in the row where everybody is. Raises `EntryError`."""
        found = next((index for index in self.row if self.board.spaces[index].key == key), None)
        if found is None:
            raise EntryError("no_space", what=key)
        return found

    def sign(self, name: str) -> Sign:
        """A sign of the board, `fuente/odd`. Raises `EntryError` where there is none."""
        found = self.board.by_sign.get(name)
        if found is None:
            raise EntryError("no_sign", what=name)
        return found

    def tokens_left(self, seat: int) -> int:
        """Direction tokens that the seat has not laid."""
        return TOKENS - sum(owner == seat for owner in self.tokens.values())

    def today(self) -> ScoredDay | None:
        """The day just scored; None while it goes on."""
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
        """The runners that a card led aside today."""
        for note in self.notes:
            for entry in note.entries:
                if note.day == self.day and entry.verb is Verb.LEAD:
                    yield from (f"{what}>{to}" for what, to in entry.targets if what[0] != "T")

    def day_points(self) -> tuple[int, ...]:
        """Points of the day so far by seat: cards, effects, and what arrived."""
        return tuple(self._points(seat) for seat in range(self.players))

    def _points(self, seat: int) -> int:
        worth = [self.rules.destinations[index].points for index in self.destinations]
        arrived = self.arrived[seat] if self.arrived else ()
        scored = sum(count * each for count, each in zip(arrived, worth, strict=False))
        return scored + self.gained[seat] + self.granted(seat)

    def granted(self, seat: int) -> int:
        """Points that yesterday's destinations bring today: an odd die costs one (E-7)."""
        by_dice = sum(face if face % 2 == 0 else -1 for face in self.dice[seat])
        return self.effect(seat, Bonus.POINTS) + by_dice


def move_down(state: BoardState) -> None:
    """Everybody goes one row down: runners by token or parity, bulls by parity (E-4, E-5)."""
    for name, die in list(state.standing()):
        state.put(name, Die(_next_space(state, die, state.seat(name[0])), die.face))
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
    """The runners that stand with a bull of their face, in the order of their dice (E-6)."""
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    return tuple(name for name, die in state.standing() if (die.space, die.face) in dangers)


def trample(state: BoardState, faces: Mapping[str, int]) -> None:
    """The charged runners show what they rolled; who still matches a bull is out (E-6)."""
    dangers = {(bull.space, bull.face) for bull in state.bulls}
    for name in state.charging:
        again = Die(state.die(name).space, faces[name])
        state.put(name, None if (again.space, again.face) in dangers else again)
    state.charging = ()


def end_step(state: BoardState) -> None:
    """The token passes to the left; at the destinations the day is scored (E-4, E-7)."""
    state.first = (state.first + 1) % state.players
    if state.step == state.board.steps:
        state.arrived = tuple(_arrivals_of(state, seat) for seat in range(state.players))


def _arrivals_of(state: BoardState, seat: int) -> tuple[int, ...]:
    places = [die.space for die in state.runners[seat] if die is not None]
    return tuple(places.count(space) for space in state.row)


def end_day(state: BoardState) -> None:
    """The day is put away; its destinations work from the next morning on (E-7)."""
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
    """Nothing has been laid or rolled yet: a new day."""
    state.step, state.destinations, state.arrived = 0, (), None
    state.bulls, state.runners = [], [[] for _seat in range(state.players)]
    state.gained, state.dice = [0] * state.players, [()] * state.players
    state.charging = ()
