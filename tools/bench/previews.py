"""Benchmark of the preview of 1,000 imported results, and of other requests meanwhile."""

import asyncio
import datetime as dt
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from accounts.models import User
from fairness import Seed
from leagues.league.operations import LeagueSettings, create_league
from leagues.players import player_of_user
from tools.bench.client import Client
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite, close_database, use_empty_database
from tools.bench.timing import PAGES, bare_pages
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import web_server

RESULTS = 1_000
PEOPLE = 40
PREVIEWS = 6
# Number of other requests before each preview, and the seconds between two of them.
ALONE = 40
PAUSE = 0.02
CSRF_TOKEN = "b" * 32
SEED = Seed(bytes(range(32)))


def measure(site: ScratchSite) -> Iterator[Figure]:
    path = site.folder / "previews.sqlite3"
    address, cookie = _league(path)
    file = SimpleUploadedFile("results.csv", _csv(), "text/csv")
    form = {"csrfmiddlewaretoken": CSRF_TOKEN, "file_format": "csv", "file": file}
    body = encode_multipart(BOUNDARY, form)
    with web_server(path) as server:
        visitor, organiser = Client(server.port), Client(server.port, Cookie=cookie)
        previews, alone, meanwhile = asyncio.run(_ask(visitor, organiser, address, body))
    seconds, pages = min(seconds for seconds, _ in previews), min(page for _, page in previews)
    note = f"{RESULTS:,} results, {len(body) / 1000:.0f} KB in {seconds:.2f} s"
    yield Figure("import_preview", seconds / pages, bar=12_000, unit="pages", note=note)
    quiet = median(alone)
    note = f"{1000 * quiet:.1f} ms alone, {len(meanwhile)} requests during the previews"
    yield Figure("import_others", median(meanwhile) / quiet, bar=1.3, unit="x", note=note)


def _league(path: Path) -> tuple[str, str]:
    """Create a league and return the address of its imports and the cookie of its organiser."""
    use_empty_database(path)
    user, at = User.objects.create_user("organiser"), timezone.now()
    league = create_league(
        settings=LeagueSettings(name="Bench", game="dominoes", profile="rulebook"),
        by=player_of_user(user, at=at),
        at=at,
    )
    browser = Browser()
    browser.force_login(user)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    close_database()
    cookie = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={CSRF_TOKEN}"
    return f"/leagues/{league.slug}/import/", cookie


def _csv() -> bytes:
    chance = SEED.chance("bench/previews")
    first = dt.datetime(2026, 1, 1, 18, tzinfo=dt.UTC)
    rows = ["match,played_at,player,place,points"]
    for number in range(RESULTS):
        one, other = islice(chance.shuffled(range(PEOPLE)), 2)
        played = f"{first + dt.timedelta(hours=5 * number):%Y-%m-%d %H:%M}"
        rows.append(f"{number},{played},Player {one},1,{100 + number % 5}")
        rows.append(f"{number},{played},Player {other},2,{number % 90}")
    return "\n".join(rows).encode()


async def _ask(
    visitor: Client, organiser: Client, address: str, body: bytes
) -> tuple[list[tuple[float, float]], list[float], list[float]]:
    """Return the seconds of previews and of pages of a bare Django, in turns.

    Also return the seconds of trivial pages before the previews and during them.
    """
    previews, alone, meanwhile = list[tuple[float, float]](), list[float](), list[float]()
    for _ in range(PREVIEWS):
        for _ in range(ALONE):
            alone.append(await _trivial(visitor))
        preview = asyncio.create_task(_preview(organiser, address, body))
        while not preview.done():
            meanwhile.append(await _trivial(visitor))
        previews.append((preview.result(), bare_pages().wall / PAGES))
    return previews, alone, meanwhile


async def _trivial(visitor: Client) -> float:
    await asyncio.sleep(PAUSE)
    began = perf_counter()
    response = await visitor.get(TRIVIAL)
    assert response.status == 200
    return perf_counter() - began


async def _preview(organiser: Client, address: str, body: bytes) -> float:
    began = perf_counter()
    response = await organiser.send("POST", address, body, Content_Type=MULTIPART_CONTENT)
    assert response.status == 200
    assert b'name="plan"' in response.body
    return perf_counter() - began
