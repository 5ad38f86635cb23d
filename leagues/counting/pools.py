"""Ratings of a pool: a fold over its results, carried on from any point of its history.

A confirmation adds the last result and counts from there; a correction, a late hand-in or a
merge counts from the first result concerned. Both are `count_from`, so they cannot differ.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db.models import Count, F, Max, Q, QuerySet

from leagues import ratings
from leagues.models import League, Place, Pool, Rating, RatingStep, Recount, Result

INLINE = 1000
"""How many results are counted while somebody waits; more are left to a worker."""
_CHUNK = 1000


class Point(NamedTuple):
    """A place in the history of results: when the match was played, then its number."""

    played_at: dt.datetime
    match: int


def point_of(result: Result) -> Point:
    """Where a result stands in the history."""
    return Point(result.played_at, result.match_id)


def of_result(result: Result) -> list[Pool]:
    """The pools that count a result, the league's first: the order in which they are locked."""
    if not result.rated:
        return []
    found = [] if result.league is None else [of_league(result.league)]
    return [*found, of_site(result.game)] if result.site else found


def of_league(league: League) -> Pool:
    """The pool of a league, made when first asked for."""
    return Pool.objects.get_or_create(league=league, defaults={"game": league.game})[0]


def of_site(game: str) -> Pool:
    """The site's own pool of a game, made when first asked for."""
    return Pool.objects.get_or_create(league=None, game=game)[0]


def results(pool: Pool) -> QuerySet[Result]:
    """The results that a pool counts, in their order."""
    counted = Result.objects.filter(rated=True).order_by("played_at", "match_id")
    if pool.league_id is not None:
        return counted.filter(league=pool.league_id)
    return counted.filter(site=True, game=pool.game)


def steps(pool: Pool) -> QuerySet[RatingStep]:
    """The steps that a pool's ratings took."""
    if pool.league_id is not None:
        return RatingStep.objects.filter(league=pool.league_id)
    return RatingStep.objects.filter(league=None, result__game=pool.game)


def rows(pool: Pool) -> QuerySet[Rating]:
    """The ratings of a pool."""
    return Rating.objects.filter(league=pool.league_id, game=pool.game)


def from_point(point: Point | None) -> Q:
    """The results from a point on, that one included; all where it is None."""
    if point is None:
        return Q()
    return Q(played_at__gt=point.played_at) | Q(
        played_at=point.played_at, match_id__gte=point.match
    )


def count_from(
    pool: Pool, point: Point | None, *, at: dt.datetime, also: Collection[int] = ()
) -> None:
    """Count a pool anew from a point of its history on; to be called in a transaction.

    `also` are players whose steps are gone with a result that was deleted. Where more than
    `INLINE` results follow, a worker is left to do it: the pool is stale.
    """
    Pool.objects.filter(pk=pool.pk).update(version=F("version") + 1)  # takes the lock
    pool.refresh_from_db()
    later = results(pool).filter(from_point(point))
    if pool.stale or later.count() > INLINE:
        ask_recount(pool, at=at)
        return
    outcomes = outcomes_of(later)
    gone = steps(pool).filter(result__in=later)
    moved = {*also, *gone.values_list("player", flat=True)}
    gone.delete()
    moved |= {player for outcome in outcomes for side in outcome.sides for player in side}
    ladder, taken = ratings.recount(outcomes, checkpoint=skills(pool, moved))
    store(pool, ladder, taken, moved)


def ask_recount(pool: Pool, *, at: dt.datetime) -> Recount:
    """Leave the pool to a worker: marked stale, with a recount that says how far it is."""
    Pool.objects.filter(pk=pool.pk).update(stale=True)
    waiting = Recount.objects.filter(game=pool.game, league=pool.league_id, ended_at=None).first()
    return waiting or Recount.objects.create(
        game=pool.game, league_id=pool.league_id, asked_at=at, total=results(pool).count()
    )


def outcomes_of(chosen: QuerySet[Result]) -> list[ratings.Outcome]:
    """What the ratings are told of these results, in the order of the query; two queries."""
    order = list(chosen.values_list("pk", flat=True))
    placed: dict[int, dict[int, tuple[list[int], int]]] = {}
    places = Place.objects.filter(result__in=chosen).order_by("result", "seat")
    for result, side, player, place in places.values_list("result", "side", "player", "place"):
        sides = placed.setdefault(result, {})
        sides.setdefault(side, ([], place))[0].append(player)
    return [outcome(result, placed.get(result, {})) for result in order]


def outcome(result: int, sides: dict[int, tuple[list[int], int]]) -> ratings.Outcome:
    """One result as the ratings read it."""
    return ratings.Outcome(
        match=result,
        sides=tuple(tuple(players) for players, _ in sides.values()),
        places=tuple(place for _, place in sides.values()),
    )


def skills(pool: Pool, players: Collection[int]) -> dict[int, ratings.Skill]:
    """What is believed of these players after the last step that each has taken."""
    last = last_steps(steps(pool).filter(player__in=players))
    taken = RatingStep.objects.filter(pk__in=last).values_list("player", "mu", "sigma")
    return {player: ratings.Skill(mu, sigma) for player, mu, sigma in taken}


def last_steps(taken: QuerySet[RatingStep]) -> list[int]:
    """The last step of each player among these: steps are numbered as history goes."""
    last = taken.order_by().values("player").annotate(last=Max("pk"))
    return [step["last"] for step in last]


def store(
    pool: Pool, ladder: ratings.Ladder, taken: Sequence[ratings.Step], moved: Collection[int]
) -> None:
    """Write the steps taken and the ratings of those whom they moved."""
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
        batch_size=_CHUNK,
    )
    counted = _step_counts(pool, moved)
    rows(pool).filter(player__in=moved).delete()
    Rating.objects.bulk_create(
        [_rating(pool, player, ladder.skill(player), counted[player]) for player in counted],
        batch_size=_CHUNK,
    )


def _step_counts(pool: Pool, players: Collection[int]) -> dict[int, int]:
    counts = steps(pool).filter(player__in=players).values("player").annotate(steps=Count("pk"))
    return dict(counts.order_by("player").values_list("player", "steps"))


def _rating(pool: Pool, player: int, skill: ratings.Skill, matches: int) -> Rating:
    return Rating(
        game=pool.game,
        league_id=pool.league_id,
        player_id=player,
        mu=skill.mu,
        sigma=skill.sigma,
        ordinal=ratings.ordinal(skill),
        matches=matches,
    )
