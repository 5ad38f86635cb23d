"""The board keeper: entry after entry, what lies on a real table (Rulings E-2 to E-9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Final

from eltoro.engine.kept.day import KeptDay, Note, Rolled
from eltoro.engine.kept.entry import Entry, KeptError, Target, Verb
from eltoro.engine.kept.state import SEATS, Due, State
from eltoro.engine.kept.streets import wake
from eltoro.engine.kept.verbs import DOING, check
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Phase, Town
from fairness import Chance, Seed


def filled(state: State, entry: Entry, chance: Chance) -> Entry:
    """The entry with every face and card that the site adds to it.

    Destinations may always be drawn by the site; dice are rolled by the site or by hand, never
    both. Raises `KeptError`.
    """
    if entry.verb is Verb.LAY and not entry.targets:
        return Entry(Verb.LAY, _drawn(state, chance))
    if entry.verb is Verb.ROLL:
        return Entry(Verb.ROLL, tuple(_again(state, entry, chance)))
    if entry.verb is Verb.ADD_BULL:
        return Entry(Verb.ADD_BULL, (_bull(state, entry.targets[0], chance),))
    return entry


def _drawn(state: State, chance: Chance) -> tuple[Target, ...]:
    """Five of the ten destination cards, shuffled, from the end of the list."""
    cards = [card.key for card in state.rules.destinations for _copy in range(card.count)]
    chance.shuffle(cards)
    return tuple(Target(key) for key in cards[: -1 - len(state.board.rows[-1]) : -1])


def _again(state: State, entry: Entry, chance: Chance) -> Iterator[Target]:
    if not state.rolls:
        raise KeptError("hands_roll")
    for name in entry.names:
        state.die(name)
    for name in entry.names:
        yield _rolled(name, chance)


def _bull(state: State, target: Target, chance: Chance) -> Target:
    if state.rolls == bool(target.to):
        raise KeptError("site_rolls" if state.rolls else "hands_roll")
    return _rolled(target.what, chance) if state.rolls else target


def _rolled(name: str, chance: Chance) -> Target:
    return Target(name, str(chance.roll()))


def rolled_now(state: State, chance: Chance) -> Entry | None:
    """What the site enters by itself at this moment; None where a person has the word."""
    rolling = _ROLLS.get(state.due) if state.rolls else None
    return rolling(state, chance) if rolling else None


def _dice(state: State, chance: Chance) -> Entry:
    counts = Counter(state.due_dice())
    return Entry(
        Verb.DICE, tuple(Target(letter, _faces(count, chance)) for letter, count in counts.items())
    )


def _bulls(state: State, chance: Chance) -> Entry:
    return Entry(Verb.BULLS, (Target(_faces(len(state.board.rows[0]), chance)),))


def _herd(state: State, chance: Chance) -> Entry:
    """The sixth bull and further ones: a 1 is rolled again (E-3)."""
    faces = ""
    while len(faces) < state.herd - len(state.bulls):
        faces += str(chance.roll()).replace("1", "")
    return Entry(Verb.BULLS, (Target(faces),))


def _runners(state: State, chance: Chance) -> Entry:
    counts = [(SEATS[seat], state.allowed(seat)) for seat in state.turn_order]
    return Entry(
        Verb.RUNNERS, tuple(Target(letter, _faces(count, chance)) for letter, count in counts)
    )


def _charge(state: State, chance: Chance) -> Entry:
    return Entry(Verb.CHARGE, tuple(_rolled(name, chance) for name in state.charging))


def _faces(count: int, chance: Chance) -> str:
    return "".join(str(chance.roll()) for _die in range(count))


_ROLLS: Final[Mapping[Due, Callable[[State, Chance], Entry]]] = {
    Due.DICE: _dice,
    Due.BULLS: _bulls,
    Due.RUNNERS: _runners,
    Due.HERD: _herd,
    Due.CHARGE: _charge,
}

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
