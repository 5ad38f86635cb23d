"""What counts: written when a match is confirmed, gone when it is disputed or void."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from leagues.counting import pools
from leagues.counting.heralding import tell_result, tell_withdrawn
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, MatchSeat, Place, Player, Result


def publish(match: Match, *, at: dt.datetime) -> Result:
    """The result of a match just confirmed, from its present sheet; ratings move at once.

    A result that there was before is replaced. To be called in the transaction that confirms;
    `ValueError` where the match is not confirmed, or has no sheet that ends it.
    """
    if match.state not in Match.COUNTED or match.sheet is None or not match.sheet.places:
        raise ValueError(f"Match {match.pk} has nothing to publish.")
    again = _take_away(match, at=at)
    _hold_people(match)
    result = result_of(match)
    result.save()
    placings = Place.objects.bulk_create(places_of(result, match))
    tell_result(result, placings, at=at, again=again)
    _mark_fixture(match, published=True)
    touch(match.league)
    for pool in pools.of_result(result):
        pools.count_from(pool, pools.point_of(result), at=at)
    if (book := games[match.game].book) is not None:
        book.enter(match.pk, at=at)
    return result


def result_of(match: Match) -> Result:
    """The result that a match with a sheet brings, not yet written."""
    return Result(
        match=match,
        sheet=match.sheet,
        league=match.league,
        game=match.game,
        site=counts_for_site(match),
        rated=match.rated and match.origin != Match.Origin.FORFEIT,
        played_at=match.played_at,
    )


def _hold_people(match: Match) -> None:
    """Nobody who sat there is merged into another before this is over."""
    people = Player.objects.select_for_update(no_key=True).filter(match_seats__match=match)
    list(people.order_by("pk").values_list("pk"))


def retract(match: Match, *, at: dt.datetime) -> None:
    """Take the result of a match away, where it has one; what followed it is counted anew."""
    if _take_away(match, at=at):
        tell_withdrawn(match, at=at)


def _take_away(match: Match, *, at: dt.datetime) -> bool:
    """Take the result of a match away; whether it had one."""
    result = Result.objects.filter(match=match).select_related("league").first()
    if result is None:
        return False
    affected = pools.of_result(result)
    point = pools.point_of(result)
    placed = list(result.placings.values_list("player", flat=True))
    result.delete()
    _mark_fixture(match, published=False)
    touch(match.league)
    for pool in affected:
        pools.count_from(pool, point, at=at, also=placed)
    if (book := games[match.game].book) is not None:
        book.strike(match.pk, at=at)
    return True


def retitle_site(league: League, *, at: dt.datetime) -> None:
    """Count the results of a league for the site, or no more, as its visibility now says."""
    site = league.visibility == League.Visibility.PUBLIC
    seen = _vouched(Result.objects.filter(league=league), league.game)
    changed = seen.exclude(site=site)
    first = changed.order_by("played_at", "match_id").first()
    if first is None:
        return
    pool = pools.of_site(league.game)
    taken = Place.objects.filter(result__in=changed)
    also = list(taken.order_by().values_list("player", flat=True).distinct())
    pools.steps(pool).filter(result__in=changed).delete()
    changed.update(site=site)
    pools.count_from(pool, pools.point_of(first), at=at, also=also)


UNSEEN = Q(match__origin=Match.Origin.IMPORTED) | Q(
    match__confirmed_by__isnull=False,
    match__confirmed_by__user=None,
    match__confirmed_by__left_at=None,
)
"""Results whose truth nobody with an account has vouched for."""
WITH_ACCOUNT = (
    Q(player__user__isnull=False)
    | Q(player__left_at__isnull=False)
    | Q(player__merged_into__user__isnull=False)
    | Q(player__merged_into__left_at__isnull=False)
)
"""Seats of people with an account, deleted since or not, also where they sat down as the guest
they were before.
"""
SIDES: Final = 2
"""Sides with an account that the site's own rating compares at least."""


def _vouched(results: QuerySet[Result], game: str) -> QuerySet[Result]:
    """Those of these results that the site may count, if the league is public."""
    seats = MatchSeat.objects.filter(WITH_ACCOUNT, match=OuterRef("match")).order_by()
    sides = seats.values("match").annotate(sides=Count("side", distinct=True)).values("sides")
    known = results.exclude(UNSEEN).filter(match__rules_hash__in=_named_rules(game))
    return known.annotate(sides=Subquery(sides)).filter(sides__gte=SIDES)


def _named_rules(key: str) -> set[str]:
    """The digests of the game's own profiles: rules that everybody on the site plays by."""
    game = games[key]
    return {game.digest(game.normalise(profile.options)) for profile in game.profiles}


def touch(league: League | None) -> None:
    """What the pages of a league show has changed: caches keep the old ones no longer."""
    if league is not None:
        League.objects.filter(pk=league.pk).update(edition=F("edition") + 1)


def counts_for_site(match: Match) -> bool:
    """Whether the site's own rating counts it: a public league's, or one refereed here.

    What came from a file was seen by nobody on the site. A guest is whoever holds the link:
    their word settles a league's table, where people know each other, and no leaderboard. So it
    compares people with accounts, two sides at least, by rules that have a name: by a table's own
    anybody could win as often as they like. Decided whenever the match is confirmed.
    """
    if match.origin == Match.Origin.IMPORTED or match.rules_hash not in _named_rules(match.game):
        return False
    if (
        MatchSeat.objects.filter(WITH_ACCOUNT, match=match).values("side").distinct().count()
        < SIDES
    ):
        return False
    if match.confirmed_by is not None and match.confirmed_by.is_guest:
        return False
    if match.league is not None:
        return match.league.visibility == League.Visibility.PUBLIC
    return match.origin == Match.Origin.HERE


def places_of(result: Result, match: Match) -> list[Place]:
    """The rows of a result, from the sheet that it names; nothing is written."""
    seats = MatchSeat.objects.filter(match=match).select_related("player").order_by("number")
    return placed(result, list(seats))


def placed(result: Result, seats: Sequence[MatchSeat]) -> list[Place]:
    """The places of these seats, which come in their order with their players."""
    points, places = result.sheet.points, result.sheet.places
    against = points_against([seat.side for seat in seats], points)
    return [
        Place(
            result=result,
            player_id=seat.player.person_id,
            seat=seat.number,
            side=seat.side,
            place=places[seat.number],
            points=points[seat.number],
            against=against[seat.number],
        )
        for seat in seats
    ]


def points_against(sides: Sequence[int], points: Sequence[int]) -> list[int]:
    """By seat, the best score of the other sides, 0 where there are none; partners bear their
    side's points each.
    """
    of_side: dict[int, int] = dict(zip(sides, points, strict=True))
    return [
        max((of_side[other] for other in of_side if other != side), default=0) for side in sides
    ]


def _mark_fixture(match: Match, *, published: bool) -> None:
    if match.fixture_id is None:
        return
    fixture = Fixture.objects.filter(pk=match.fixture_id)
    if published:
        forfeited = match.origin == Match.Origin.FORFEIT
        fixture.update(state=Fixture.State.FORFEITED if forfeited else Fixture.State.PLAYED)
        return
    fixture.update(state=Fixture.State.OPEN)
    fixture.exclude(deadline=F("round__deadline")).update(state=Fixture.State.POSTPONED)
    FixtureSeat.objects.filter(fixture=match.fixture_id).update(forfeits=False)
