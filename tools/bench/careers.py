"""Benchmark of fifty seasons of a circuit with their winters: time, database size and pages."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.core.management import CommandError, call_command
from django.db.models import Count

from corridas.models import Lidia, Matador
from tools.bench import seasons
from tools.bench.figures import Figure
from tools.bench.page_cost import against_trivial, uncached
from tools.bench.scratch_site import YEAR, FiftySeasons, ScratchSite, close_database, use_database
from tools.bench.season import MeasuredSeason
from tools.bench.timing import PAGES, Spent, bare_pages, least, ratio, wall_ratio
from tools.bench.web_server import web_server

EARLY, LAST = 5, 50
ROUNDS = 4


def measure(site: ScratchSite) -> Iterator[Figure]:
    """Measure everything on one database of fifty seasons."""
    circuit = site.fifty_seasons
    yield from _cost(site, circuit)
    early, late = (circuit.memory[number - 1] for number in (EARLY, LAST))
    note = f"{early / 1e6:.0f} MB after the fifth, {late / 1e6:.0f} MB after the fiftieth"
    yield Figure("careers_memory", late / early, bar=1.15, unit="x", note=note)
    use_database(circuit.path)
    size = circuit.path.stat().st_size / 1e6
    note, lidias = f"{size:.0f} MB, {Matador.objects.count()} matadors", Lidia.objects.count()
    yield Figure("careers_lidias", lidias, bar=130_000, at_least=True, note=note)
    yield Figure("careers_rebuilt", _differing(), bar=0, unit="differ")
    yield from _pages(site, circuit.path)


def _cost(site: ScratchSite, circuit: FiftySeasons) -> Iterator[Figure]:
    """Measure a season and its winter, which change rows with long histories."""

    def whole(number: int) -> Spent:
        use_database(site.copy(circuit.before(number), "scratch"))
        return seasons.play_latest_with_winter()

    last = MeasuredSeason(site, circuit.before(LAST), circuit.path, year=YEAR + LAST - 1)
    rounds = [(whole(LAST), last.bare(), whole(EARLY)) for _ in range(ROUNDS)]
    against_bare = [(late, bare) for late, bare, _ in rounds]
    seconds, floor = least(against_bare)
    note = (
        f"the fiftieth season with its winter takes {seconds:.2f} s of CPU, playing and plain "
        f"insertion {floor:.2f} s; by the wall clock {wall_ratio(against_bare):.2f} x"
    )
    yield Figure("careers_season", ratio(against_bare), bar=3.5, unit="x", note=note)
    turns = [(late, early) for late, _, early in rounds]
    note = f"the fiftieth season against the fifth; by the wall clock {wall_ratio(turns):.2f} x"
    yield Figure("careers_growth", ratio(turns), bar=1.3, unit="x", note=note)


def _differing() -> int:
    try:
        call_command("rebuild", "escalafon", "--check", stdout=StringIO())
    except CommandError as error:
        return int(str(error).split()[0])
    return 0


def _pages(site: ScratchSite, database: Path) -> Iterator[Figure]:
    """Count the queries of uncached pages, and compare cached pages with a trivial view."""
    warm = {
        "careers_escalafon": "/escalafon/",
        "careers_matador": f"/matadores/{_leaders()[0]}/",
        "careers_records": "/records/",
    }
    before = bare_pages()
    cold = [uncached(path) for path in (*warm.values(), *_other_paths())]
    page = (before + bare_pages()).cpu / (2 * PAGES)
    close_database()
    most = max(cold, key=lambda each: each.queries)
    note = f"{most.path}, the most of {len(cold)} pages"
    yield Figure("careers_cold", most.queries, bar=15, unit="queries", note=note)
    worst = max(cold, key=lambda each: each.slowest)
    note = f"{1000 * worst.slowest:.1f} ms, a query of {worst.path}"
    yield Figure("careers_slowest", worst.slowest / page, bar=300, unit="pages", note=note)
    with web_server(site.copy(database, "site")) as server:
        yield from against_trivial(warm, 0.8, server)


def _leaders() -> list[str]:
    fought = Matador.objects.annotate(count=Count("escalafon")).order_by("-count")
    return [matador.slug for matador in fought[:2]]


def _other_paths() -> list[str]:
    middle, last = YEAR + LAST // 2, YEAR + LAST - 1
    return [
        *(f"/escalafon/{year}/" for year in (YEAR, middle, last)),
        *("/matadores/", "/salon/", f"/mano-a-mano/{'/'.join(_leaders())}/"),
        *(f"/temporada/{year}/{page}" for year in (middle, last) for page in ("", "invierno/")),
        *(f"/{page}/{year}/" for page in ("premios", "anuario") for year in (middle, last)),
    ]
