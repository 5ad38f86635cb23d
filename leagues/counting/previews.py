"""What a change of the history would bring, worked out in memory: nothing is written.

A change maps the places of results to other places: of one match (a correction) or of one
player in all (a merge). The same folds as in earnest, so the preview is what comes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from leagues import ratings
from leagues.counting import pools
from leagues.counting.standing import Basis
from leagues.models import League, Player, Pool, RatingStep, Result
from leagues.queries.people import persons
from leagues.ratings import Outcome, Shown, Skill
from leagues.standings import Row


@dataclass(frozen=True, kw_only=True)
class StandingChange:
    """A line of the standings that moves: place, score or figures; None where it is not there."""

    player: Player
    before: Row | None
    after: Row | None


@dataclass(frozen=True, kw_only=True)
class RatingChange:
    """A rating before and after; `league` None for the site's. None: there is none."""

    player: Player
    league: League | None
    before: Shown | None
    after: Shown | None


@dataclass(frozen=True, kw_only=True)
class Repairing:
    """A match of a later round: whom the draw brought together, and whom it would bring now.

    `players` by seat; `instead` is empty where the pairing would not come at all. `played`:
    whether it has begun, so that nothing is drawn anew.
    """

    round: int
    players: tuple[Player, ...]
    instead: tuple[Player, ...]
    played: bool


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """What moves if somebody says yes.

    `steady`: the ratings of those who sat at the match that stay as they are. `waits`: the match
    would wait for a second player, and count for nothing until then.
    """

    standings: tuple[StandingChange, ...] = ()
    ratings: tuple[RatingChange, ...] = ()
    steady: tuple[RatingChange, ...] = ()
    pairings: tuple[Repairing, ...] = ()
    waits: bool = False

    @property
    def rated(self) -> tuple[RatingChange, ...]:
        """All ratings that are told, those that move first."""
        return (*self.ratings, *self.steady)

    @property
    def empty(self) -> bool:
        """Whether nothing moves at all."""
        return not (self.standings or self.ratings or self.pairings)


def standing_changes(before: Basis, after: Basis) -> tuple[StandingChange, ...]:
    """The lines that differ between two standings, in the order of the later one."""
    old = {row.player: row for row in before.rows()}
    new = {row.player: row for row in after.rows()}
    moved = [player for player in {**new, **old} if old.get(player) != new.get(player)]
    names = persons(moved)
    return tuple(
        StandingChange(player=names[player], before=old.get(player), after=new.get(player))
        for player in moved
    )


Change = Callable[[Outcome], Outcome | None]
"""What becomes of a result in the changed history; None: it counts no more."""


def rating_changes(
    pool: Pool,
    point: pools.Point,
    change: Change,
    added: Iterable[Outcome] = (),
    *,
    also: Collection[int] = (),
) -> tuple[RatingChange, ...]:
    """The ratings of a pool that would move, were its history changed from a point on.

    `added` come first: results that do not count yet, at that very point. `also` are players whose
    ratings are told even if they stay.
    """
    later = pools.results(pool).filter(pools.from_point(point))
    outcomes = pools.outcomes_of(later)
    changed = [*added, *(new for old in outcomes if (new := change(old)) is not None)]
    players = {player for one in [*outcomes, *changed] for side in one.sides for player in side}
    start = skills_before(pool, point, players)
    then, _ = ratings.recount(changed, checkpoint=start)
    now = {rating.player_id: (rating.mu, rating.sigma) for rating in pools.rows(pool)}
    return _differences(pool, players, now, then.skills, also)


def skills_before(pool: Pool, point: pools.Point, players: Iterable[int]) -> dict[int, Skill]:
    """What was believed of players before a point of the history."""
    earlier = Result.objects.exclude(pools.from_point(point))
    keys = pools.last_steps(pools.steps(pool).filter(result__in=earlier, player__in=players))
    taken = RatingStep.objects.filter(pk__in=keys).values_list("player", "mu", "sigma")
    return {player: Skill(mu, sigma) for player, mu, sigma in taken}


def _differences(
    pool: Pool,
    players: Iterable[int],
    now: Mapping[int, tuple[float, float]],
    then: Mapping[int, Skill],
    also: Collection[int],
) -> tuple[RatingChange, ...]:
    before = {player: ratings.shown(*now[player]) for player in players if player in now}
    after = {player: ratings.shown(skill.mu, skill.sigma) for player, skill in then.items()}
    told = sorted(
        player for player in players if player in also or before.get(player) != after.get(player)
    )
    names = persons(told)
    return tuple(
        RatingChange(
            player=names[player],
            league=pool.league,
            before=before.get(player),
            after=after.get(player),
        )
        for player in told
    )
