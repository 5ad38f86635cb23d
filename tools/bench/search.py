"""Benchmark of the search over fifty seasons on both databases, and of writing its index."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from statistics import median, quantiles
from unittest import mock

from django.core.management import call_command
from django.test import Client as Browser

from core.names.text import words_of
from corridas.simulation.new_circuit import shipped
from tools.bench import seasons
from tools.bench.elsewhere import call
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite, close_database, use_database
from tools.bench.season import vacuumed_size
from tools.bench.timing import PAGES, Spent, bare_pages, in_turns, spent

ROUNDS = 9
DAYS = ("1 de mayo", "May 14", "14/5/2030", "2031-07-07", "15 agosto", "July 2040", "2 octubre")
NOTHING = tuple(f"{word}{number}" for word in ("zzyx", "qqwv") for number in range(100, 110))
# Functions in which seasons write the index, by module and name.
WRITERS = (
    "corridas.simulation.draw.index_new_bulls",
    "corridas.simulation.record_book.index_new_records",
    "corridas.simulation.schedule.index_season",
    "corridas.simulation.winter.index_matadors",
)


def questions() -> list[str]:
    """Return 200 search queries, the same in every run.

    20 of them have one letter, and 20 have no result.
    """
    roster = shipped()
    names = [
        *(matador.name for matador in roster.matadors),
        *(f"{plaza.city} {plaza.name}" for plaza in roster.plazas),
        *(herd.name for herd in roster.herds),
        *roster.bull_names,
    ]
    cities = [plaza.city for plaza in roster.plazas]
    dated = [f"{city} {2026 + at % 50}" for at, city in enumerate(cities[:30])]
    dated += [f"{day} {city}" for day in DAYS for city in ("", "Madrid", "Sevilla")]
    words = [word for name in names for word in words_of(name) if len(word) > 3]
    starts = [word[: 2 + at % 4] for at, word in enumerate(words)]
    records = ["records", "most ears", "más orejas", "temporada", "season 2040"]
    asked = [*"abcdefghijlmnoprstuv", *NOTHING, *dated, *records]
    left = 200 - len(asked)
    return asked + starts[:: len(starts) // left][:left]


def measure(site: ScratchSite) -> Iterator[Figure]:
    use_database(site.fifty_seasons.path)
    yield from _speed("search", ask_all())
    backup = str(site.folder / "search.zip")
    call_command("backup", backup, verbosity=0)
    close_database()
    with postgres() as server:
        url = server.make("search")
        call("backup.restore", backup, DATABASE_URL=url)
        yield from _speed("search_postgres", call("search.ask_all", DATABASE_URL=url))
    scratch = site.copy(site.fifty_seasons.path, "scratch")
    whole = vacuumed_size(scratch)
    with closing(sqlite3.connect(scratch)) as connection:
        connection.execute("DROP TABLE search_words")
        connection.execute("DROP TABLE search_entry")
    rest = vacuumed_size(scratch)
    note = f"{(whole - rest) / 50e3:.0f} of {rest / 50e3:.0f} kB a season"
    yield Figure("search_disk", 100 * (whole - rest) / rest, bar=10, unit="%", note=note)
    pairs = in_turns(ROUNDS, lambda: _played(site), lambda: _played_without(site))
    # Use the minimum, because the median of so few values varies by as much as the bar.
    with_index, without = (min(pair[at].cpu for pair in pairs) for at in (0, 1))
    value, note = 100 * (with_index - without) / without, f"of {without:.2f} s with its winter"
    yield Figure("search_time", value, bar=5.0, unit="%", note=note)


def ask_all() -> list[float]:
    """Request an uncached result page for each query. Return how many pages take as long.

    The pages are those of a bare Django. Times are by the wall clock, because a database server may
    work too. The pages are rendered again before every tenth query.
    """
    browser, times, page = Browser(SERVER_NAME="localhost"), [], 1.0

    def ask(question: str) -> None:
        response = browser.get("/buscar/", {"q": question})
        assert response.status_code == 200, question

    for number, question in enumerate(("sevilla", *questions())):
        if number % 10 == 0:
            page = bare_pages().wall / PAGES
        times.append(spent(partial(ask, question)).wall / page)
    return times[1:]


def _speed(name: str, times: Sequence[float]) -> Iterator[Figure]:
    note = f"{len(times)} queries, the slowest {max(times):.0f} pages"
    yield Figure(name, median(times), bar=360, unit="pages", note=note)
    yield Figure(f"{name}_p95", quantiles(times, n=20)[-1], bar=1_200, unit="pages")


def _played(site: ScratchSite) -> Spent:
    use_database(site.copy(site.planned, "scratch"))
    return seasons.play_latest_with_winter()


def _played_without(site: ScratchSite) -> Spent:
    with ExitStack() as patches:
        for writer in WRITERS:
            patches.enter_context(mock.patch(writer))
        return _played(site)
