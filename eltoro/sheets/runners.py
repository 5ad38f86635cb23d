"""Which points a player's runners can have brought, day by day (Rulings E-1, E-3 and E-7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, NamedTuple

from eltoro.sheets.law import DIE, FACES, LAID, POINTS, RUNNER, Kind, Law, of_die
from eltoro.sheets.written import Objection

MOST_WAYS: Final = 500
"""Ways in which a table can have come by its points, up to which each is looked at."""

Gains = tuple[int, ...]
"""What cards brought one player, by day."""


class Reached(NamedTuple):
    """What the day after has of the destinations that were reached: runners, dice, points."""

    runners: int = 0
    dice: int = 0
    points: int = 0


def ways_to_score(
    law: Law, points: Sequence[int], usable: Collection[int]
) -> tuple[int, set[Gains]]:
    """What cards can have brought a player, for the points of the days to come out.

    `usable`: what cards can bring in a day. The number of days that come out, and every way to all
    of them; nothing but no card at all, where that is one.
    """
    _days, ways = _ways(law, points, {0})
    return (len(points), ways) if ways else _ways(law, points, usable)


def _ways(law: Law, points: Sequence[int], usable: Collection[int]) -> tuple[int, set[Gains]]:
    states: dict[Reached, set[Gains]] = {Reached(): {()}}
    for day, wanted in enumerate(points):
        after: dict[Reached, set[Gains]] = {}
        for before, ways in states.items():
            for brought, reached in days_after(law, before):
                if wanted - brought in usable:
                    longer = {(*way, wanted - brought) for way in ways}
                    after.setdefault(reached, set()).update(longer)
        if not after:
            return day, set()
        states = after
    return len(points), {way for ways in states.values() for way in ways}


def against_gains(law: Law, ways: Sequence[Collection[Gains]]) -> list[Objection]:
    """Points of cards that one deck cannot have brought to all (Rulings E-4 and E-8).

    `ways`: by seat, every way in which its cards can have brought points. Where there are too many
    of them together, nothing is said.
    """
    if prod(map(len, ways)) > MOST_WAYS:
        return []
    day: int | None = None
    by_day: list[tuple[int, ...]] = []
    for gains in product(*ways):
        by_day = list(zip(*gains, strict=True))
        day = law.deck.against(by_day, law.steps, law.days_of_one_deck)
        if day is None:
            return []
    if not day:
        params = {"days": min(law.days_of_one_deck, len(by_day))}
        return [Objection(path="days", code="deck_points", params=params)]
    return [Objection(path=f"days/{day}", code="deck_day", params={"day": day})]


def days_after(law: Law, before: Reached) -> frozenset[tuple[int, Reached]]:
    """Every day there can be after this one: its points without those of cards, what it leaves."""
    kinds = tuple(law.kinds.values())
    return _days_after(kinds, max(1, law.runners + before.runners), before.dice, before.points)


@lru_cache(maxsize=256)
def _days_after(
    kinds: tuple[Kind, ...], runners: int, dice: int, points: int
) -> frozenset[tuple[int, Reached]]:
    return frozenset(
        (arrived + points + thrown, reached)
        for arrived, reached in _arrivals(kinds, runners)
        for thrown in _throws(dice)
    )


@lru_cache(maxsize=64)
def _throws(dice: int) -> frozenset[int]:
    faces = {of_die(face) for face in range(1, FACES + 1)}
    return frozenset(map(sum, product(faces, repeat=dice)))


@lru_cache(maxsize=64)
def _arrivals(kinds: tuple[Kind, ...], runners: int) -> frozenset[tuple[int, Reached]]:
    """What so many runners or fewer bring, whatever destinations are laid out."""
    found = {(0, 0, 0, Reached())}
    for kind in kinds:
        found |= {
            (laid + cards, used + there, points + there * kind.points, _and(kind, cards, reached))
            for laid, used, points, reached in found
            for cards, there in _at_kind(kind, LAID - laid, runners - used)
        }
    return frozenset((points, reached) for _laid, _used, points, reached in found)


def _at_kind(kind: Kind, laid: int, runners: int) -> Iterator[tuple[int, int]]:
    """How many cards of a kind can be reached, by how many runners together."""
    for cards in range(1, min(kind.count, laid) + 1):
        for there in range(cards, runners + 1):
            yield cards, there


def _and(kind: Kind, cards: int, reached: Reached) -> Reached:
    """The same with so many cards of a kind, which bring their effect once each (Ruling E-7)."""
    return Reached(
        reached.runners + (cards * kind.amount if kind.has(RUNNER) else 0),
        reached.dice + (cards if kind.has(DIE) else 0),
        reached.points + (cards * kind.amount if kind.has(POINTS) else 0),
    )
