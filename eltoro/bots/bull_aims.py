"""Cards for bulls, aimed. A bull that changes threatens other spaces, so all values change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from eltoro.bots.aim import BULL, Aim, Throw, best_of, by_space, thrown
from eltoro.bots.dice import turns_of
from eltoro.bots.outlook import Outlook
from eltoro.engine import FACES, Card

IN_THE_BOX: Final = 10
"""Bulls there are; no card adds an eleventh (Ruling E-1)."""


def some(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """So many bulls as the card says."""
    return best_of(_singles(outlook, card), card.amount)


def at_a_space(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """All bulls of a space."""
    return by_space(outlook, _singles(outlook, card))


def lead(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """A bull aside, to a neighbour in its row."""
    singles = []
    for number, place in enumerate(outlook.bulls):
        rank, face = divmod(place, FACES)
        for there in (rank - 1, rank + 1):
            if there in outlook.ranks:
                target = f"T{number + 1}>{outlook.key(there)}"
                singles.append(_bull(outlook, target, number, (FACES * there + face,)))
    return best_of(singles, card.amount)


def add(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """One more bull, in the row where the others are."""
    number = len(outlook.bulls)
    if number < IN_THE_BOX:
        for rank in outlook.ranks:
            places = tuple(range(FACES * rank, FACES * rank + FACES))
            yield _bull(outlook, f"@{outlook.key(rank)}", number, places)


def _singles(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """All that the card can do to one bull."""
    turns = turns_of(card)
    for number, place in enumerate(outlook.bulls):
        for turn in turns[place % FACES]:
            yield _bull(outlook, f"T{number + 1}{turn.suffix}", number, thrown(place, turn))


def _bull(outlook: Outlook, target: str, number: int, places: tuple[int, ...]) -> Aim:
    """A bull that comes to one of these places; a new one where none has the number."""
    throw = Throw(BULL, number, places)
    return Aim(_change(outlook, throw), (target,), (throw,))


def _change(outlook: Outlook, throw: Throw, *, only: int | None = None) -> float:
    """What a bull that changes brings, on average; to one seat `only`, if one is given."""
    before, after = outlook.bulls[: throw.number], outlook.bulls[throw.number + 1 :]
    changes = [outlook.with_bulls((*before, at, *after), only=only) for at in throw.places]
    return sum(changes) / len(changes)


def own_change(outlook: Outlook, throw: Throw) -> float:
    """What a bull that changes brings to the own runners alone."""
    return _change(outlook, throw, only=outlook.seat)
