"""Pages of a site with ten seasons against a trivial view of the same server."""

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from django.core.cache import cache, caches
from django.db import connection
from django.db.models import Count
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corridas.models import Matador, Run
from tools.bench import seasons
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.start import cpu_seconds
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import Client, WebServer, web_server

ESCALAFON = "/escalafon/"
RECORDS = "/records/"
DIGEST_BAR = 500
DIGEST_ROUNDS = 5
WARM_BAR = 0.8
ON_AIR_BAR = 0.6
CPU_BAR = 0.5  # milliseconds
CPU_REQUESTS = 1000  # a round; the system counts in hundredths of a second
CPU_ROUNDS = 8
COLD_BAR = 15
ROUNDS = 12
REQUESTS = 160  # a path and round
FEWER = 24  # of the page on air
SLOW_MS = 60_000  # a card a minute: what is on air stays on air while it is measured
ON_AIR_FOR = dt.timedelta(minutes=30)


def measure(ground: ScratchSite) -> list[Figure]:
    site = ground.copy(ground.ten_seasons, "site")
    use_database(site)
    corrida = seasons.put_on_air(at=timezone.now() - ON_AIR_FOR, pace_ms=SLOW_MS)
    matadors = Matador.objects.annotate(count=Count("escalafon"))
    matador = matadors.latest("count", "slug").slug
    close_database()
    queries = [_queries(path) for path in (ground.one_season, ground.ten_seasons)]
    digest = _digest(ground.one_season)
    warm = _warm(site, matador=f"/matadores/{matador}/", on_air=f"/corridas/{corrida.pk}/")
    return [*warm, *_cold(*queries), *digest]


def _warm(site: Path, *, matador: str, on_air: str) -> list[Figure]:
    kept = {"escalafon_warm": ESCALAFON, "matador_warm": matador, "records_warm": RECORDS}
    pages = dict.fromkeys((TRIVIAL, *kept.values()), REQUESTS) | {on_air: FEWER}
    with web_server(site) as server, Client(server.port) as client:
        sizes = {path: client.size(path) for path in pages}
        rates = [
            {path: client.rate(path, requests) for path, requests in pages.items()}
            for _ in range(ROUNDS + 1)
        ][1:]
        cpu = _cpu(server, client)
    return [
        *(_against_trivial(name, path, rates, sizes, WARM_BAR) for name, path in kept.items()),
        _against_trivial("on_air_page", on_air, rates, sizes, ON_AIR_BAR),
        cpu,
    ]


def _cpu(server: WebServer, client: Client) -> Figure:
    """Measure the processor time of the web process for a page that costs next to nothing."""
    rounds = []
    for _ in range(CPU_ROUNDS):
        before = cpu_seconds(server.pid)
        rate = client.rate(TRIVIAL, CPU_REQUESTS)
        rounds.append(((cpu_seconds(server.pid) - before) / CPU_REQUESTS, rate))
    cpu, rates = (median(side) for side in zip(*rounds, strict=True))
    note = f"of a trivial page; {rates:,.0f} a second"
    return Figure(name="page_cpu", value=1000 * cpu, bar=CPU_BAR, unit="ms", note=note)


def _against_trivial(
    name: str,
    path: str,
    rates: Sequence[Mapping[str, float]],
    sizes: Mapping[str, int],
    bar: float | None = None,
) -> Figure:
    page, trivial = (median(rate[index] for rate in rates) for index in (path, TRIVIAL))
    note = f"{page:,.0f} a second of {sizes[path] / 1000:.0f} KB, the trivial view {trivial:,.0f}"
    ratio = median(rate[path] / rate[TRIVIAL] for rate in rates)
    return Figure(name=name, value=ratio, bar=bar, at_least=True, unit="x", note=note)


def _cold(with_one: int, with_ten: int) -> list[Figure]:
    return [
        Figure(name="escalafon_cold", value=with_ten, bar=COLD_BAR, unit="queries"),
        Figure(
            name="escalafon_cold_growth",
            value=with_ten - with_one,
            bar=0,
            unit="queries",
            note=f"{with_one} with one season, {with_ten} with ten",
        ),
    ]


def _digest(database: Path) -> list[Figure]:
    """Measure the digest of the longest run, that of a whole season, with nothing cached."""
    use_database(database)
    run = Run.objects.select_related("season").order_by("-done")[0]
    address = f"/temporada/{run.season.year}/resumen/{run.pk}/"
    browser = Browser(SERVER_NAME="localhost")
    times = []
    for _ in range(DIGEST_ROUNDS + 1):
        cache.clear()
        caches["near"].clear()
        start = perf_counter()
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(address)
        times.append(1000 * (perf_counter() - start))
        if answer.status_code != 200:
            raise RuntimeError(f"The digest answered {answer.status_code}.")
    close_database()
    note = f"{run.done} corridas, {len(answer.content) / 1000:.0f} KB"
    return [
        Figure(name="digest_cold", value=median(times[1:]), bar=DIGEST_BAR, unit="ms", note=note),
        Figure(name="digest_queries", value=len(queries), bar=COLD_BAR, unit="queries"),
    ]


def _queries(database: Path) -> int:
    use_database(database)
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = Browser(SERVER_NAME="localhost").get(ESCALAFON)
    if answer.status_code != 200:
        raise RuntimeError(f"The escalafón answered {answer.status_code}.")
    close_database()
    return len(queries)
