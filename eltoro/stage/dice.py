"""The dice of a town on the map: who stands where, in which cell, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from eltoro.engine import Board, Town
from eltoro.stage.layout import NOBODY, TAP_SIZE, Cell, Crowd, Plan, Plaza, lay_out
from eltoro.stage.map_context import Marks, bull_id, runner_id
from leagues.members.marks import mark_of_seat

GATE: Final = -1
"""The space of a 1 that is not yet placed."""
BODY: Final = 22.0
"""Units across a runner as the sprite draws it, with what its cell leaves free around it."""
NEAR_BODY: Final = 36.0
"""Units of its cell that a runner to be tapped fills."""
BULL_BODY: Final = 28.0
BULL_LARGE: Final = 40.0
MAX_HEIGHT_FOR_CONTROLS: Final = 330
"""Units that the dice of a row may be high for the sake of controls on the map."""
MAX_HEIGHT_FOR_TAPS: Final = 240
"""The same for the sake of short cuts: the controls stand elsewhere on the page."""
BULL_OFFSET: Final = 3
"""Units by which a bull stands below the middle of its cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDie:
    """A die as drawn. `seat`: whose runner it is, None for a bull.

    `x`, `y`: its middle, `scale`: how much larger than in the sprite; `classes`: what happens
    with it. `tap`: whether its cell is as large as a fingertip.
    """

    id: str
    seat: int | None
    face: int
    space: int
    x: float
    y: float
    scale: float
    tap: bool
    classes: str = ""

    @property
    def cell_y(self) -> float:
        """The middle of its cell: a bull stands lower for the sake of its horns."""
        return self.y - (BULL_OFFSET if self.seat is None else 0)

    @property
    def has_halo(self) -> bool:
        """Whether it is ringed: it must roll, or is talked about."""
        return "is-again" in self.classes or "is-shown" in self.classes

    @property
    def body(self) -> int:
        """Which of the six marks a runner is, from 1."""
        return mark_of_seat(self.seat or 0) + 1

    @property
    def at(self) -> str:
        """Where and how large it is drawn, as a transform."""
        return f"translate({self.x:.5g} {self.y:.5g}) scale({self.scale:.3g})"


@dataclass(frozen=True, slots=True)
class UnplacedDie:
    """A die before it has a place: id, seat (None: a bull), face."""

    id: str
    seat: int | None
    face: int
    fallen: bool = False


@dataclass(slots=True)
class SpaceDice:
    """What stands at one space: bulls by number, runners by seat and number."""

    bulls: list[UnplacedDie] = field(default_factory=list)
    near: list[UnplacedDie] = field(default_factory=list)
    far: list[UnplacedDie] = field(default_factory=list)

    @property
    def runners(self) -> list[UnplacedDie]:
        """Every runner there, trampled ones too, by seat and number."""
        return sorted([*self.near, *self.far], key=lambda one: one.id)

    @property
    def standing(self) -> list[UnplacedDie]:
        """Every runner there that has not fallen."""
        return [one for one in self.runners if not one.fallen]

    def crowd(self, *, tame: bool) -> Crowd:
        """How many they are, for the layout; `tame`: bulls may be tapped."""
        if not (self.bulls or self.near or self.far):
            return NOBODY
        return Crowd(len(self.bulls), len(self.near), len(self.far), tame and bool(self.bulls))


DiceBySpace = dict[int, SpaceDice]


def dice_by_space(town: Town, board: Board, marks: Marks, near: frozenset[str]) -> DiceBySpace:
    """Who stands at each space of the board and at the gate; `near`: runners to be drawn large."""
    found = {space: SpaceDice() for space in (*range(len(board.spaces)), GATE)}
    for number, bull in enumerate(town.bulls):
        found[bull.space].bulls.append(UnplacedDie(bull_id(number), None, bull.face))
    for space, runner in _runners(town, board, marks):
        kind = found[space].near if runner.id in near and not runner.fallen else found[space].far
        kind.append(runner)
    return found


def _runners(town: Town, board: Board, marks: Marks) -> Iterator[tuple[int, UnplacedDie]]:
    """Space and runner, by seat and number; those that fell just now lie where they fell."""
    fallen = {one.runner: one for one in marks.fallen}
    for seat, dice in enumerate(town.runners):
        for number, die in enumerate(dice):
            identity = runner_id(seat, number)
            if die is not None:
                yield die.space, UnplacedDie(identity, seat, die.face)
            elif identity in fallen:
                lies = fallen[identity]
                yield board.find(lies.space), UnplacedDie(identity, seat, lies.face, fallen=True)


