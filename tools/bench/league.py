"""Benchmark of a league with 200 players and 5,000 matches: ratings and standings page.

It also measures the draw of the sixth round in a Swiss league of 220 players.
"""

import datetime as dt
import secrets
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from django.core.cache import cache, caches
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from fairness import Chance, Seed
from leagues.fixtures.operations import draw_next_swiss, preview_swiss
from leagues.games import games
from leagues.league.operations import LeagueSettings, create_league
from leagues.matches.operations.matches import confirm
from leagues.models import Fixture, League, Match, MatchSeat, Member, Player, Pool, Recount, Sheet
from leagues.players import player_of_user
from leagues.ratings import pools
from leagues.ratings.pools import rating_differences
from leagues.results import publish_results
from leagues.standings.queries import standings_basis
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, in_turns, ratio, timed
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import Client, web_server

PLAYERS = 200
MATCHES = 5_000
RECOUNT_BAR = 10.0  # seconds
WARM_BAR = 0.8
# Number of repetitions for the time of the standings page.
EXPLANATION_BAR = 3.0
ROUNDS = 12
REQUESTS = 160
TRIES = 3
SWISS_PLAYERS = 220
SWISS_ROUNDS = 5
DRAW_BAR = 0.3  # seconds
RATIO_BAR = 6.0
SEED = Seed(bytes(range(32)))


def measure(ground: ScratchSite) -> list[Figure]:
    path = ground.folder / "league.sqlite3"
    use_database(path)
    call_command("migrate", verbosity=0)
    league = _filled(SEED.chance("bench/league"))
    figures = [_recount(), _confirmation(league), *_draw()]
    address = f"/leagues/{league.slug}/"
    page = _cold(address)
    figures += [page, _explanation(league, page.value)]
    close_database()
    return [*figures, _warm(path, address)]


def _filled(chance: Chance) -> League:
    at = timezone.now()
    organiser = player_of_user(User.objects.create(username="organiser"), at=at)
    game = games.all_games()[0]
    settings = LeagueSettings(
        name="Bench", game=game.key, profile=game.profiles[0].key, visibility="public"
    )
    league = create_league(settings=settings, by=organiser, at=at)
    people = [organiser, *_people(league, PLAYERS - 1, at)]
    pairs = [sorted(islice(chance.shuffled(range(len(people))), 2)) for _ in range(MATCHES)]
    matches = _matches(league, [[people[who] for who in pair] for pair in pairs], chance, at)
    with transaction.atomic():
        publish_results(league, matches, at=at)
    return league


def _people(league: League, count: int, at: dt.datetime) -> list[Player]:
    people = Player.objects.bulk_create(
        Player(name=f"Player {number}", slug=f"{league.slug}-{number}", created_at=at)
        for number in range(1, count + 1)
    )
    Member.objects.bulk_create(
        Member(league=league, player=player, joined_at=at) for player in people
    )
    return people


def _matches(
    league: League,
    pairs: Sequence[Sequence[Player]],
    chance: Chance,
    at: dt.datetime,
    fixtures: Sequence[Fixture] = (),
) -> list[Match]:
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
    return matches


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
    times = []
    for _ in range(TRIES):
        Recount.objects.all().delete()
        with transaction.atomic():
            rows = [pools.request_recount(pool, at=timezone.now()) for pool in Pool.objects.all()]
        began = perf_counter()
        for row in rows:
            pools.run_recount(row.pk, clock=timezone.now, progress=progress.append)
        times.append(perf_counter() - began)
    wrong = sum(len(rating_differences(pool)) for pool in Pool.objects.all())
    if wrong or len(progress) < TRIES * MATCHES // 100:
        raise RuntimeError(f"{wrong} figures differ, {len(progress)} words of progress.")
    note = f"{MATCHES:,} results in each of {len(rows)} pools, {len(progress) // TRIES} steps told"
    return Figure(name="league_recount", value=median(times), bar=RECOUNT_BAR, unit="s", note=note)


def _confirmation(league: League) -> Figure:
    match = Match.objects.filter(league=league).order_by("-played_at").first()
    if match is None:
        raise RuntimeError("The league has no match.")
    seats = [seat.player for seat in match.seats.select_related("player")]
    new = Match.objects.create(
        league=league,
        game=match.game,
        rules=match.rules,
        rules_hash=match.rules_hash,
        state=Match.State.HANDED_IN,
        entered_by=seats[0],
        played_at=timezone.now(),
        created_at=timezone.now(),
        key=secrets.token_urlsafe(32),
    )
    for number, player in enumerate(seats):
        MatchSeat.objects.create(match=new, number=number, player=player, side=number)
    new.sheet = _sheet(new, SEED.chance("bench/last"), timezone.now())
    new.sheet.save()
    new.save()
    began = perf_counter()
    confirm(match=new, version=0, by=seats[1], at=timezone.now())
    took = 1000 * (perf_counter() - began)
    return Figure(name="league_confirm", value=took, unit="ms", note="the 5,001st match confirmed")


