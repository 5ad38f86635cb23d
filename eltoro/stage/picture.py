"""The map of the town, ready to be drawn, with the route of one runner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eltoro.engine import Board, Die, Rules, Town
from eltoro.stage.controls import Hit, Peek, Tray, build_peeks, build_trays, place_hits
from eltoro.stage.descriptions import (
    PlayerLine,
    SpaceLine,
    describe_lines,
    list_players,
    map_title,
    space_lines,
    town_name,
)
from eltoro.stage.dice import DrawnDie, draw_dice, place_dice
from eltoro.stage.layout import LAYOUT_CACHE_SIZE, SEA_HEIGHT, Plan
from eltoro.stage.map_context import SEAT_LETTERS, MapContext, Marks
from eltoro.stage.places import (
    DrawnCard,
    DrawnPlaza,
    DrawnSign,
    draw_cards,
    draw_plazas,
    draw_signs,
    percent_text,
)
from eltoro.stage.streets import House, draw_streets, place_houses


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRoute:
    """The streets of a runner: the next one, and all later possibilities.

    `trampled`: the chance of falling on the way, in words.
    """

    runner: str
    next: str
    later: str
    trampled: str


def draw_route(sight: MapContext, plan: Plan) -> DrawnRoute | None:
    """Return the highlighted route, if there is one and its runner is in town."""
    way = sight.marks.way
    if way is None:
        return None
    seat, number = SEAT_LETTERS.index(way.runner[0]), int(way.runner[1:]) - 1
    die = sight.town.runners[seat][number]
    if die is None or die.space < 0 or not sight.board.spaces[die.space].ways:
        return None
    first = next_space(sight, seat, die)
    reached = _spaces_below(sight, first)
    paths = draw_streets(sight.board, plan)
    return DrawnRoute(
        runner=way.runner,
        next="".join(path.d for path in paths if (path.start, path.end) == (die.space, first)),
        later="".join(path.d for path in paths if path.start in reached),
        trampled=percent_text(way.trampled),
    )


def next_space(sight: MapContext, seat: int, die: Die) -> int:
    """Return a runner's next space: by face, or by its player's token (Ruling E-5)."""
    ways = sight.board.spaces[die.space].ways
    if len(ways) == 1:
        return ways[0]
    signed = [parity for parity in (0, 1) if sight.town.tokens.get((die.space, parity)) == seat]
    return ways[signed[0] if len(signed) == 1 else die.face % 2]


def _spaces_below(sight: MapContext, space: int) -> set[int]:
    """Return a space and all that can be reached from it."""
    reached = {space}
    for index in (index for row in sight.board.rows for index in row):
        if index in reached:
            reached.update(sight.board.spaces[index].ways)
    return reached


NO_MARKS: Final = Marks()
BEACH_HEIGHT: Final = 40
# Units of beach above the destinations.
SEA_OVERLAP: Final = 6
# Units by which the sea reaches under them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Backdrop:
    """The background: country, streets, houses. Numbers are attribute values."""

    name: str
    width: str
    height: str
    shore: str
    shore_height: str
    sea: str
    streets: str
    houses: tuple[House, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TownPicture:
    """The map. `title` and `desc` describe it, `box` is the viewBox.

    A page includes `eltoro/_map.html` with it as `map`. That draws the map with the controls
    of `marks.picks` that have room, the others below it (`trays`), the players, details of
    spaces (`peeks`), and a table of everything (`lines`). `dice` are by id where they are
    drawn.
    """

    title: str
    desc: str
    backdrop: Backdrop
    plan: Plan
    plazas: tuple[DrawnPlaza, ...]
    cards: tuple[DrawnCard, ...]
    signs: tuple[DrawnSign, ...]
    dice: tuple[DrawnDie, ...]
    way: DrawnRoute | None
    hits: tuple[Hit, ...]
    trays: tuple[Tray, ...]
    people: tuple[PlayerLine, ...]
    peeks: tuple[Peek, ...]
    lines: tuple[SpaceLine, ...]
    marks: Marks

    @property
    def box(self) -> str:
        return f"0 0 {self.plan.width:g} {self.plan.height:.5g}"

    @property
    def runners(self) -> tuple[DrawnDie, ...]:
        return tuple(die for die in self.dice if die.seat is not None)


def draw_town(
    town: Town,
    rules: Rules,
    *,
    names: Sequence[str],
    seat: int | None = None,
    marks: Marks = NO_MARKS,
) -> TownPicture:
    """Draw the town as seen from `seat` (None: a watcher). `names` are by seat."""
    return _draw_picture(MapContext(town=town, rules=rules, names=names, seat=seat, marks=marks))


def _draw_picture(sight: MapContext) -> TownPicture:
    companies, plan = place_dice(sight.town, sight.board, sight.marks, sight.seat)
    dice = draw_dice(companies, plan, sight.marks)
    spoken = space_lines(sight, companies)
    on_map = place_hits(sight, plan, dice)
    return TownPicture(
        title=map_title(sight),
        desc=describe_lines(spoken),
        backdrop=_draw_backdrop(town_name(sight), sight.board, plan),
        plan=plan,
        plazas=draw_plazas(sight, plan),
        cards=draw_cards(sight, plan),
        signs=draw_signs(sight, plan),
        dice=dice,
        way=draw_route(sight, plan),
        hits=on_map,
        trays=build_trays(sight, dice, on_map),
        people=list_players(sight),
        peeks=build_peeks(dice, spoken),
        lines=spoken,
        marks=sight.marks,
    )


@lru_cache(LAYOUT_CACHE_SIZE)
def _draw_backdrop(name: str, board: Board, plan: Plan) -> Backdrop:
    return Backdrop(
        name=name,
        width=f"{plan.width:g}",
        height=f"{plan.height:.5g}",
        shore=f"{plan.shore - BEACH_HEIGHT:.5g}",
        shore_height=f"{plan.height - plan.shore + BEACH_HEIGHT:.5g}",
        sea=f"{plan.height - SEA_HEIGHT - SEA_OVERLAP:.5g}",
        streets="".join(street.d for street in draw_streets(board, plan)),
        houses=place_houses(board, plan),
    )
