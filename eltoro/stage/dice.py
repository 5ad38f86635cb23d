"""The dice on the map of El Toro: their spaces, positions and CSS classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from eltoro.engine import Board, Town
from eltoro.stage.layout import NOBODY, TAP_SIZE, Crowd, DieCell, MapLayout, Plaza, lay_out
from eltoro.stage.map_context import MapMarks, bull_id, runner_id
from leagues.members.marks import mark_of_seat

# Index used as the space of a runner that shows 1 and is not yet placed.
GATE: Final = -1
# Width of a runner in the SVG sprite, including the margin of its cell, in drawing units.
BODY: Final = 22.0
# Width of a runner that can be tapped, in drawing units. Its cell is larger.
NEAR_BODY: Final = 36.0
BULL_BODY: Final = 28.0
BULL_LARGE: Final = 40.0
# Maximum height of a row's dice in drawing units if form controls are on the map.
MAX_HEIGHT_FOR_CONTROLS: Final = 330
# Maximum height of a row's dice in drawing units if the controls are elsewhere on the page.
MAX_HEIGHT_FOR_TAPS: Final = 240
# Drawing units by which a bull is below the centre of its cell.
BULL_OFFSET: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDie:
    """A drawn die.

    `seat`: its player, None for a bull. `x`, `y`: its centre. `scale`: relative to the SVG sprite.
    `classes`: CSS classes of its state. `tap`: True if its cell is large enough to be tapped.
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
        """The centre of the die's cell. A bull is drawn lower, which makes room for its horns."""
        return self.y - (BULL_OFFSET if self.seat is None else 0)

    @property
    def has_halo(self) -> bool:
        return "is-again" in self.classes or "is-shown" in self.classes

    @property
    def body(self) -> int:
        return mark_of_seat(self.seat or 0) + 1

    @property
    def at(self) -> str:
        return f"translate({self.x:.5g} {self.y:.5g}) scale({self.scale:.3g})"


@dataclass(frozen=True, slots=True)
class UnplacedDie:
    """A die that has no position yet.

    `seat`: its player, None for a bull. `fallen`: True for a runner just trampled.
    """

    id: str
    seat: int | None
    face: int
    fallen: bool = False


@dataclass(slots=True)
class SpaceDice:
    """The dice on one space.

    `bulls`: by number. `near`: runners to be drawn large. `far`: other runners. Both are by seat
    and number.
    """

    bulls: list[UnplacedDie] = field(default_factory=list)
    near: list[UnplacedDie] = field(default_factory=list)
    far: list[UnplacedDie] = field(default_factory=list)

    @property
    def runners(self) -> list[UnplacedDie]:
        """All runners on the space by seat and number, including those just trampled."""
        return sorted([*self.near, *self.far], key=lambda die: die.id)

    @property
    def standing(self) -> list[UnplacedDie]:
        return [runner for runner in self.runners if not runner.fallen]

    def crowd(self, *, tame: bool) -> Crowd:
        """Return how many dice of each size are on the space, from which the layout of the map is
        calculated.

        `tame`: True if bulls can be tapped.
        """
        if not (self.bulls or self.near or self.far):
            return NOBODY
        return Crowd(len(self.bulls), len(self.near), len(self.far), tame and bool(self.bulls))


DiceBySpace = dict[int, SpaceDice]


def dice_by_space(town: Town, board: Board, marks: MapMarks, near: frozenset[str]) -> DiceBySpace:
    """Return the dice on each space, and the unplaced dice.

    `near`: ids of runners to be drawn large.
    """
    spaces = {space: SpaceDice() for space in (*range(len(board.spaces)), GATE)}
    for number, bull in enumerate(town.bulls):
        spaces[bull.space].bulls.append(UnplacedDie(bull_id(number), None, bull.face))
    for space, runner in _runners(town, board, marks):
        kind = spaces[space].near if runner.id in near and not runner.fallen else spaces[space].far
        kind.append(runner)
    return spaces


def _runners(town: Town, board: Board, marks: MapMarks) -> Iterator[tuple[int, UnplacedDie]]:
    """Yield each runner with its space, by seat and number.

    Runners just trampled are still on the space where it happened.
    """
    fallen = {runner.runner: runner for runner in marks.fallen}
    for seat, dice in enumerate(town.runners):
        for number, die in enumerate(dice):
            identity = runner_id(seat, number)
            if die is not None:
                yield die.space, UnplacedDie(identity, seat, die.face)
            elif identity in fallen:
                lies = fallen[identity]
                yield (
                    board.find_space(lies.space),
                    UnplacedDie(identity, seat, lies.face, fallen=True),
                )


