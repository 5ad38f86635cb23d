"""What the site rolls and draws: it fills an entry in as a person would (Ruling F-1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from eltoro.engine.kept.entry import Entry, KeptError, Target, Verb
from eltoro.engine.kept.state import SEATS, Due, State
from fairness import Chance


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
