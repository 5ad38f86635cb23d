"""Benchmark of shared pages, compared with a trivial page of the same server.

One site has ten seasons on SQLite. The other has a season on PostgreSQL and is served by two
processes, as docs/deployment.md describes.
"""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from django.core.management import call_command
from django.db.models import Count
from django.utils import timezone

from corridas.models import Matador, Run
from tools.bench import seasons
from tools.bench.elsewhere import call
from tools.bench.figures import Figure
from tools.bench.page_cost import ROUNDS, against_trivial, cpu_of, uncached
from tools.bench.postgres import postgres
from tools.bench.scratch_site import YEAR, ScratchSite, close_database, use_database
from tools.bench.timing import PAGES, bare_pages, in_pages
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import NO_LIMITS, documented_server, web_server

ESCALAFON = "/escalafon/"
COLD_BAR = 15
DIGEST_ROUNDS = 5
ON_AIR_FOR = dt.timedelta(minutes=30)


def measure(site: ScratchSite) -> Iterator[Figure]:
    path = site.copy(site.ten_seasons, "site")
    use_database(path)
    pages = shared_pages()
    close_database()
    with web_server(path) as server:
        yield from against_trivial(pages, 4.0, server)
        turns = [(cpu_of(TRIVIAL, server), bare_pages().cpu / PAGES) for _ in range(ROUNDS)]
    cpu, other = (1000 * min(side) for side in zip(*turns, strict=True))
    note = f"a trivial page takes {cpu:.2f} ms of CPU, one of a bare Django {other:.2f} ms"
    yield Figure("page_cpu", cpu / other, bar=3.0, unit="pages", note=note)
    with postgres() as database:
        own = {"DATABASE_URL": database.make("pages")} | NO_LIMITS
        pages = {f"{name}_postgres": page for name, page in call("pages.fill", **own).items()}
        with documented_server(**own) as server:
            yield from against_trivial(pages, 2.0, server, database.process.pid)
    one, ten = _queries(site.one_season), _queries(site.ten_seasons)
    yield Figure("escalafon_cold", ten, bar=COLD_BAR, unit="queries")
    note = f"{one} with one season, {ten} with ten"
    yield Figure("escalafon_cold_growth", ten - one, bar=0, unit="queries", note=note)
    yield from _digest(site.one_season)


def fill() -> dict[str, str]:
    """Create a site with a season and a corrida on air. Return the pages to measure."""
    call_command("migrate", verbosity=0, interactive=False)
    seasons.play(seasons.create_circuit(YEAR), leave=1)
    return shared_pages()


def shared_pages() -> dict[str, str]:
    """Put a corrida on air. Return the paths of the pages to measure, by name."""
    corrida = seasons.put_on_air(at=timezone.now() - ON_AIR_FOR, pace_ms=seasons.SLOW_MS)
    matador = Matador.objects.annotate(count=Count("escalafon")).latest("count", "slug")
    return {
        "escalafon_warm": ESCALAFON,
        "matador_warm": f"/matadores/{matador.slug}/",
        "records_warm": "/records/",
        "on_air_page": f"/corridas/{corrida.pk}/",
    }


def _queries(database: Path) -> int:
    use_database(database)
    return uncached(ESCALAFON).queries


def _digest(database: Path) -> Iterator[Figure]:
    """Measure the summary page of the longest run (a whole season)."""
    use_database(database)
    run = Run.objects.select_related("season").order_by("-done")[0]
    address = f"/temporada/{run.season.year}/resumen/{run.pk}/"
    queries = uncached(address).queries
    pages, seconds = in_pages(lambda: uncached(address).spent, DIGEST_ROUNDS)
    note = f"{1000 * seconds:.0f} ms for {run.done} corridas"
    yield Figure("digest_cold", pages, bar=3_000, unit="pages", note=note)
    yield Figure("digest_queries", queries, bar=COLD_BAR, unit="queries")
