"""Ratings of players, folded over results in the order in which they were played.

The model is Bradley-Terry with pairing of all sides: it is one in which joint winners come to
stand above third place, and in which the order of the seats decides nothing. A side of several
players is rated as a team. Pure: what is stored, and for which game, is the caller's matter.
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
INTERVAL = 1.96
"""Standard deviations either way that hold 95 % of a normal distribution."""
EDGE = 50
"""The ends of a line on which ratings are drawn are multiples of it."""
CAUTION = 3
"""Standard deviations taken off for the order, so that few lucky results lead nobody up."""
WINDOW = 64
"""Neighbours in rank that a side is compared with: more than there are sides, so that the order
in which level sides happen to stand cannot matter."""

_MODEL = BradleyTerryPart(mu=START_MU, sigma=START_SIGMA, window_size=WINDOW)


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a player: the mean `mu` and how unsure it is, `sigma` (above 0)."""

    mu: float = START_MU
    sigma: float = START_SIGMA


PROVISIONAL: Final = 200
"""Half the width of the interval above which a rating is provisional."""


@dataclass(frozen=True, slots=True)
class DisplayedRating:
    """A rating as the site shows it: a whole number, and half the width of its 95 % interval."""

    rating: int
    half_width: int

    @property
    def provisional(self) -> bool:
        """Whether too little was played for the number to say much."""
        return self.half_width > PROVISIONAL

    @property
    def low(self) -> int:
        """The lower end of the interval."""
        return self.rating - self.half_width

    @property
    def high(self) -> int:
        """The upper end of the interval."""
        return self.rating + self.half_width


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One rated result: the players of each side, and the place of each side, from 1.

    Sides that are level bear the same place. `ValueError` where a player sits twice, a side is
    empty, or sides and places are not equally many.
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
class Step:
    """What one result did to the rating of one player."""

    match: Hashable
    player: int
    before: Skill
    after: Skill


@dataclass(slots=True)
class Ladder:
    """The skills of all who have a rating; it moves with every result it is told of.

    A ladder built from stored skills goes on exactly as the one that was stored.
    """

    skills: dict[int, Skill] = field(default_factory=dict)

    def skill(self, player: int) -> Skill:
        """What is believed of a player now; the start where nothing is known."""
        return self.skills.get(player, _START)

    def rate(self, outcome: Outcome) -> tuple[Step, ...]:
        """Take one result in; the steps of its players, side by side. One side alone: none."""
        if len(outcome.sides) < 2:
            return ()
        after = _rated(outcome, self)
        steps = tuple(
            Step(outcome.match, player, self.skill(player), after[player])
            for side in outcome.sides
            for player in side
        )
        self.skills.update(after)
        return steps

    def ranked(self) -> list[int]:
        """The players, best first, by `ordinal`; level ones by their number."""
        return sorted(self.skills, key=lambda player: (-ordinal(self.skills[player]), player))


_START = Skill()


def _rated(outcome: Outcome, ladder: Ladder) -> dict[int, Skill]:
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
    """A rating as the site shows it: 1500 + 40 x (mu - 25), and 1.96 x 40 x sigma either way."""
    rating = DISPLAY_START + DISPLAY_SCALE * (mu - START_MU)
    return DisplayedRating(round(rating), round(INTERVAL * DISPLAY_SCALE * sigma))


def rating_span(ratings: Collection[DisplayedRating]) -> tuple[int, int]:
    """The ends of the line on which these are drawn.

    An interval of the usual width finds room around each; longer ones are cut off there, so that
    one newcomer does not press all others together.
    """
    middles = [one.rating for one in ratings] or [DISPLAY_START]
    widths = sorted(one.half_width for one in ratings) or [EDGE]
    usual = widths[len(widths) // 2]
    return (min(middles) - usual) // EDGE * EDGE, -(-(max(middles) + usual) // EDGE) * EDGE


def ordinal(skill: Skill) -> float:
    """What players are ordered by: the skill that is all but certain, mu - 3 sigma."""
    return skill.mu - CAUTION * skill.sigma


def rating_steps(outcomes: Iterable[Outcome], ladder: Ladder) -> Iterator[tuple[Step, ...]]:
    """The steps of each result in turn, the ladder moving along; stop anywhere, go on later."""
    for outcome in outcomes:
        yield ladder.rate(outcome)


def recount_ratings(
    outcomes: Iterable[Outcome],
    *,
    checkpoint: Mapping[int, Skill] | None = None,
    progress: Callable[[int], None] | None = None,
    every: int = 100,
) -> tuple[Ladder, list[Step]]:
    """The ladder and all steps after the results, from nothing or from a checkpoint.

    `progress` hears how many results are counted, after each `every` of them and at the end.
    """
    ladder = Ladder(dict(checkpoint or {}))
    taken: list[Step] = []
    counted = 0
    for counted, some in enumerate(rating_steps(outcomes, ladder), start=1):
        taken += some
        if progress and counted % every == 0:
            progress(counted)
    if progress and (counted % every or not counted):
        progress(counted)
    return ladder, taken