def place_dice(
    town: Town, board: Board, marks: MapMarks, seat: int | None
) -> tuple[DiceBySpace, MapLayout]:
    """Return the dice on each space and the layout of the map.

    Dice that can be tapped and the viewer's own runners are drawn large, unless a row would be too
    high.
    """
    most = MAX_HEIGHT_FOR_CONTROLS if marks.picks else MAX_HEIGHT_FOR_TAPS
    for near, tame in _sizes(town, marks, seat):
        companies = dice_by_space(town, board, marks, near)
        gate = companies[GATE].crowd(tame=False)
        plan = lay_out(board, crowds(companies, board, tame=tame), gate)
        if plan.tallest <= most:
            break
    return companies, plan


def _sizes(town: Town, marks: MapMarks, seat: int | None) -> Sequence[tuple[frozenset[str], bool]]:
    """Return possible choices of the dice to be drawn large, beginning with the largest choice.

    Each choice consists of runners, and of a boolean: True if bulls are drawn large.
    """
    mine, tappable = own_runner_ids(town, seat), tappable_ids(marks)
    tame = any(identity.startswith("T") for identity in tappable)
    runners = frozenset(identity for identity in tappable if not identity.startswith("T"))
    tries = [(mine | runners, tame), (runners, tame), (runners, False), (mine, tame), (mine, False)]
    return [*tries, (frozenset(), False)]


def crowds(companies: DiceBySpace, board: Board, *, tame: bool) -> tuple[Crowd, ...]:
    return tuple(companies[space].crowd(tame=tame) for space in range(len(board.spaces)))


def tappable_ids(marks: MapMarks) -> frozenset[str]:
    return marks.taps.union(*(picks.ids for picks in marks.picks))


def own_runner_ids(town: Town, seat: int | None) -> frozenset[str]:
    if seat is None:
        return frozenset()
    return frozenset(runner_id(seat, number) for number in range(len(town.runners[seat])))


def draw_dice(companies: DiceBySpace, plan: MapLayout, marks: MapMarks) -> tuple[DrawnDie, ...]:
    """Return the drawn dice, on each space first the bulls and then the runners.

    Highlighted dice come last, so that their halo is not covered by neighbours.
    """
    dice: list[DrawnDie] = []
    for space, company in companies.items():
        plaza = plan.gate if space == GATE else plan.plazas[space]
        if plaza is not None:
            dice += _dice_in_plaza(space, company, plaza, marks)
    return tuple(sorted(dice, key=lambda die: die.has_halo))


def _dice_in_plaza(
    space: int, company: SpaceDice, plaza: Plaza, marks: MapMarks
) -> Iterator[DrawnDie]:
    kinds: Sequence[tuple[list[UnplacedDie], tuple[DieCell, ...]]] = (
        (company.bulls, plaza.bulls),
        (company.near, plaza.near),
        (company.far, plaza.far),
    )
    for dice, cells in kinds:
        for die, cell in zip(dice, cells, strict=True):
            yield _draw_die(die, cell, space, marks)


def _draw_die(unplaced_die: UnplacedDie, cell: DieCell, space: int, marks: MapMarks) -> DrawnDie:
    is_bull, tap = unplaced_die.seat is None, cell.width >= TAP_SIZE
    filled = (BULL_LARGE if is_bull else NEAR_BODY) if tap else cell.width
    return DrawnDie(
        id=unplaced_die.id,
        seat=unplaced_die.seat,
        face=unplaced_die.face,
        space=space,
        x=cell.x,
        y=cell.y + (BULL_OFFSET if is_bull else 0),
        scale=filled / (BULL_BODY if is_bull else BODY),
        tap=tap,
        classes=_classes(unplaced_die, marks, tap=tap),
    )


def _classes(unplaced_die: UnplacedDie, marks: MapMarks, *, tap: bool) -> str:
    states = {
        "is-tramp": unplaced_die.fallen,
        "is-again": unplaced_die.id in marks.again,
        "is-moved": unplaced_die.id in marks.moved,
        "is-shown": unplaced_die.id == marks.highlighted,
        "is-wanted": not tap and any(unplaced_die.id in picks.ids for picks in marks.picks),
    }
    return " ".join(name for name, holds in states.items() if holds)
