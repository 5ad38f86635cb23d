"""Pages of a site with ten seasons against a trivial view of the same server.

And of one with a season on PostgreSQL, as the documentation has it served: by two processes.
"""

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from django.core.cache import cache, caches
from django.core.management import call_command
from django.db import connection
from django.db.models import Count
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corridas.models import Matador, Run
from tools.bench import seasons
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import YEAR, ScratchSite
from tools.bench.start import cpu_seconds
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import ROOT, Client, WebServer, documented_server, web_server

ESCALAFON = "/escalafon/"
RECORDS = "/records/"
DIGEST_BAR = 500
DIGEST_ROUNDS = 5
BAR = 4.0
POSTGRES_BAR = 2.0
CPU_BAR = 0.5  # milliseconds
CPU_REQUESTS = 1000  # a round; the system counts in hundredths of a second
CPU_ROUNDS = 8
COLD_BAR = 15
ROUNDS = 12
REQUESTS = 400  # a path and round
SLOW_MS = 60_000  # a card a minute: what is on air stays on air while it is measured
FILL = """
import json
import django
django.setup()
from tools.bench.pages import fill
print(json.dumps(fill()))
"""
ON_AIR_FOR = dt.timedelta(minutes=30)


def measure(ground: ScratchSite) -> list[Figure]:
    site = ground.copy(ground.ten_seasons, "site")
    use_database(site)
    pages = shared_pages()
    close_database()
    queries = [_queries(path) for path in (ground.one_season, ground.ten_seasons)]
    digest = _digest(ground.one_season)
    with web_server(site) as server, Client(server.port) as client:
        warm = [*against_trivial(client, pages), _cpu(server, client)]
    return [*warm, *_postgres(), *_cold(*queries), *digest]


def _postgres() -> list[Figure]:
    with postgres() as database:
        url = database.make("pages")
        # Run in another process, because this process uses another database.
        command = [sys.executable, "-c", FILL]
        variables = os.environ | {"DATABASE_URL": url}
        done = subprocess.run(command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE)
        pages = {f"{name}_postgres": path for name, path in json.loads(done.stdout).items()}
        with documented_server(url) as server, Client(server.port) as client:
            return against_trivial(client, pages, POSTGRES_BAR)


def fill() -> dict[str, str]:
    """Create a site with a season and a corrida on air. Return the pages to measure."""
    call_command("migrate", verbosity=0, interactive=False)
    seasons.play(seasons.create_circuit(YEAR), leave=1)
    return shared_pages()


def shared_pages() -> dict[str, str]:
    """Put a corrida on air. Return the paths of the pages to measure, by name."""
    corrida = seasons.put_on_air(at=timezone.now() - ON_AIR_FOR, pace_ms=SLOW_MS)
    matador = Matador.objects.annotate(count=Count("escalafon")).latest("count", "slug")
    return {
        "escalafon_warm": ESCALAFON,
        "matador_warm": f"/matadores/{matador.slug}/",
        "records_warm": RECORDS,
        "on_air_page": f"/corridas/{corrida.pk}/",
    }


def against_trivial(client: Client, pages: Mapping[str, str], bar: float = BAR) -> list[Figure]:
    """Measure pages against the trivial one of the same server, in turn."""
    paths = (TRIVIAL, *pages.values())
    sizes = {path: client.size(path) for path in paths}
    rates = [{path: client.rate(path, REQUESTS) for path in paths} for _ in range(ROUNDS + 1)][1:]
    return [_against_trivial(name, path, rates, sizes, bar) for name, path in pages.items()]


def _cpu(server: WebServer, client: Client) -> Figure:
    """Measure the web process's processor time for a trivial page."""
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
    bar: float,
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
    """Measure the summary page of the longest run (a whole season), with nothing cached."""
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