def place_dice(
    town: Town, board: Board, marks: Marks, seat: int | None
) -> tuple[DiceBySpace, Plan]:
    """Who stands where, and the map for it.

    What may be tapped is drawn large, the own runners always, unless a row grew too high by it.
    """
    most = MAX_HEIGHT_FOR_CONTROLS if marks.picks else MAX_HEIGHT_FOR_TAPS
    for near, tame in _sizes(town, marks, seat):
        companies = dice_by_space(town, board, marks, near)
        plan = lay_out(board, crowds(companies, board, tame=tame), _gate(companies))
        if plan.tallest <= most:
            break
    return companies, plan


def _sizes(town: Town, marks: Marks, seat: int | None) -> Sequence[tuple[frozenset[str], bool]]:
    """Which runners might be large, and whether the bulls: from all that is tapped to none."""
    mine, asked = own_runner_ids(town, seat), tappable_ids(marks)
    tame = any(identity.startswith("T") for identity in asked)
    runners = frozenset(identity for identity in asked if not identity.startswith("T"))
    tries = [(mine | runners, tame), (runners, tame), (runners, False), (mine, tame), (mine, False)]
    return [*tries, (frozenset(), False)]


def crowds(companies: DiceBySpace, board: Board, *, tame: bool) -> tuple[Crowd, ...]:
    """How many stand at each space of the board."""
    return tuple(companies[space].crowd(tame=tame) for space in range(len(board.spaces)))


def _gate(companies: DiceBySpace) -> Crowd:
    return companies[GATE].crowd(tame=False)


def tappable_ids(marks: Marks) -> frozenset[str]:
    """Everything that may be tapped."""
    return marks.taps.union(*(picks.ids for picks in marks.picks))


def own_runner_ids(town: Town, seat: int | None) -> frozenset[str]:
    """The runners of a seat."""
    if seat is None:
        return frozenset()
    return frozenset(runner_id(seat, number) for number in range(len(town.runners[seat])))


def draw_dice(companies: DiceBySpace, plan: Plan, marks: Marks) -> tuple[DrawnDie, ...]:
    """Every die where it is drawn, bulls before runners at each space; those with a halo last,
    so that no neighbour lies on it.
    """
    found: list[DrawnDie] = []
    for space, company in companies.items():
        plaza = plan.gate if space == GATE else plan.plazas[space]
        if plaza is not None:
            found += _at(space, company, plaza, marks)
    return tuple(sorted(found, key=lambda die: die.has_halo))


def _at(space: int, company: SpaceDice, plaza: Plaza, marks: Marks) -> Iterator[DrawnDie]:
    kinds: Sequence[tuple[list[UnplacedDie], tuple[Cell, ...]]] = (
        (company.bulls, plaza.bulls),
        (company.near, plaza.near),
        (company.far, plaza.far),
    )
    for ones, cells in kinds:
        for one, cell in zip(ones, cells, strict=True):
            yield _draw_die(one, cell, space, marks)


def _draw_die(one: UnplacedDie, cell: Cell, space: int, marks: Marks) -> DrawnDie:
    is_bull, tap = one.seat is None, cell.width >= TAP_SIZE
    filled = (BULL_LARGE if is_bull else NEAR_BODY) if tap else cell.width
    return DrawnDie(
        id=one.id,
        seat=one.seat,
        face=one.face,
        space=space,
        x=cell.x,
        y=cell.y + (BULL_OFFSET if is_bull else 0),
        scale=filled / (BULL_BODY if is_bull else BODY),
        tap=tap,
        classes=_classes(one, marks, tap=tap),
    )


def _classes(one: UnplacedDie, marks: Marks, *, tap: bool) -> str:
    """What happens with a die, as classes of the style."""
    said = {
        "is-tramp": one.fallen,
        "is-again": one.id in marks.again,
        "is-moved": one.id in marks.moved,
        "is-shown": one.id == marks.shown,
        "is-wanted": not tap and any(one.id in picks.ids for picks in marks.picks),
    }
    return " ".join(name for name, so in said.items() if so)
