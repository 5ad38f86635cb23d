"""Benchmark of fifty seasons of a circuit with their winters: time, database size and pages."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from statistics import median
from typing import Any

from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Count
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from corridas.models import Lidia, Matador
from tools.bench import fifty_seasons, seasons
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import YEAR, ScratchSite
from tools.bench.season import MeasuredSeason
from tools.bench.timing import Spent, ratio, timed, wall_ratio
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import Client, web_server

COUNT = 50
EARLY = 5
SEASON_BAR = 3.5
GROWTH_BAR = 1.3
MEMORY_BAR = 1.15
LIDIAS_BAR = 130_000
WARM_BAR = 0.8
COLD_BAR = 15
QUERY_BAR = 50.0  # milliseconds
ROUNDS = 4
WARM_ROUNDS = 8
REQUESTS = 120  # a path and round


def measure(ground: ScratchSite) -> list[Figure]:
    """Measure everything on one database of fifty seasons, made once in another process."""
    circuit = FiftySeasons(ground)
    return [
        *_cost(ground, circuit),
        _memory(circuit),
        *_stored_figures(circuit),
        *_pages(ground, circuit),
    ]


class FiftySeasons:
    """The database after fifty seasons, and the reports of all seasons.

    There are copies of the database from before the fifth and the last season.
    """

    def __init__(self, ground: ScratchSite) -> None:
        self.path = ground.copy(ground.planned, "fifty")
        command = [sys.executable, "-m", "tools.bench.fifty_seasons", str(self.path), str(COUNT)]
        played = subprocess.run(command, check=True, capture_output=True, text=True)
        self.reports: list[dict[str, Any]] = [
            json.loads(line) for line in played.stdout.splitlines()
        ]

    def before(self, number: int) -> Path:
        return fifty_seasons.copy_before(self.path, number)


class _WithItsWinter(MeasuredSeason):
    """A season and the winter after it; long histories hang on the rows it changes."""

    def end_to_end(self) -> Spent:
        use_database(self._ground.copy(self.planned, "scratch"))
        return _played()


def _played() -> Spent:
    season = seasons.latest()
    with timed() as spent:
        seasons.play(season)
        seasons.winter(season)
    return spent


def _cost(ground: ScratchSite, circuit: FiftySeasons) -> Iterator[Figure]:
    last = _WithItsWinter(ground, circuit.before(COUNT), circuit.path, year=YEAR + COUNT - 1)
    rounds = [
        (last.end_to_end(), last.bare(), _anew(ground, circuit.before(EARLY)))
        for _ in range(ROUNDS)
    ]
    pairs = [(whole, bare) for whole, bare, _ in rounds]
    whole, floor = (median(side.cpu for side in sides) for sides in zip(*pairs, strict=True))
    yield Figure(
        name="careers_season",
        value=ratio(pairs),
        bar=SEASON_BAR,
        unit="x",
        note=f"the fiftieth with its winter in {whole:.2f} s of processor, playing and raw "
        f"insertion {floor:.2f} s; on the wall {wall_ratio(pairs):.2f} x",
    )
    turns = [(late, early) for late, _, early in rounds]
    yield Figure(
        name="careers_growth",
        value=ratio(turns),
        bar=GROWTH_BAR,
        unit="x",
        note=f"the fiftieth against the fifth; on the wall {wall_ratio(turns):.2f} x",
    )


def _anew(ground: ScratchSite, planned: Path) -> Spent:
    use_database(ground.copy(planned, "scratch"))
    return _played()


def _memory(circuit: FiftySeasons) -> Figure:
    early, late = (circuit.reports[number - 1]["rss"] for number in (EARLY, COUNT))
    note = f"{early / 1e6:.0f} MB after the fifth, {late / 1e6:.0f} MB after the fiftieth"
    return Figure(name="careers_memory", value=late / early, bar=MEMORY_BAR, unit="x", note=note)


def _stored_figures(circuit: FiftySeasons) -> Iterator[Figure]:
    use_database(circuit.path)
    yield Figure(
        name="careers_lidias",
        value=Lidia.objects.count(),
        bar=LIDIAS_BAR,
        at_least=True,
        note=f"{circuit.path.stat().st_size / 1e6:.0f} MB, {Matador.objects.count()} matadors",
    )
    with timed() as spent:
        differing = _differing()
    note = f"rebuild_escalafon --check in {spent.wall:.0f} s"
    yield Figure(name="careers_rebuilt", value=differing, bar=0, unit="differ", note=note)
    close_database()


def _differing() -> int:
    said = StringIO()
    try:
        call_command("rebuild_escalafon", "--check", stdout=said)
    except CommandError as error:
        return int(str(error).split()[0])
    return 0


@dataclass(frozen=True)
class Cold:
    """Uncached requests for a page.

    They are described by the number of queries, and the slowest response in milliseconds.
    """

    path: str
    queries: int
    slowest: float


def _pages(ground: ScratchSite, circuit: FiftySeasons) -> Iterator[Figure]:
    """Count the queries of uncached pages, and compare cached pages with a trivial view."""
    use_database(circuit.path)
    warm = _warm_paths()
    barred = _cold_requests([*warm.values(), *_barred_paths()])
    others = _cold_requests(OTHERS)
    close_database()
    yield _most_queries(barred)
    yield _slowest("careers_slowest", barred, QUERY_BAR)
    yield _slowest("careers_slowest_other", others, None)
    there = {cold.path for cold in barred}
    kept = {name: path for name, path in warm.items() if path in there}
    yield from _warm(ground.copy(circuit.path, "site"), kept)


def _cold_requests(paths: list[str]) -> list[Cold]:
    return [cold for path in paths if (cold := _cold_request(path))]


def _most_queries(pages: list[Cold]) -> Figure:
    most = max(pages, key=lambda cold: cold.queries)
    note = f"{most.path}, the most of {len(pages)} pages"
    return Figure(name="careers_cold", value=most.queries, bar=COLD_BAR, unit="queries", note=note)


def _slowest(name: str, pages: list[Cold], bar: float | None) -> Figure:
    slowest = max(pages, key=lambda cold: cold.slowest)
    note = f"{slowest.path}, of {len(pages)} pages"
    return Figure(name=name, value=slowest.slowest, bar=bar, unit="ms", note=note)


def _warm_paths() -> dict[str, str]:
    fought = Matador.objects.annotate(count=Count("escalafon")).order_by("-count")
    return {
        "careers_escalafon": "/escalafon/",
        "careers_matador": f"/matadores/{fought[0].slug}/",
        "careers_records": "/records/",
    }


OTHERS = ["/", "/plazas/", "/plazas/las-ventas/", "/ganaderias/", "/ganaderias/miura/"]


def _barred_paths() -> list[str]:
    middle, last = YEAR + COUNT // 2, YEAR + COUNT - 1
    leaders = Matador.objects.annotate(count=Count("escalafon")).order_by("-count")[:2]
    pair = "/".join(matador.slug for matador in leaders)
    return [
        *(f"/escalafon/{year}/" for year in (YEAR, middle, last)),
        *("/matadores/", "/salon/", f"/mano-a-mano/{pair}/"),
        *(f"/temporada/{year}/{page}" for year in (middle, last) for page in ("", "invierno/")),
        *(f"/{page}/{year}/" for page in ("premios", "anuario") for year in (middle, last)),
    ]


def _cold_request(path: str) -> Cold | None:
    cache.clear()
    with CaptureQueriesContext(connection) as caught:
        answer = Browser(SERVER_NAME="localhost").get(path)
    if answer.status_code == 404:
        return None
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answered {answer.status_code}.")
    slowest = max((float(query["time"]) for query in caught.captured_queries), default=0.0)
    return Cold(path, len(caught), 1000 * slowest)


def _warm(site: Path, paths: dict[str, str]) -> Iterator[Figure]:
    asked = (TRIVIAL, *paths.values())
    with web_server(site) as server, Client(server.port) as client:
        sizes = {path: client.size(path) for path in asked}
        turns = [{path: client.rate(path, REQUESTS) for path in asked} for _ in range(WARM_ROUNDS)]
    for name, path in paths.items():
        page, trivial = (median(turn[index] for turn in turns[1:]) for index in (path, TRIVIAL))
        size = f"{sizes[path] / 1000:.0f} KB"
        note = f"{path}: {page:,.0f} a second of {size}, the trivial view {trivial:,.0f}"
        value = median(turn[path] / turn[TRIVIAL] for turn in turns[1:])
        yield Figure(name=name, value=value, bar=WARM_BAR, at_least=True, unit="x", note=note)
