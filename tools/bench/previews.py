"""Benchmark of the preview of 1,000 imported results, and of other requests meanwhile."""

import datetime as dt
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter, sleep

from django.conf import settings
from django.core.management import call_command
from django.test import Client as Browser
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from accounts.models import User
from fairness import Seed
from leagues.league.operations import LeagueSettings, create_league
from leagues.players import player_of_user
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import web_server

RESULTS = 1_000
PEOPLE = 40
PREVIEWS = 6
# Number of other requests before the previews, and the seconds between two of them.
ALONE = 200
PAUSE = 0.02
PREVIEW_BAR = 2.0  # seconds
OTHERS_BAR = 1.3
CSRF_TOKEN = "b" * 32
SEED = Seed(bytes(range(32)))


def measure(ground: ScratchSite) -> list[Figure]:
    path = ground.folder / "previews.sqlite3"
    address, cookie = _league(path)
    form = {"csrfmiddlewaretoken": CSRF_TOKEN, "file_format": "csv", "file": _ResultsFile(_csv())}
    body = encode_multipart(BOUNDARY, form)
    with web_server(path) as server:
        alone = _trivial_times(server.port, ALONE)
        over, meanwhile = Event(), list[float]()
        others = Thread(target=lambda: _visit(server.port, over, meanwhile))
        others.start()
        try:
            spent = [_preview(server.port, address, cookie, body) for _ in range(PREVIEWS)]
        finally:
            over.set()
            others.join()
    ratio = median(meanwhile) / median(alone)
    note = f"{1000 * median(alone):.1f} ms alone, {len(meanwhile)} requests during the previews"
    return [
        Figure(
            name="import_preview",
            value=median(spent),
            bar=PREVIEW_BAR,
            unit="s",
            note=f"{RESULTS:,} results, {len(body) / 1000:.0f} KB",
        ),
        Figure(name="import_others", value=ratio, bar=OTHERS_BAR, unit="x", note=note),
    ]


class _ResultsFile:
    """An uploaded file in a form."""

    def __init__(self, data: bytes) -> None:
        self.name, self.content_type, self._data = "results.csv", "text/csv", data

    def read(self) -> bytes:
        return self._data


def _league(path: Path) -> tuple[str, str]:
    """Create a league and return the address of its imports and the cookie of its organiser."""
    use_database(path)
    call_command("migrate", verbosity=0)
    user = User.objects.create_user("organiser")
    at = timezone.now()
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


def _trivial_times(port: int, requests: int) -> list[float]:
    connection = HTTPConnection("127.0.0.1", port)
    times = [_get_trivial(connection) for _ in range(requests)]
    connection.close()
    return times


def _visit(port: int, over: Event, times: list[float]) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    while not over.is_set():
        times.append(_get_trivial(connection))
    connection.close()


def _get_trivial(connection: HTTPConnection) -> float:
    sleep(PAUSE)
    began = perf_counter()
    connection.request("GET", TRIVIAL)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"The trivial view answered {answer.status}.")
    return perf_counter() - began


def _preview(port: int, address: str, cookie: str, body: bytes) -> float:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    heads = {"Cookie": cookie, "Content-Type": MULTIPART_CONTENT, "Host": "localhost"}
    began = perf_counter()
    connection.request("POST", address, body, heads)
    answer = connection.getresponse()
    page = answer.read().decode()
    spent = perf_counter() - began
    connection.close()
    if answer.status != 200 or 'name="plan"' not in page:
        raise RuntimeError(f"The preview answered {answer.status}.")
    return spent
