"""Rating pools (sets of results with ratings), recalculated from any point of their history.

A confirmed result is usually the last one of a pool. A correction, a late result or a merge changes
earlier results, so the ratings are recalculated from the first result concerned. All use
`count_from`. A worker recalculates whole pools.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, F, Max, Q, QuerySet

from core.jobs.models import TakenOverError
from leagues.models import League, Place, Pool, Rating, RatingStep, Recount, Result
from leagues.ratings import calculation
from leagues.ratings.calculation import Skill

# Maximum number of results that are recalculated within a request. If there are more, a worker
# recalculates them.
MAX_INLINE_RESULTS = 1000
_BATCH_SIZE = 1000


class HistoryPoint(NamedTuple):
    """A point in the history of results: the time of a match, then the primary key."""

    played_at: dt.datetime
    match: int


def point_of(result: Result) -> HistoryPoint:
    return HistoryPoint(result.played_at, result.match_id)


def pools_of_result(result: Result) -> list[Pool]:
    """Return the pools in which a result counts, that of the league first.

    Pools must be locked in this order.
    """
    if not result.rated:
        return []
    pools = [] if result.league is None else [pool_of_league(result.league)]
    return [*pools, pool_of_site(result.game)] if result.site else pools


def pool_of_league(league: League) -> Pool:
    return Pool.objects.get_or_create(league=league, defaults={"game": league.game})[0]


def pool_of_site(game: str) -> Pool:
    return Pool.objects.get_or_create(league=None, game=game)[0]


def results_of_pool(pool: Pool) -> QuerySet[Result]:
    counted = Result.objects.filter(rated=True).order_by("played_at", "match_id")
    if pool.league_id is not None:
        return counted.filter(league=pool.league_id)
    return counted.filter(site=True, game=pool.game)


def steps_of_pool(pool: Pool) -> QuerySet[RatingStep]:
    if pool.league_id is not None:
        return RatingStep.objects.filter(league=pool.league_id)
    return RatingStep.objects.filter(league=None, result__game=pool.game)


def ratings_of_pool(pool: Pool) -> QuerySet[Rating]:
    return Rating.objects.filter(league=pool.league_id, game=pool.game)


def from_point(point: HistoryPoint | None) -> Q:
    if point is None:
        return Q()
    return Q(played_at__gt=point.played_at) | Q(
        played_at=point.played_at, match_id__gte=point.match
    )


def count_from(
    pool: Pool, point: HistoryPoint | None, *, at: dt.datetime, also: Collection[int] = ()
) -> None:
    """Recalculate a pool from a point of its history on. Call it in a transaction.

    `also` are players whose rating changes were deleted together with a result. If more than
    `MAX_INLINE_RESULTS` results follow, the pool is marked as stale and a worker recalculates it.
    """
    Pool.objects.filter(pk=pool.pk).update(version=F("version") + 1)  # locks the row
    pool.refresh_from_db()
    later = results_of_pool(pool).filter(from_point(point))
    if pool.stale or later.count() > MAX_INLINE_RESULTS:
        request_recount(pool, at=at)
        return
    outcomes = outcomes_of(later)
    gone = steps_of_pool(pool).filter(result__in=later)
    moved = {*also, *gone.values_list("player", flat=True)}
    gone.delete()
    moved |= {player for outcome in outcomes for side in outcome.sides for player in side}
    ladder, taken = calculation.recount_ratings(outcomes, checkpoint=skills(pool, moved))
    store_ratings(pool, ladder, taken, moved)


@transaction.atomic
def request_recount(pool: Pool, *, at: dt.datetime) -> Recount:
    # This update also locks the row of the pool until the transaction ends.
    Pool.objects.filter(pk=pool.pk).update(stale=True)
    waiting = Recount.objects.filter(game=pool.game, league=pool.league_id, ended_at=None).first()
    return waiting or Recount.objects.create(
        game=pool.game, league_id=pool.league_id, asked_at=at, total=results_of_pool(pool).count()
    )


def outcomes_of(chosen: QuerySet[Result]) -> list[calculation.RatedOutcome]:
    """Return these results in the form that the rating calculation needs, in order, with two
    queries.
    """
    order = list(chosen.values_list("pk", flat=True))
    placed: dict[int, dict[int, tuple[list[int], int]]] = {}
    places = Place.objects.filter(result__in=chosen).order_by("result", "seat")
    for result, side, player, place in places.values_list("result", "side", "player", "place"):
        sides = placed.setdefault(result, {})
        sides.setdefault(side, ([], place))[0].append(player)
    return [outcome(result, placed.get(result, {})) for result in order]


def outcome(result: int, sides: dict[int, tuple[list[int], int]]) -> calculation.RatedOutcome:
    return calculation.RatedOutcome(
        match=result,
        sides=tuple(tuple(players) for players, _ in sides.values()),
        places=tuple(place for _, place in sides.values()),
    )


def skills(pool: Pool, players: Collection[int]) -> dict[int, calculation.Skill]:
    last = last_steps(steps_of_pool(pool).filter(player__in=players))
    taken = RatingStep.objects.filter(pk__in=last).values_list("player", "mu", "sigma")
    return {player: calculation.Skill(mu, sigma) for player, mu, sigma in taken}


def last_steps(taken: QuerySet[RatingStep]) -> list[int]:
    """Return the latest rating change of each player.

    The order of primary keys is that of the history.
    """
    last = taken.order_by().values("player").annotate(last=Max("pk"))
    return [step["last"] for step in last]


def store_ratings(
    pool: Pool,
    ladder: calculation.Ladder,
    taken: Sequence[calculation.RatingChange],
    moved: Collection[int],
) -> None:
    RatingStep.objects.bulk_create(
        [
            RatingStep(
                league_id=pool.league_id,
                result_id=step.match,  # type: ignore[misc]  # an outcome bears its result's number
                player_id=step.player,
                mu=step.after.mu,
                sigma=step.after.sigma,
            )
            for step in taken
        ],
        batch_size=_BATCH_SIZE,
    )
    counted = _step_counts(pool, moved)
    ratings_of_pool(pool).filter(player__in=moved).delete()
    Rating.objects.bulk_create(
        [_rating(pool, player, ladder.skill(player), counted[player]) for player in counted],
        batch_size=_BATCH_SIZE,
    )


def _step_counts(pool: Pool, players: Collection[int]) -> dict[int, int]:
    counts = (
        steps_of_pool(pool).filter(player__in=players).values("player").annotate(steps=Count("pk"))
    )
    return dict(counts.order_by("player").values_list("player", "steps"))


def _rating(pool: Pool, player: int, skill: calculation.Skill, matches: int) -> Rating:
    return Rating(
        game=pool.game,
        league_id=pool.league_id,
        player_id=player,
        mu=skill.mu,
        sigma=skill.sigma,
        ordinal=calculation.ordinal(skill),
        matches=matches,
    )


# Number of attempts to recalculate a pool without a lock if its results change during the
# calculation. The last attempt locks the pool.
MAX_TRIES = 3

Clock = Callable[[], dt.datetime]
Progress = Callable[[int], object]


def run_recount(recount_id: int, *, clock: Clock, progress: Progress | None = None) -> bool:
    """Recalculate a pool. Returns False if it is done already or another worker is doing it.

    `progress` is called with the number of results, which is also saved. The calculation does not
    lock the pool, and starts again if results change meanwhile. The last attempt locks the pool, so
    that confirmations have to wait.
    """
    row = Recount.objects.select_related("league").claim(recount_id, at=clock(), done=0)
    if row is None:
        return False
    pool = pool_of_site(row.game) if row.league is None else pool_of_league(row.league)
    try:
        for _ in range(MAX_TRIES):
            if _count(pool, row, clock, progress, lock=False):
                break
        else:
            _count(pool, row, clock, progress, lock=True)
        row.end(at=clock(), error="")
    except TakenOverError:
        return False
    return True


def _count(
    pool: Pool, row: Recount, clock: Clock, progress: Progress | None, *, lock: bool
) -> bool:
    if lock:
        with transaction.atomic():
            Pool.objects.filter(pk=pool.pk).update(version=F("version"))  # takes the lock
            return _store_recount(pool, *_recount_pool(pool, row, clock, progress))
    version = Pool.objects.values_list("version", flat=True).get(pk=pool.pk)
    ladder, taken = _recount_pool(pool, row, clock, progress)
    with transaction.atomic():
        if not Pool.objects.filter(pk=pool.pk, version=version).update(version=F("version") + 1):
            return False
        return _store_recount(pool, ladder, taken)


def _recount_pool(
    pool: Pool, row: Recount, clock: Clock, progress: Progress | None
) -> tuple[calculation.Ladder, list[calculation.RatingChange]]:
    outcomes = outcomes_of(results_of_pool(pool))
    row.beat(at=clock(), total=len(outcomes))

    def save(done: int) -> None:
        if progress:
            progress(done)
        row.beat(at=clock(), done=done)

    return calculation.recount_ratings(outcomes, progress=save)


def _store_recount(
    pool: Pool, ladder: calculation.Ladder, taken: list[calculation.RatingChange]
) -> bool:
    steps_of_pool(pool).delete()
    ratings_of_pool(pool).delete()
    store_ratings(pool, ladder, taken, set(ladder.skills))
    Pool.objects.filter(pk=pool.pk).update(stale=False)
    return True


Steps = dict[tuple[Hashable, int], Skill]


class RatingDifference(NamedTuple):
    """A wrong value of a stored rating: what the value describes, the stored value and the
    correct value.
    """

    what: str
    kept: object
    derived: object

    def __str__(self) -> str:
        return f"{self.what}: stored {self.kept}, calculated {self.derived}"


def rating_differences(pool: Pool) -> list[RatingDifference]:
    ladder, taken = calculation.recount_ratings(outcomes_of(results_of_pool(pool)))
    counts: dict[int, int] = {}
    for step in taken:
        counts[step.player] = counts.get(step.player, 0) + 1
    derived = {player: (skill, counts[player]) for player, skill in ladder.skills.items()}
    kept = {row.player_id: (Skill(row.mu, row.sigma), row.matches) for row in ratings_of_pool(pool)}
    return [*_of_ratings(kept, derived), *_of_steps(pool, taken)]


def _of_ratings(
    kept: dict[int, tuple[Skill, int]], derived: dict[int, tuple[Skill, int]]
) -> list[RatingDifference]:
    return [
        RatingDifference(f"rating of player {player}", kept.get(player), derived.get(player))
        for player in sorted(kept.keys() | derived.keys())
        if kept.get(player) != derived.get(player)
    ]


def _of_steps(pool: Pool, taken: list[calculation.RatingChange]) -> list[RatingDifference]:
    derived: Steps = {(step.match, step.player): step.after for step in taken}
    rows = steps_of_pool(pool).values_list("result", "player", "mu", "sigma")
    kept: Steps = {(result, player): Skill(mu, sigma) for result, player, mu, sigma in rows}
    return [
        RatingDifference(
            f"step of player {key[1]} in result {key[0]}", kept.get(key), derived.get(key)
        )
        for key in sorted(kept.keys() | derived.keys(), key=str)
        if kept.get(key) != derived.get(key)
    ]
