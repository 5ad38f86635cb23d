"""Benchmark of a league with 200 players and 5,000 matches: ratings and standings page.

It also measures the draw of the sixth round in a Swiss league of 220 players.
"""

import datetime as dt
import secrets
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from fairness import Chance, Seed
from leagues.fixtures.operations import draw_next_swiss, preview_swiss
from leagues.games import games
from leagues.league.operations import LeagueSettings, create_league
from leagues.models import Fixture, League, Match, MatchSeat, Member, Player, Pool, Recount, Sheet
from leagues.players import player_of_user
from leagues.ratings import pools
from leagues.ratings.pools import rating_differences
from leagues.results import publish_results
from leagues.standings.queries import standings_basis
from tools.bench.figures import Figure
from tools.bench.page_cost import against_trivial, uncached
from tools.bench.scratch_site import ScratchSite, close_database, use_empty_database
from tools.bench.timing import Spent, in_pages, in_turns, least, ratio, spent, timed
from tools.bench.web_server import web_server

PLAYERS = 200
MATCHES = 5_000
ROUNDS = 12
TRIES = 3
SWISS_PLAYERS = 220
SWISS_ROUNDS = 5
SEED = Seed(bytes(range(32)))


def measure(site: ScratchSite) -> Iterator[Figure]:
    path = site.folder / "league.sqlite3"
    use_empty_database(path)
    league = _filled(SEED.chance("bench/league"))
    yield _recount()
    yield from _draw()
    address = f"/leagues/{league.slug}/"
    yield _explanation(league, address)
    close_database()
    with web_server(path) as server:
        yield from against_trivial({"league_warm": address}, 0.8, server)


def _league(name: str, *, plays: bool = True, **settings: Any) -> tuple[League, Player]:
    at, game = timezone.now(), games.all_games()[0]
    organiser = player_of_user(User.objects.create(username=name), at=at)
    chosen = LeagueSettings(name=name, game=game.key, profile=game.profiles[0].key, **settings)
    league = create_league(settings=chosen, by=organiser, at=at, plays=plays)
    return league, organiser


def _filled(chance: Chance) -> League:
    league, organiser = _league("Bench", visibility="public")
    people = [organiser, *_people(league, PLAYERS - 1)]
    pairs = [sorted(islice(chance.shuffled(range(len(people))), 2)) for _ in range(MATCHES)]
    _publish(league, [[people[who] for who in pair] for pair in pairs], chance)
    return league


def _people(league: League, count: int) -> list[Player]:
    at = timezone.now()
    people = Player.objects.bulk_create(
        Player(name=f"Player {number}", slug=f"{league.slug}-{number}", created_at=at)
        for number in range(1, count + 1)
    )
    members = (Member(league=league, player=player, joined_at=at) for player in people)
    Member.objects.bulk_create(members)
    return people


def _publish(
    league: League,
    pairs: Sequence[Sequence[Player]],
    chance: Chance,
    fixtures: Sequence[Fixture | None] = (),
) -> None:
    at = timezone.now()
    matches = Match.objects.bulk_create(
        Match(
            league=league,
            fixture=fixtures[number] if fixtures else None,
            game=league.game,
            rules=league.rules,
            rules_hash=league.rules_hash,
            state=Match.State.CONFIRMED,
            played_at=at - dt.timedelta(hours=len(pairs) - number),
            created_at=at,
            confirmed_at=at,
            key=secrets.token_urlsafe(32),
        )
        for number in range(len(pairs))
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, number=seat, player=player, side=seat)
        for match, pair in zip(matches, pairs, strict=True)
        for seat, player in enumerate(pair)
    )
    sheets = Sheet.objects.bulk_create(_sheet(match, chance, at) for match in matches)
    for match, sheet in zip(matches, sheets, strict=True):
        match.sheet = sheet
    Match.objects.bulk_update(matches, ["sheet"], batch_size=500)
    with transaction.atomic():
        publish_results(league, matches, at=at)


def _sheet(match: Match, chance: Chance, at: dt.datetime) -> Sheet:
    lost = chance.below(100)
    stronger = chance.below(3) > 0
    return Sheet(
        match=match,
        number=1,
        content={},
        points=[104, lost] if stronger else [lost, 104],
        places=[1, 2] if stronger else [2, 1],
        evidence=Sheet.Evidence.SCORE,
        at=at,
    )


def _recount() -> Figure:
    progress: list[int] = []

    def recount() -> Spent:
        Recount.objects.all().delete()
        with transaction.atomic():
            rows = [pools.request_recount(pool, at=timezone.now()) for pool in Pool.objects.all()]
        with timed() as spent:
            for row in rows:
                pools.run_recount(row.pk, clock=timezone.now, progress=progress.append)
        return spent

    pages, seconds = in_pages(recount, TRIES)
    wrong = sum(len(rating_differences(pool)) for pool in Pool.objects.all())
    if wrong or len(progress) < TRIES * MATCHES // 100:
        raise RuntimeError(f"{wrong} figures differ, {len(progress)} words of progress.")
    note = f"{seconds:.2f} s for {MATCHES:,} results in each of {Pool.objects.count()} pools"
    return Figure("league_recount", pages, bar=60_000, unit="pages", note=note)


def _draw() -> Iterator[Figure]:
    """Measure the draw of a Swiss round, compared with the standings that it calculates first."""
    league = _swiss(SEED.chance("bench/swiss"))

    def draw() -> Spent:
        with timed() as spent:
            drawn = preview_swiss(league=league)
        assert len(drawn.pairings) == SWISS_PLAYERS // 2
        return spent

    draw()
    pages, seconds = in_pages(draw, ROUNDS)
    note = f"{seconds:.2f} s for round {SWISS_ROUNDS + 1} of {SWISS_PLAYERS} players"
    yield Figure("league_draw", pages, bar=1_800, unit="pages", note=note)
    turns = in_turns(ROUNDS, draw, lambda: spent(lambda: standings_basis(league).rows()))
    note = f"the standings it begins with take {1000 * least(turns)[1]:.0f} ms"
    yield Figure("league_draw_ratio", ratio(turns), bar=6.0, unit="x", note=note)


def _swiss(chance: Chance) -> League:
    at = timezone.now()
    league, organiser = _league(
        "Swiss", plays=False, format=League.Format.SWISS, rounds_planned=SWISS_ROUNDS + 1
    )
    _people(league, SWISS_PLAYERS)
    for _ in range(SWISS_ROUNDS):
        drawn = draw_next_swiss(league=league, by=organiser, at=at)
        fixtures = list(drawn.fixtures.prefetch_related("seats__player"))
        pairs = [[seat.player for seat in fixture.seats.all()] for fixture in fixtures]
        _publish(league, pairs, chance, fixtures)
    return league


def _explanation(league: League, page: str) -> Figure:
    """Measure the explanation of a row of the standings, compared with the standings page."""
    player = Player.objects.filter(memberships__league=league).order_by("pk")[PLAYERS // 2]
    explanation = f"{page}standings/{player.slug}/"
    uncached(page)
    uncached(explanation)
    turns = in_turns(TRIES, lambda: uncached(explanation).spent, lambda: uncached(page).spent)
    note = " against ".join(f"{1000 * seconds:.0f} ms" for seconds in least(turns))
    return Figure("league_explanation", ratio(turns), bar=3.0, unit="x", note=note)
