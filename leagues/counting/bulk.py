"""Many results at once: rows in a few queries, ratings counted once for all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from leagues.counting import pools
from leagues.counting.heralding import tell_imported
from leagues.counting.results import placed, result_of, touch
from leagues.models import Fixture, League, Match, MatchSeat, Place, Result

_CHUNK = 500


def publish_many(league: League, matches: Sequence[Match], *, at: dt.datetime) -> None:
    """The results of matches of one league that have none yet, each with its sheet set.

    As `publish` would, one by one; to be called in the transaction that writes them.
    """
    touch(league)
    results = Result.objects.bulk_create([result_of(match) for match in matches], batch_size=_CHUNK)
    Place.objects.bulk_create(_places(results), batch_size=_CHUNK)
    fixtures = [match.fixture_id for match in matches if match.fixture_id is not None]
    Fixture.objects.filter(pk__in=fixtures).update(state=Fixture.State.PLAYED)
    _count(league, results, at=at)
    tell_imported(league, len(results), at=at)


def _places(results: Sequence[Result]) -> list[Place]:
    seats: dict[int, list[MatchSeat]] = {}
    rows = MatchSeat.objects.filter(match__result__in=results).select_related("player")
    for seat in rows.order_by("match", "number"):
        seats.setdefault(seat.match_id, []).append(seat)
    return [place for one in results for place in placed(one, seats[one.match_id])]


def _count(league: League, results: Sequence[Result], *, at: dt.datetime) -> None:
    rated = [result for result in results if result.rated]
    if rated:
        first = min(rated, key=pools.point_of)
        pools.count_from(pools.of_league(league), pools.point_of(first), at=at)
    counted = [result for result in rated if result.site]
    if counted:
        first = min(counted, key=pools.point_of)
        pools.count_from(pools.of_site(league.game), pools.point_of(first), at=at)
