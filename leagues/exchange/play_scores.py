"""Who won a play: from ranks, winners' marks and scores, whichever of them were noted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from leagues.exchange.findings import Code, Refused
from leagues.exchange.records import places_in_order
from leagues.exchange.seats import Written


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One line of a play. `rank` and `seat` count from 1, None where not noted."""

    player: str
    identity: str
    points: int | None = None
    winner: bool = False
    rank: int | None = None
    team: str | None = None
    seat: int | None = None
    starts: bool = False

    def alone(self) -> Scored:
        """The same, in nobody's team."""
        return replace(self, team=None)


Side = list[Scored]


def scored_sides(scored: Sequence[Scored], *, highest_wins: bool, no_points: bool) -> list[Written]:
    """The seats with the rank of their side; sides of one size sit by turns. Raises `Refused`."""
    sides = _sides(scored)
    points = [None if no_points else _points(side) for side in sides]
    ranks = places_in_order(_ranks(sides, points, highest_wins=highest_wins))
    written = [
        [
            Written(player=one.player, identity=one.identity, side=number, rank=rank, points=score)
            for one in side
        ]
        for number, (side, rank, score) in enumerate(zip(sides, ranks, points, strict=True))
    ]
    return _by_turns(written)


def _sides(scored: Iterable[Scored]) -> list[Side]:
    """Teams in the order in which they appear; who has none is a side alone."""
    sides: dict[object, Side] = {}
    for index, one in enumerate(scored):
        sides.setdefault(one.team or index, []).append(one)
    return list(sides.values())


def _points(side: Side) -> int | None:
    """What a side scored: noted once, alike for all, or for each one apart and added up."""
    noted = [one.points for one in side if one.points is not None]
    if not noted:
        return None
    return noted[0] if len(set(noted)) == 1 else sum(noted)


def _ranks(sides: Sequence[Side], points: Sequence[int | None], *, highest_wins: bool) -> list[int]:
    """A rank for each side, lower is better: as noted, else winners before others, then score."""
    noted = [min((one.rank for one in side if one.rank), default=None) for side in sides]
    if None not in noted:
        return [rank or 0 for rank in noted]
    won = [any(one.winner for one in side) for side in sides]
    scores = [score for score in points if score is not None]
    if len(scores) < len(points):
        if not any(won):
            raise Refused(Code.OUTCOME)
        return [0 if winner else 1 for winner in won]
    order = [
        (not winner, -score if highest_wins else score)
        for winner, score in zip(won, scores, strict=True)
    ]
    levels = sorted(set(order))
    return [levels.index(one) for one in order]


def _by_turns(sides: Sequence[Sequence[Written]]) -> list[Written]:
    """Sides of one size sit by turns; sides of several sizes one after the other."""
    if len({len(side) for side in sides}) == 1:
        return list(chain.from_iterable(zip(*sides, strict=True)))
    return list(chain.from_iterable(sides))
