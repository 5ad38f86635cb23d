"""Calculation of the winner of a BG Stats play from ranks, marked winners and scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import TypeVar

from leagues.exchange.formats.parsing import WrittenSeat
from leagues.exchange.formats.results import (
    Alternatives,
    Code,
    InvalidValue,
    Remark,
    places_in_order,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore:
    """A player's line in a play. `rank` and `seat` count from 1 and are None if not noted."""

    player: str
    identity: str
    points: Decimal | None = None
    winner: bool = False
    rank: int | None = None
    team: str | None = None
    seat: int | None = None
    starts: bool = False

    def without_team(self) -> PlayerScore:
        return replace(self, team=None)


T = TypeVar("T")
Side = list[PlayerScore]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The result of a play.

    `seats` are the players with the rank of their side. `remarks` say what was left out.
    `alternatives` are set if the play contradicts itself: each has places by another source, such
    as points.
    """

    seats: list[WrittenSeat]
    remarks: tuple[Remark, ...] = ()
    alternatives: Alternatives = ()


def scored_sides(scored: Sequence[PlayerScore], *, highest_wins: bool, no_points: bool) -> Scores:
    """Return the seats of a play with ranks and points. Raises `InvalidValue` if no outcome is
    noted.

    If all sides have the same number of players, their players are seated in turn. Fractions decide
    about places. Because points must be integers, all points are left out if one of them is a
    fraction.
    """
    sides = _sides(scored)
    scores = [None if no_points else _points(side) for side in sides]
    readings = _readings(sides, scores, highest_wins=highest_wins)
    _kind, ranks = readings[0]
    fractions = any(score is not None and score % 1 for score in scores)
    points = [None if fractions or score is None else int(score) for score in scores]
    written = [
        [
            WrittenSeat(
                player=scored_seat.player,
                identity=scored_seat.identity,
                side=number,
                rank=rank,
                points=score,
            )
            for scored_seat in side
        ]
        for number, (side, rank, score) in enumerate(zip(sides, ranks, points, strict=True))
    ]
    return Scores(
        seats=_by_turns(written),
        remarks=(Remark.FRACTIONS,) if fractions else (),
        alternatives=_alternatives(readings, sides),
    )


def _sides(scored: Iterable[PlayerScore]) -> list[Side]:
    sides: dict[object, Side] = {}
    for index, scored_seat in enumerate(scored):
        sides.setdefault(scored_seat.team or index, []).append(scored_seat)
    return list(sides.values())


def _points(side: Side) -> Decimal | None:
    """Return the points of a side in a BG Stats play, or None if none are noted.

    They may be noted once for the side, or with the same value for each of its players. Different
    values are added up.
    """
    noted = [scored_seat.points for scored_seat in side if scored_seat.points is not None]
    if not noted:
        return None
    return noted[0] if len(set(noted)) == 1 else sum(noted, Decimal(0))


# A pair: the source of an order of the sides (`places`, `winners` or `points`), and the place of
# each side by this source.
Reading = tuple[str, list[int]]


def _readings(
    sides: Sequence[Side], points: Sequence[Decimal | None], *, highest_wins: bool
) -> list[Reading]:
    """Return the order of the sides by each source: noted ranks, marked winners, and points.

    The first one counts. If several sides are tied by rank or points, a single marked winner comes
    first. Raises `InvalidValue` if nothing is noted.
    """
    ranks = [_rank(side) for side in sides]
    won = [any(scored_seat.winner for scored_seat in side) for side in sides]
    scores = [score for score in points if score is not None]
    found: dict[str, list[int]] = {}
    if None not in ranks:
        found["places"] = _settled([rank or 0 for rank in ranks], won)
    if len(scores) == len(points):
        order = [-score if highest_wins else score for score in scores]
        found["points"] = _settled(order, won)
    if any(won):
        later = found.get("places") or found.get("points") or [0] * len(sides)
        keys = [(not winner, place) for winner, place in zip(won, later, strict=True)]
        found["winners"] = _places(keys)
    if not found:
        raise InvalidValue(Code.OUTCOME)
    return [(kind, found[kind]) for kind in ("places", "winners", "points") if kind in found]


def _rank(side: Side) -> int | None:
    return min((scored_seat.rank for scored_seat in side if scored_seat.rank), default=None)


def _settled(order: Sequence[int | Decimal], won: Sequence[bool]) -> list[int]:
    """Return the places of the sides by these values.

    The lowest value is best. If exactly one side is marked as winner, it is placed before other
    sides with the same value.
    """
    single = won.count(True) == 1
    return _places([(key, single and not winner) for key, winner in zip(order, won, strict=True)])


def _places(keys: Sequence[tuple[object, ...]]) -> list[int]:
    levels = sorted(set(keys))
    return places_in_order([levels.index(key) for key in keys])


def _alternatives(readings: Sequence[Reading], sides: Sequence[Side]) -> Alternatives:
    """Return the places by each source if a marked winner is not first by ranks or, without ranks,
    points.

    Otherwise return nothing. If the noted places contradict the points, this is found later,
    because the result contains both.
    """
    found = dict(readings)
    marked, places = found.get("winners", []), found.get("places") or found.get("points") or []
    if not any(mark == 1 < place for mark, place in zip(marked, places, strict=False)):
        return ()
    by_side = [
        (kind, [[place] * len(side) for place, side in zip(places, sides, strict=True)])
        for kind, places in readings
    ]
    return tuple((kind, tuple(_by_turns(places))) for kind, places in by_side)


def _by_turns(sides: Sequence[Sequence[T]]) -> list[T]:
    if len({len(side) for side in sides}) == 1:
        return list(chain.from_iterable(zip(*sides, strict=True)))
    return list(chain.from_iterable(sides))
