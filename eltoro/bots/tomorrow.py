"""What the next day makes of arriving today: the effects of destinations in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final

from eltoro.bots.outlook import Outlook, points_of
from eltoro.engine import Bonus, Destination, View

DIE: Final = 1.5
"""Points of a die that gives an even face and takes one for an odd one (E-9), on average."""
EACH: Final[Mapping[Bonus, float]] = MappingProxyType(
    {Bonus.RUNNER: 2.5, Bonus.CARD: 0.6, Bonus.POINTS: 1.0}
)
"""Points that one of it is worth on the next day. More bulls harm everybody alike."""


def effects_of(view: View) -> tuple[float, ...]:
    """Points that arriving, once, at each of today's destinations brings tomorrow."""
    kinds = view.rules.destinations
    if view.town.day >= view.rules.days:
        return tuple(0.0 for _ in view.town.destinations)
    return tuple(_effect(kinds[which]) for which in view.town.destinations)


def _effect(kind: Destination) -> float:
    if kind.effect is None:
        return 0.0
    return DIE if kind.effect is Bonus.DIE else EACH.get(kind.effect, 0.0) * kind.amount


def worth_of(view: View) -> list[tuple[float, ...]]:
    """By seat, what one runner more is worth at each destination, tomorrow counted in.

    An effect counts once (Ruling E-7): the surer it is that another runner of the same player
    gets there anyway, the less one more adds.
    """
    points, effects = points_of(view), effects_of(view)
    if not any(effects):
        return [points] * view.players
    plain = Outlook(view)
    return [_adding(plain, seat, points, effects) for seat in range(view.players)]


def _adding(
    outlook: Outlook, seat: int, points: Sequence[float], effects: Sequence[float]
) -> tuple[float, ...]:
    count = max(sum(place >= 0 for place in outlook.dice[seat]), 1)
    found = []
    for slot, effect in enumerate(effects):
        missing = _missing(outlook, seat, slot) ** (1 - 1 / count) if effect else 0.0
        found.append(points[slot] + effect * missing)
    return tuple(found)


def _missing(outlook: Outlook, seat: int, slot: int) -> float:
    """How likely no runner of a seat comes to a destination, if no card is played."""
    streets = outlook.streets
    only = [float(slot == other) for other in range(len(outlook.view.town.destinations))]
    threats = streets.threats(outlook.bulls)
    chance = streets.prospects(outlook.ways(seat), threats, only, outlook.row)
    return prod(1 - chance[place] for place in outlook.dice[seat] if place >= 0)
