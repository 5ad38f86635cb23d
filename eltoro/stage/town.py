"""The town of El Toro as a picture: a snapshot of the engine, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from eltoro.engine import Board, Rules, Town
from eltoro.stage.cells import KEPT
from eltoro.stage.controls import Hit, Peek, Tray, hits, peeks, trays
from eltoro.stage.dice import Drawn, drawn_dice, settle
from eltoro.stage.geometry import SEA, Plan
from eltoro.stage.marks import Marks
from eltoro.stage.places import DrawnCard, DrawnPlaza, DrawnSign, cards, drawn_signs, plazas
from eltoro.stage.sight import Sight
from eltoro.stage.spoken import Line, Person, description, lines, people, title, town_name
from eltoro.stage.streets import House, houses, streets
from eltoro.stage.ways import DrawnWay, drawn_way

NOTHING: Final = Marks()
BEACH: Final = 40
"""Units of beach above the destinations."""
WAVES: Final = 6
"""Units by which the sea reaches under them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backdrop:
    """What lies behind everything else: country, streets, houses; figures are attributes."""

    name: str
    width: str
    height: str
    shore: str
    shore_height: str
    sea: str
    streets: str
    houses: tuple[House, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The map. `title` and `desc` say in words what it shows; `box` is the viewBox.

    A page includes `eltoro/_map.html` with it as `map`: that brings the map with the controls of
    `marks.picks` that have room on it, below it the others (`trays`), who is who, what stands at
    a space one taps (`peeks`), and everything as a table (`lines`). `dice` are where they are
    drawn, by id.
    """

    title: str
    desc: str
    backdrop: Backdrop
    plan: Plan
    plazas: tuple[DrawnPlaza, ...]
    cards: tuple[DrawnCard, ...]
    signs: tuple[DrawnSign, ...]
    dice: tuple[Drawn, ...]
    way: DrawnWay | None
    hits: tuple[Hit, ...]
    trays: tuple[Tray, ...]
    people: tuple[Person, ...]
    peeks: tuple[Peek, ...]
    lines: tuple[Line, ...]
    marks: Marks

    @property
    def box(self) -> str:
        """The viewBox."""
        return f"0 0 {self.plan.width:g} {self.plan.height:.5g}"

    @property
    def runners(self) -> tuple[Drawn, ...]:
        """The runners among the dice."""
        return tuple(die for die in self.dice if die.seat is not None)


def picture(
    town: Town,
    rules: Rules,
    *,
    names: Sequence[str],
    seat: int | None = None,
    marks: Marks = NOTHING,
) -> Picture:
    """The town as who sits at `seat` sees it (None: a watcher); `names` by seat."""
    return _drawn(Sight(town=town, rules=rules, names=names, seat=seat, marks=marks))


def _drawn(sight: Sight) -> Picture:
    companies, plan = settle(sight.town, sight.board, sight.marks, sight.seat)
    dice = drawn_dice(companies, plan, sight.marks)
    spoken = lines(sight, companies)
    on_map = hits(sight, plan, dice)
    return Picture(
        title=title(sight),
        desc=description(spoken),
        backdrop=_backdrop(town_name(sight), sight.board, plan),
        plan=plan,
        plazas=plazas(sight, plan),
        cards=cards(sight, plan),
        signs=drawn_signs(sight, plan),
        dice=dice,
        way=drawn_way(sight, plan),
        hits=on_map,
        trays=trays(sight, dice, on_map),
        people=people(sight),
        peeks=peeks(dice, spoken),
        lines=spoken,
        marks=sight.marks,
    )


@lru_cache(KEPT)
def _backdrop(name: str, board: Board, plan: Plan) -> Backdrop:
    return Backdrop(
        name=name,
        width=f"{plan.width:g}",
        height=f"{plan.height:.5g}",
        shore=f"{plan.shore - BEACH:.5g}",
        shore_height=f"{plan.height - plan.shore + BEACH:.5g}",
        sea=f"{plan.height - SEA - WAVES:.5g}",
        streets="".join(street.d for street in streets(board, plan)),
        houses=houses(board, plan),
    )
