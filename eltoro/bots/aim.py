"""A card aimed: what is written in the move, what will happen, and what it should bring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from eltoro.bots.dice import Turn
from eltoro.bots.outlook import Outlook
from eltoro.bots.streets import Sign
from eltoro.engine import FACES, Card

BULL: Final = -1
"""In place of a seat: the die is a bull."""
ENOUGH: Final = 1e-9
"""Gains up to this are none."""


class Throw(NamedTuple):
    """A die that changes: its seat or `BULL`, its number from 0, its places, each as likely."""

    seat: int
    number: int
    places: tuple[int, ...]


class Aim(NamedTuple):
    """Targets of a card as a move writes them, and the gain to expect, in own points.

    `points` of the gain are paid at once; `signs`: where the own tokens lie afterwards, if they
    have moved.
    """

    gain: float
    targets: tuple[str, ...] = ()
    throws: tuple[Throw, ...] = ()
    signs: frozenset[Sign] | None = None


NOTHING: Final = Aim(0.0)
Aiming = Callable[[Outlook, Card], Iterable[Aim]]


def thrown(place: int, turn: Turn) -> tuple[int, ...]:
    """The places that a die may come to when this is done with it."""
    first = place - place % FACES
    return tuple([first + face for face in turn.faces])


def joined(parts: Iterable[Aim]) -> Aim:
    """Several dice in one move; their gains are taken to add up."""
    parts = list(parts)
    targets = tuple(target for part in parts for target in part.targets)
    throws = tuple(throw for part in parts for throw in part.throws)
    return Aim(sum(part.gain for part in parts), targets, throws)


def best_of(singles: Iterable[Aim], most: int) -> Iterator[Aim]:
    """The best dice together, so many at most and each once; then the best of single ones."""
    ordered = sorted(singles, key=_gain, reverse=True)
    best: dict[tuple[int, int], Aim] = {}
    for aim in ordered:
        best.setdefault(aim.throws[0][:2], aim)
    chosen = [aim for aim in best.values() if aim.gain > ENOUGH][:most]
    if len(chosen) > 1:
        yield joined(chosen)
    yield from ordered[:3]


def by_space(outlook: Outlook, singles: Iterable[Aim]) -> Iterator[Aim]:
    """All dice of a space together, for every space."""
    found: dict[int, list[Aim]] = {}
    for aim in singles:
        found.setdefault(aim.throws[0].places[0] // FACES, []).append(aim)
    for rank, parts in found.items():
        yield joined(parts)._replace(targets=(f"@{outlook.key(rank)}",))


def _gain(aim: Aim) -> float:
    return aim.gain
