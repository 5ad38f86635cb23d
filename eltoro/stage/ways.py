"""The way of one runner over the map: the street it takes next, and those that may follow."""

from __future__ import annotations

from dataclasses import dataclass

from eltoro.engine import Die
from eltoro.stage.geometry import Plan
from eltoro.stage.marks import SEATS
from eltoro.stage.places import percent
from eltoro.stage.sight import Sight
from eltoro.stage.streets import streets


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnWay:
    """The streets of a runner: the next one, and all that it may come to after that.

    `trampled`: how likely it falls on the way, in words.
    """

    runner: str
    next: str
    later: str
    trampled: str


def drawn_way(sight: Sight, plan: Plan) -> DrawnWay | None:
    """The way that the page points at, if there is one and its runner stands in town."""
    way = sight.marks.way
    if way is None:
        return None
    seat, number = SEATS.index(way.runner[0]), int(way.runner[1:]) - 1
    die = sight.town.runners[seat][number]
    if die is None or die.space < 0 or not sight.board.spaces[die.space].ways:
        return None
    first = next_space(sight, seat, die)
    reached = _below(sight, first)
    paths = streets(sight.board, plan)
    return DrawnWay(
        runner=way.runner,
        next="".join(path.d for path in paths if (path.start, path.end) == (die.space, first)),
        later="".join(path.d for path in paths if path.start in reached),
        trampled=percent(way.trampled),
    )


def next_space(sight: Sight, seat: int, die: Die) -> int:
    """Where this runner goes as it stands: by face, or by its player's token (Ruling E-5)."""
    ways = sight.board.spaces[die.space].ways
    if len(ways) == 1:
        return ways[0]
    signed = [parity for parity in (0, 1) if sight.town.tokens.get((die.space, parity)) == seat]
    return ways[signed[0] if len(signed) == 1 else die.face % 2]


def _below(sight: Sight, space: int) -> set[int]:
    """A space and all that can be reached from it."""
    reached = {space}
    for index in (index for row in sight.board.rows for index in row):
        if index in reached:
            reached.update(sight.board.spaces[index].ways)
    return reached
