"""Ratings of players, calculated from results in the order in which they were played.

The model is Bradley-Terry with full pairing: joint winners rank above third place, and the order of
seats does not matter. A side with several players is rated as a team. These functions do not access
the database. The caller chooses the results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from openskill.models import BradleyTerryPart

START_MU = 25.0
START_SIGMA = 25.0 / 3.0
DISPLAY_START = 1500
DISPLAY_SCALE = 40
# Number of standard deviations on either side that include 95 % of a normal distribution.
INTERVAL = 1.96
# The ends of the axis in rating charts are multiples of this number.
EDGE = 50
# Number of standard deviations subtracted from a rating in rankings, so that a few lucky results do
# not lead to a high rank.
CAUTION = 3
# Number of sides next in rank with which each side is compared. It is higher than the number of
# sides in any match, so that the order of tied sides does not matter.
WINDOW = 64

_MODEL = BradleyTerryPart(mu=START_MU, sigma=START_SIGMA, window_size=WINDOW)


@dataclass(frozen=True, slots=True)
class Skill:
    """Estimated skill of a player: mean `mu` and standard deviation `sigma` (above 0)."""

    mu: float = START_MU
    sigma: float = START_SIGMA


# A rating is provisional if half the width of its 95 % interval is above this number.
PROVISIONAL: Final = 200


@dataclass(frozen=True, slots=True)
class DisplayedRating:
    """A rating for display: an integer, and half the width of its 95 % interval."""

    rating: int
    half_width: int

    @property
    def provisional(self) -> bool:
        return self.half_width > PROVISIONAL

    @property
    def low(self) -> int:
        return self.rating - self.half_width

    @property
    def high(self) -> int:
        return self.rating + self.half_width


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedOutcome:
    """A rated result: the players and the place (from 1) of each side. Tied sides share a place.

    Raises `ValueError` if a player has two seats, a side has no players, or the numbers of sides
    and places differ.
    """

    match: Hashable
    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        seated = [player for side in self.sides for player in side]
        if len(set(seated)) != len(seated) or not all(self.sides):
            raise ValueError(f"In {self.match} a player sits twice, or a side has nobody.")
        if len(self.sides) != len(self.places):
            raise ValueError(f"In {self.match} there is not one place for each side.")


@dataclass(frozen=True, slots=True)
class RatingChange:
    match: Hashable
    player: int
    before: Skill
    after: Skill


@dataclass(slots=True)
class Ladder:
    """Skills of all rated players, updated with every result.

    A `Ladder` built from stored skills gives exactly the same results as the original.
    """

    skills: dict[int, Skill] = field(default_factory=dict)

    def skill(self, player: int) -> Skill:
        return self.skills.get(player, _START)

    def rate(self, outcome: RatedOutcome) -> tuple[RatingChange, ...]:
        if len(outcome.sides) < 2:
            return ()
        after = _rated(outcome, self)
        steps = tuple(
            RatingChange(outcome.match, player, self.skill(player), after[player])
            for side in outcome.sides
            for player in side
        )
        self.skills.update(after)
        return steps

    def ranked(self) -> list[int]:
        return sorted(self.skills, key=lambda player: (-ordinal(self.skills[player]), player))


_START = Skill()


def _rated(outcome: RatedOutcome, ladder: Ladder) -> dict[int, Skill]:
    teams = [
        [_MODEL.rating(mu=skill.mu, sigma=skill.sigma) for skill in map(ladder.skill, side)]
        for side in outcome.sides
    ]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in outcome.places])
    return {
        player: Skill(rating.mu, rating.sigma)
        for side, team in zip(outcome.sides, rated, strict=True)
        for player, rating in zip(side, team, strict=True)
    }


def displayed_rating(mu: float, sigma: float) -> DisplayedRating:
    """Convert a skill to a rating for display: 1500 + 40 x (mu - 25) ± 1.96 x 40 x sigma."""
    rating = DISPLAY_START + DISPLAY_SCALE * (mu - START_MU)
    return DisplayedRating(round(rating), round(INTERVAL * DISPLAY_SCALE * sigma))


def rating_span(ratings: Collection[DisplayedRating]) -> tuple[int, int]:
    """Return the ends of the axis of a rating chart for these ratings.

    Each rating has room for an interval of the usual width. Wider intervals are cut off, so that a
    new player's wide interval does not compress the others.
    """
    middles = [rating.rating for rating in ratings] or [DISPLAY_START]
    widths = sorted(rating.half_width for rating in ratings) or [EDGE]
    usual = widths[len(widths) // 2]
    return (min(middles) - usual) // EDGE * EDGE, -(-(max(middles) + usual) // EDGE) * EDGE


def ordinal(skill: Skill) -> float:
    """Return mu - 3 sigma, a cautious estimate by which players are ranked."""
    return skill.mu - CAUTION * skill.sigma


def rating_steps(
    outcomes: Iterable[RatedOutcome], ladder: Ladder
) -> Iterator[tuple[RatingChange, ...]]:
    for outcome in outcomes:
        yield ladder.rate(outcome)


def recount_ratings(
    outcomes: Iterable[RatedOutcome],
    *,
    checkpoint: Mapping[int, Skill] | None = None,
    progress: Callable[[int], None] | None = None,
    every: int = 100,
) -> tuple[Ladder, list[RatingChange]]:
    """Return the ladder and all rating changes after these results.

    The calculation starts from the beginning or from a checkpoint. `progress` is called with the
    number of results after each `every` results and at the end.
    """
    ladder = Ladder(dict(checkpoint or {}))
    taken: list[RatingChange] = []
    counted = 0
    for counted, some in enumerate(rating_steps(outcomes, ladder), start=1):
        taken += some
        if progress and counted % every == 0:
            progress(counted)
    if progress and (counted % every or not counted):
        progress(counted)
    return ladder, taken
