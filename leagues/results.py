"""Results of matches: published on confirmation, withdrawn when the match is disputed or void.

Only this module writes `Result` and `Place`. Standings and ratings are calculated from these models
and never read matches or scoresheets.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Final

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, When

from api.types import JSON
from leagues.calendar_changes import mark_changed
from leagues.emit import emit_result, emit_result_withdrawn, emit_results_imported
from leagues.games import Judgement, games
from leagues.models import (
    Fixture,
    FixtureSeat,
    League,
    Match,
    MatchSeat,
    Place,
    Player,
    Result,
    Sheet,
)
from leagues.parties import HOURS_TO_OBJECT
from leagues.ratings import pools


def publish_result(match: Match, *, at: dt.datetime) -> Result:
    """Publish the result of a confirmed match from its present scoresheet and update ratings.

    An earlier result of the match is replaced. Call it in the transaction of the confirmation.
    Raises `ValueError` if the match is not confirmed or its scoresheet does not end the match.
    """
    if match.state not in Match.COUNTED or match.sheet is None or not match.sheet.places:
        raise ValueError(f"Match {match.pk} has nothing to publish.")
    again = _delete_result(match, at=at)
    people = Player.objects.select_for_update(no_key=True).filter(match_seats__match=match)
    list(people.order_by("pk").values_list("pk"))  # locked, so that none is merged meanwhile
    result = result_of(match)
    result.save()
    placings = Place.objects.bulk_create(places_from_sheet(result, match))
    emit_result(result, placings, at=at, again=again)
    _mark_fixture(match, published=True, at=at)
    touch_league(match.league)
    for pool in pools.pools_of_result(result):
        pools.count_from(pool, pools.point_of(result), at=at)
    if (book := games[match.game].book) is not None:
        book.enter(match.pk, at=at)
    return result


def result_of(match: Match) -> Result:
    return Result(
        match=match,
        sheet=match.sheet,
        league=match.league,
        game=match.game,
        site=counts_for_site(match),
        rated=match.rated and match.origin != Match.Origin.FORFEIT,
        played_at=match.played_at,
    )


def retract_result(match: Match, *, at: dt.datetime) -> None:
    if _delete_result(match, at=at):
        emit_result_withdrawn(match, at=at)


def _delete_result(match: Match, *, at: dt.datetime) -> bool:
    result = Result.objects.filter(match=match).select_related("league").first()
    if result is None:
        return False
    affected = pools.pools_of_result(result)
    point = pools.point_of(result)
    placed = list(result.placings.values_list("player", flat=True))
    result.delete()
    _mark_fixture(match, published=False, at=at)
    touch_league(match.league)
    for pool in affected:
        pools.count_from(pool, point, at=at, also=placed)
    if (book := games[match.game].book) is not None:
        book.match_struck(match.pk, at=at)
    return True


def update_site_results(league: League, *, at: dt.datetime) -> None:
    site = league.visibility == League.Visibility.PUBLIC
    vouched = _vouched(Result.objects.filter(league=league), league.game)
    changed = vouched.exclude(site=site)
    first = changed.order_by("played_at", "match_id").first()
    if first is None:
        return
    pool = pools.pool_of_site(league.game)
    taken = Place.objects.filter(result__in=changed)
    also = list(taken.order_by().values_list("player", flat=True).distinct())
    pools.steps_of_pool(pool).filter(result__in=changed).delete()
    changed.update(site=site)
    pools.count_from(pool, pools.point_of(first), at=at, also=also)


# Filter of results that no user with an account has confirmed: imported results, and results that a
# guest confirmed.
UNVOUCHED = Q(match__origin=Match.Origin.IMPORTED) | Q(
    match__confirmed_by__isnull=False,
    match__confirmed_by__user=None,
    match__confirmed_by__left_at=None,
)
# Filter of seats whose player has or had an account, now or after a merge.
WITH_ACCOUNT = (
    Q(player__user__isnull=False)
    | Q(player__left_at__isnull=False)
    | Q(player__merged_into__user__isnull=False)
    | Q(player__merged_into__left_at__isnull=False)
)
# Minimum number of sides with an account in a match that counts for the ratings of the site.
MIN_SIDES: Final = 2


def _vouched(results: QuerySet[Result], game: str) -> QuerySet[Result]:
    seats = MatchSeat.objects.filter(WITH_ACCOUNT, match=OuterRef("match")).order_by()
    sides = seats.values("match").annotate(sides=Count("side", distinct=True)).values("sides")
    known = results.exclude(UNVOUCHED).filter(match__rules_hash__in=_named_rules(game))
    return known.annotate(sides=Subquery(sides)).filter(sides__gte=MIN_SIDES)


def _named_rules(key: str) -> set[str]:
    """Return the digests of the rules of a game's named profiles, which are the same on the whole
    site.
    """
    game = games[key]
    return {game.digest(game.normalise(profile.options)) for profile in game.profiles}


def touch_league(league: League | None) -> None:
    """Increase the edition of a league, which invalidates its cached pages."""
    if league is not None:
        League.objects.filter(pk=league.pk).update(edition=F("edition") + 1)


def counts_for_site(match: Match) -> bool:
    """Return whether the ratings of the site count a match.

    The match must be of a public league or have been played on the site. Imported results do not
    count, because nobody on the site saw these matches. At least two sides must have accounts, and
    a guest must not have confirmed the result: anybody with a link can be a guest, which is good
    enough for a league whose members know each other, but not for public leaderboards. The rules
    must be a named profile, because with their own rules players could win as often as they like.
    This is decided when the result is confirmed.
    """
    if match.origin == Match.Origin.IMPORTED or match.rules_hash not in _named_rules(match.game):
        return False
    if (
        MatchSeat.objects.filter(WITH_ACCOUNT, match=match).values("side").distinct().count()
        < MIN_SIDES
    ):
        return False
    if match.confirmed_by is not None and match.confirmed_by.is_guest:
        return False
    if match.league is not None:
        return match.league.visibility == League.Visibility.PUBLIC
    return match.origin == Match.Origin.HERE


def places_from_sheet(result: Result, match: Match) -> list[Place]:
    seats = MatchSeat.objects.filter(match=match).select_related("player").order_by("number")
    return build_places(result, list(seats))


def build_places(result: Result, seats: Sequence[MatchSeat]) -> list[Place]:
    """Return unsaved places for these seats, which must be in order and have their players
    loaded.
    """
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
    """Return for each seat the highest score of the other sides, or 0 if there is no other side.

    `points` of partners are the points of their side.
    """
    of_side: dict[int, int] = dict(zip(sides, points, strict=True))
    return [
        max((of_side[other] for other in of_side if other != side), default=0) for side in sides
    ]


def _mark_fixture(match: Match, *, published: bool, at: dt.datetime) -> None:
    if match.fixture_id is None:
        return
    fixture = Fixture.objects.filter(pk=match.fixture_id)
    mark_changed(fixture, at=at)
    if published:
        gone = match.sheet.forfeits if match.sheet else ()
        fixture.update(state=Fixture.State.FORFEITED if gone else Fixture.State.PLAYED)
        seats = FixtureSeat.objects.filter(fixture=match.fixture_id)
        seats.update(forfeits=Case(When(number__in=gone, then=True), default=False))
        return
    fixture.update(state=Fixture.State.OPEN)
    fixture.exclude(deadline=F("round__deadline")).update(state=Fixture.State.POSTPONED)
    FixtureSeat.objects.filter(fixture=match.fixture_id).update(forfeits=False)


def record_played_match(
    *,
    game: str,
    rules: JSON,
    rules_hash: str,
    players: Sequence[Player],
    content: JSON,
    began_at: dt.datetime,
    at: dt.datetime,
    played_at: dt.datetime | None = None,
    league: League | None = None,
    fixture: Fixture | None = None,
    rated: bool = True,
) -> Match:
    """Record the result of a finished live table. The match is final at once.

    `players` are by seat. Call it in the transaction in which the result takes effect. `played_at`
    is the end of the game if that was earlier. The referee judges the scoresheet `content` as
    usual. Raises `ValueError` if the referee objects or the match is not over, because the table
    has then broken the rules. If the fixture already has a confirmed or pending match, this match
    gets no fixture and, unless the league is a ladder, no league. An unfinished draft of the
    fixture is detached.
    """
    judgement = _judge_sheet(game, rules, len(players), content)
    touch_league(league)  # locks the league before its matches
    fixture = _free_fixture(fixture)
    if fixture is None and league is not None and league.format != League.Format.LADDER:
        league = None  # only ladders have matches without a fixture
    match = Match.objects.create(
        league=league,
        fixture=fixture,
        game=game,
        rules=rules,
        rules_hash=rules_hash,
        origin=Match.Origin.HERE,
        state=Match.State.FINAL,
        rated=rated,
        played_at=played_at or at,
        created_at=began_at,
        handed_in_at=at,
        confirmed_at=at,
        key=secrets.token_urlsafe(32),
    )
    seat_players(match, players)
    _attach(match, content, judgement, at)
    publish_result(match, at=at)
    return match


def _judge_sheet(game: str, rules: JSON, seats: int, content: JSON) -> Judgement:
    judgement = games[game].referee.judge(rules=rules, seats=seats, sheet=content)
    if judgement.objections or not judgement.over:
        raise ValueError(f"The table's sheet is rejected: {judgement.objections or 'not over'}")
    return judgement


def _attach(match: Match, content: JSON, judgement: Judgement, at: dt.datetime) -> None:
    match.sheet = Sheet.objects.create(
        match=match,
        number=1,
        content=content,
        points=list(judgement.points),
        places=list(judgement.places),
        evidence=Sheet.Evidence.LOG,
        at=at,
    )
    match.save(update_fields=["sheet"])


def seat_players(match: Match, players: Sequence[Player]) -> None:
    sides = games[match.game].sides(match.rules, len(players))
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=number, player=player, side=sides[number])
        for number, player in enumerate(players)
    )


def detach_draft(fixture: Fixture) -> None:
    gone = (Match.State.DRAFT, Match.State.VOID)
    Match.objects.filter(fixture=fixture, state__in=gone).update(
        fixture=None, state=Match.State.VOID, closed_away=False, version=F("version") + 1
    )


def _free_fixture(fixture: Fixture | None) -> Fixture | None:
    if fixture is None:
        return None
    detach_draft(fixture)
    return None if Match.objects.filter(fixture=fixture).exists() else fixture


_BATCH_SIZE = 500


def publish_results(league: League, matches: Sequence[Match], *, at: dt.datetime) -> None:
    """Publish the results of several matches of one league that have none yet.

    Each match must have its scoresheet set. The effect is that of calling `publish_result` for
    each. Call it in the transaction that creates the matches.
    """
    touch_league(league)
    results = Result.objects.bulk_create(
        [result_of(match) for match in matches], batch_size=_BATCH_SIZE
    )
    Place.objects.bulk_create(_places_of_results(results), batch_size=_BATCH_SIZE)
    fixtures = [match.fixture_id for match in matches if match.fixture_id is not None]
    Fixture.objects.filter(pk__in=fixtures).update(state=Fixture.State.PLAYED)
    mark_changed(Fixture.objects.filter(pk__in=fixtures), at=at)
    _count(league, results, at=at)
    emit_results_imported(league, len(results), at=at)


def _places_of_results(results: Sequence[Result]) -> list[Place]:
    seats: dict[int, list[MatchSeat]] = {}
    rows = MatchSeat.objects.filter(match__result__in=results).select_related("player")
    for seat in rows.order_by("match", "number"):
        seats.setdefault(seat.match_id, []).append(seat)
    return [place for result in results for place in build_places(result, seats[result.match_id])]


def _count(league: League, results: Sequence[Result], *, at: dt.datetime) -> None:
    rated = [result for result in results if result.rated]
    if rated:
        first = min(rated, key=pools.point_of)
        pools.count_from(pools.pool_of_league(league), pools.point_of(first), at=at)
    counted = [result for result in rated if result.site]
    if counted:
        first = min(counted, key=pools.point_of)
        pools.count_from(pools.pool_of_site(league.game), pools.point_of(first), at=at)


def finalise_due(*, at: dt.datetime) -> int:
    """Make confirmed matches final whose time limit for disputes has passed.

    Return their number.
    """
    confirmed = Match.objects.filter(state=Match.State.CONFIRMED)
    limits = confirmed.exclude(league=None).values_list("league__hours_to_object", flat=True)
    windows = [(Q(league=None), HOURS_TO_OBJECT)]
    windows += [(Q(league__hours_to_object=hours), hours) for hours in set(limits.order_by())]
    return sum(
        _finalise(confirmed.filter(condition, confirmed_at__lte=at - dt.timedelta(hours=hours)))
        for condition, hours in windows
    )


def _finalise(due: QuerySet[Match]) -> int:
    keys = dict(due.values_list("pk", "league"))
    if not keys:
        return 0
    still = Match.objects.filter(pk__in=keys, state=Match.State.CONFIRMED)
    done = still.update(state=Match.State.FINAL, version=F("version") + 1)
    League.objects.filter(pk__in={*keys.values()} - {None}).update(edition=F("edition") + 1)
    return done
