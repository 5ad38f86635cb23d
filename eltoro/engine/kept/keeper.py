"""The board keeper: entry after entry, what lies on a real table (Rulings E-2 to E-9)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Final

from eltoro.engine.kept.chance import filled, rolled_now
from eltoro.engine.kept.day import KeptDay, Note, Rolled
from eltoro.engine.kept.entry import Entry, Verb
from eltoro.engine.kept.state import SEATS, Due, State
from eltoro.engine.kept.streets import wake
from eltoro.engine.kept.verbs import DOING, check
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town
from fairness import Seed

AGAIN: Final = frozenset({Verb.ROLL, Verb.FACE, Verb.CHARGE})
"""Entries by which dice on the board come to show another face."""
STILL: Final = frozenset(
    {Verb.FACE, Verb.MOVE, Verb.LEAD, Verb.TOKEN, Verb.UNTOKEN, Verb.POINTS, Verb.FIRST}
)
"""Entries for which nothing is ever rolled: put in between, they change no throw to come."""

_PHASES: Final = {
    Due.CARDS: Phase.CARDS,
    Due.CHARGE: Phase.BULLS,
    Due.EVENING: Phase.EVENING,
    Due.OVER: Phase.OVER,
}


def label(day: int, number: int) -> str:
    """The label of the dice of an entry, by its day and its number, those `STILL` not counted:
    `day/2/17`.
    """
    return f"day/{day}/{number}"


class Kept:
    """A kept board between two entries; `record` gives the next one and leaves this as it is.

    `players`: 2 to 6. `rolls`: the site rolls every die, from `seed`; else people do and say what
    they show, and the site draws no more than destinations, where it is asked to.
    """

    def __init__(self, rules: Rules, players: int, seed: Seed, *, rolls: bool) -> None:
        rules.runners(players)
        self.state = State(rules=rules, players=players, seed=seed, rolls=rolls)
        self.state.effects = ((),) * players
        self.entries: tuple[str, ...] = ()
        self.throws = 0
        wake(self.state)

    @classmethod
    def replay(
        cls, rules: Rules, players: int, seed: Seed, *, rolls: bool, entries: Sequence[str]
    ) -> Kept:
        """The board after these entries, which were checked as they were written.

        Raises `KeptError` where one of them cannot have been.
        """
        kept = cls(rules, players, seed, rolls=rolls)
        for text in entries:
            kept = kept._after(Entry.read(text))
        return kept

    def record(self, text: str) -> Kept:
        """The board after one more entry. Raises `KeptError`; this one is never changed."""
        entry = Entry.read(text)
        check(self.state, entry)
        return self._after(entry)

    def _after(self, entry: Entry) -> Kept:
        after = copy(self)
        after.state = _copied(self.state)
        after.entries = (*self.entries, str(entry))
        after.throws += entry.verb not in STILL
        note = after._enter(entry)
        after.state.notes = (*self.state.notes, note)
        return after

    def _enter(self, entry: Entry) -> Note:
        """Do what the entry says, and what the site rolls because of it."""
        state = self.state
        day, step = state.day, state.step
        chance = state.seed.chance(label(day, self.throws))
        done = [filled(state, entry, chance)]
        rolled = _done(state, done[0])
        while (more := rolled_now(state, chance)) is not None:
            done.append(more)
            rolled += _done(state, more)
        return Note(entries=tuple(done), day=day, step=step, rolled=tuple(rolled))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.state.rules

    @property
    def players(self) -> int:
        """How many play."""
        return self.state.players

    @property
    def ones(self) -> tuple[str, ...]:
        """The runners that show a 1 and wait for a place."""
        return tuple(self.state.ones())

    @property
    def charging(self) -> tuple[str, ...]:
        """The runners that must roll, in the order of their dice."""
        return self.state.charging

    @property
    def due(self) -> Due:
        """What has to be said next."""
        return self.state.due

    @property
    def faces(self) -> dict[str, int]:
        """What every runner and bull on the board shows, by name."""
        dice_of: dict[str, Sequence[Die | None]] = {"T": self.state.bulls}
        dice_of |= {SEATS[seat]: own for seat, own in enumerate(self.state.runners)}
        return {
            f"{letter}{number}": die.face
            for letter, dice in dice_of.items()
            for number, die in enumerate(dice, start=1)
            if die is not None
        }

    @property
    def days(self) -> tuple[KeptDay, ...]:
        """The days scored so far."""
        today = self.state.today()
        return self.state.past if today is None else (*self.state.past, today)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points so far by seat, those of the day that goes on included."""
        return tuple(map(sum, zip(*self._points_by_day(), strict=True)))

    def _points_by_day(self) -> tuple[tuple[int, ...], ...]:
        return (*(day.points for day in self.state.past), self.state.day_points())

    @property
    def tomorrow(self) -> Kept | None:
        """The board on the next morning, to tell what the day's destinations bring; else None."""
        return self.record(Verb.EVENING.value) if self.due is Due.EVENING else None

    def town(self) -> Town:
        """The board as a snapshot of the town; hands and piles are real, and not known."""
        state = self.state
        charging = bool(state.charging)
        return Town(
            day=state.day,
            step=state.step - charging,
            phase=_PHASES.get(state.due, Phase.MORNING),
            first=state.first,
            runners=tuple(map(tuple, state.runners)),
            bulls=tuple(state.bulls),
            tokens=dict(state.tokens),
            tokens_left=tuple(state.tokens_left(seat) for seat in range(state.players)),
            destinations=state.destinations,
            totals=self.totals,
            day_points=self._points_by_day(),
            effects=state.effects,
            hand_sizes=(0,) * state.players,
            deck_left=0,
            discards=(),
        )


def _copied(state: State) -> State:
    """A state that can be changed without the other."""
    found = copy(state)
    found.runners = [list(own) for own in state.runners]
    found.bulls, found.tokens = list(state.bulls), dict(state.tokens)
    found.gained, found.dice = list(state.gained), list(state.dice)
    return found


def _done(state: State, entry: Entry) -> list[Rolled]:
    """Do what a filled entry says; the dice on the board that show another face by it."""
    again = entry.targets if entry.verb in AGAIN else ()
    shown = [(target, state.die(target.what)) for target in again]
    DOING[entry.verb](state, entry.targets)
    return [
        Rolled(
            what=target.what,
            before=before.face,
            after=target.face,
            space=before.space,
            trampled=state.is_out(target.what),
        )
        for target, before in shown
    ]