def _draw() -> list[Figure]:
    """Measure the draw of a Swiss round, compared with the standings that it calculates first."""
    league = _swiss(SEED.chance("bench/swiss"))

    def draw() -> Spent:
        with timed() as spent:
            drawn = preview_swiss(league=league)
        if len(drawn.pairings) != SWISS_PLAYERS // 2:
            raise RuntimeError(f"The draw has {len(drawn.pairings)} fixtures.")
        return spent

    def standings() -> Spent:
        with timed() as spent:
            standings_basis(league).rows()
        return spent

    pairs = in_turns(ROUNDS + 1, draw, standings)[1:]
    took = median(drawn.cpu for drawn, _ in pairs)
    note = f"of a core: round {SWISS_ROUNDS + 1} of {SWISS_PLAYERS} players"
    beside = median(computed.cpu for _, computed in pairs)
    times = f"the standings it begins with take {1000 * beside:.0f} ms"
    return [
        Figure(name="league_draw", value=took, bar=DRAW_BAR, unit="s", note=note),
        Figure(name="league_draw_ratio", value=ratio(pairs), bar=RATIO_BAR, unit="x", note=times),
    ]


def _swiss(chance: Chance) -> League:
    at = timezone.now()
    organiser = player_of_user(User.objects.create(username="director"), at=at)
    game = games.all_games()[0]
    settings = LeagueSettings(
        name="Swiss",
        game=game.key,
        profile=game.profiles[0].key,
        format=League.Format.SWISS,
        rounds_planned=SWISS_ROUNDS + 1,
    )
    league = create_league(settings=settings, by=organiser, at=at, plays=False)
    _people(league, SWISS_PLAYERS, at)
    for _ in range(SWISS_ROUNDS):
        drawn = draw_next_swiss(league=league, by=organiser, at=at)
        fixtures = list(drawn.fixtures.prefetch_related("seats__player"))
        pairs = [[seat.player for seat in fixture.seats.all()] for fixture in fixtures]
        matches = _matches(league, pairs, chance, at, fixtures)
        with transaction.atomic():
            publish_results(league, matches, at=at)
    return league


def _cold(address: str) -> Figure:
    took, note = _opened(address)
    return Figure(name="league_cold", value=took, unit="ms", note=note)


def _explanation(league: League, page: float) -> Figure:
    """Measure the explanation of a row of the standings, compared with the standings page."""
    player = Player.objects.filter(memberships__league=league).order_by("pk")[PLAYERS // 2]
    took, note = _opened(f"/leagues/{league.slug}/standings/{player.slug}/")
    note = f"{took:.0f} ms, {note}"
    return Figure(
        name="league_explanation", value=took / page, bar=EXPLANATION_BAR, unit="x", note=note
    )


def _opened(address: str) -> tuple[float, str]:
    """Return the milliseconds that an uncached page takes, its number of queries and its size."""
    times, queries = [], 0
    for _ in range(TRIES + 1):
        cache.clear()
        caches["near"].clear()
        with CaptureQueriesContext(connection) as caught:
            began = perf_counter()
            answer = Browser(SERVER_NAME="localhost").get(address)
            times.append(1000 * (perf_counter() - began))
        if answer.status_code != 200:
            raise RuntimeError(f"The league's page answered {answer.status_code}.")
        queries = len(caught)
    return median(times[1:]), f"{queries} queries, {len(answer.content) / 1000:.0f} KB"


def _warm(path: Path, address: str) -> Figure:
    asked = (TRIVIAL, address)
    with web_server(path) as server, Client(server.port) as client:
        size = {each: client.size(each) for each in asked}[address]
        rates = [[client.rate(each, REQUESTS) for each in asked] for _ in range(ROUNDS + 1)][1:]
    ratio = median(page / trivial for trivial, page in rates)
    trivial, page = (median(side) for side in zip(*rates, strict=True))
    note = f"{page:,.0f} a second of {size / 1000:.0f} KB, the trivial view {trivial:,.0f}"
    return Figure(name="league_warm", value=ratio, bar=WARM_BAR, at_least=True, unit="x", note=note)
