"""The career of a promoter: his reputation, in tenths, and the steps of plazas that it opens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from corridas.world.box_office import tables
from corridas.world.box_office.rounding import limited, rounded


class Step(IntEnum):
    """A step of plazas, the lowest first. `FIRST` is the first category without the great ones."""

    THIRD = 1
    SECOND = 2
    FIRST = 3
    GREAT = 4
    GREATEST = 5

    @property
    def reputation(self) -> int:
        """The reputation in tenths from which plazas of this step are offered."""
        return REPUTATION_OF_STEP[self]


REPUTATION_OF_STEP = {
    Step.THIRD: 0,
    Step.SECOND: 300,
    Step.FIRST: 500,
    Step.GREAT: 650,
    Step.GREATEST: 800,
}


@dataclass(frozen=True, slots=True)
class OfferedPlaza:
    """A plaza of a season's calendar: its slug, category (1 to 3), seats and afternoons."""

    slug: str
    category: int
    seats: int
    afternoons: int

    @property
    def season_seats(self) -> int:
        return self.seats * self.afternoons


def reputation_after(
    reputation: int,
    mark: int,
    *,
    bankrupt: bool = False,
    dismissed: bool = False,
    left: bool = False,
) -> int:
    """Return the reputation after a season.

    `mark` is in tenths. `left` says that the promoter leaves before the end of a term.
    """
    moved = reputation + rounded(tables.REPUTATION_GAIN * (mark - tables.USUAL_MARK), 10)
    moved += tables.AFTER_BANKRUPTCY * bankrupt
    moved += tables.AFTER_DISMISSAL * dismissed
    moved += tables.AFTER_LEAVING * left
    return limited(moved, 0, tables.MOST_REPUTATION)


def step_reached(reputation: int, *, bankrupt: bool = False) -> Step:
    """Return the highest step that a reputation opens. A bankrupt promoter begins again."""
    if bankrupt:
        return Step.THIRD
    return max(step for step in Step if reputation >= step.reputation)


def steps(plazas: Iterable[OfferedPlaza]) -> dict[str, Step]:
    """Return the step of every plaza of a circuit, by slug.

    The great plazas of the first category are those with most seats a season; of equal ones the
    first by slug.
    """
    ordered = sorted(plazas, key=lambda plaza: (-plaza.season_seats, plaza.slug))
    first = [plaza.slug for plaza in ordered if plaza.category == 1]
    found = {plaza.slug: Step(4 - plaza.category) for plaza in ordered}
    found |= dict.fromkeys(first[: tables.GREAT_PLAZAS], Step.GREAT)
    return found | dict.fromkeys(first[:1], Step.GREATEST)
