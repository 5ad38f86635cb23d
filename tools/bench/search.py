"""Benchmark of the search over fifty seasons on both databases, and of writing its index."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median, quantiles
from unittest import mock

from tools.bench import seasons
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite
from tools.bench.season import vacuumed_size
from tools.bench.timing import Spent, in_turns, timed
from tools.bench.web_server import ROOT

MEDIAN_BAR = 60.0  # milliseconds
P95_BAR = 200.0
DISK_BAR = 10.0  # per cent
TIME_BAR = 5.0
ROUNDS = 9
DAYS = ("1 de mayo", "May 14", "14/5/2030", "2031-07-07", "15 agosto", "July 2040", "2 octubre")
NOTHING = tuple(f"{word}{number}" for word in ("zzyx", "qqwv") for number in range(100, 110))
# This module imports models, so Django must be set up first.
RESTORE_AND_ASK = (
    "import sys, django; django.setup(); "
    "from tools.bench.search import restore_and_ask; restore_and_ask(sys.argv[1])"
)
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
    from core.names.text import words_of
    from corridas.simulation.new_circuit import shipped

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


def measure(ground: ScratchSite) -> list[Figure]:
    from tools.bench.careers import FiftySeasons

    fifty = FiftySeasons(ground).path
    return [*_speed("search", _times(fifty)), *_postgres(ground, fifty), *_cost(ground, fifty)]


def _times(database: Path) -> list[float]:
    use_database(database)
    times = ask_all()
    close_database()
    return times


def ask_all() -> list[float]:
    """Request uncached result pages for all queries. Return the milliseconds of each."""
    from django.test import Client as Browser

    browser, times = Browser(SERVER_NAME="localhost"), []
    for question in ("sevilla", *questions()):
        began = time.perf_counter()
        response = browser.get("/buscar/", {"q": question})
        times.append((time.perf_counter() - began) * 1000)
        if response.status_code != 200:
            raise RuntimeError(f"{question!r} was answered with {response.status_code}.")
    return times[1:]


def _speed(name: str, times: Sequence[float]) -> list[Figure]:
    note = f"{len(times)} questions, the slowest {max(times):.0f} ms"
    last = quantiles(times, n=20)[-1]
    return [
        Figure(name=name, value=median(times), bar=MEDIAN_BAR, unit="ms", note=note),
        Figure(name=f"{name}_p95", value=last, bar=P95_BAR, unit="ms"),
    ]


def _postgres(ground: ScratchSite, database: Path) -> list[Figure]:
    """Restore the same site into PostgreSQL in another process, and run the queries there."""
    from django.core.management import call_command

    backup = ground.folder / "search.zip"
    use_database(database)
    call_command("backup", str(backup), verbosity=0)
    close_database()
    with postgres() as server:
        variables = os.environ | {"DATABASE_URL": server.make("search")}
        command = [sys.executable, "-c", RESTORE_AND_ASK, str(backup)]
        asked = subprocess.run(
            command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE, text=True
        )
    return _speed("search_postgres", json.loads(asked.stdout.splitlines()[-1]))


def _cost(ground: ScratchSite, fifty: Path) -> Iterator[Figure]:
    whole = vacuumed_size(ground.copy(fifty, "scratch"))
    with closing(sqlite3.connect(ground.folder / "scratch.sqlite3")) as connection:
        connection.execute("DROP TABLE search_words")
        connection.execute("DROP TABLE search_entry")
    rest = vacuumed_size(ground.folder / "scratch.sqlite3")
    yield Figure(
        name="search_disk",
        value=100 * (whole - rest) / rest,
        bar=DISK_BAR,
        unit="%",
        note=f"{(whole - rest) / 50e3:.0f} of {rest / 50e3:.0f} kB a season",
    )
    pairs = in_turns(ROUNDS, lambda: _played(ground), lambda: _played_without(ground))
    # Use the minimum, because the median of so few values varies by as much as the target.
    with_index, without = (min(pair[at].cpu for pair in pairs) for at in (0, 1))
    yield Figure(
        name="search_time",
        value=100 * (with_index - without) / without,
        bar=TIME_BAR,
        unit="%",
        note=f"of the {without:.2f} s of a season and its winter",
    )


def _played(ground: ScratchSite) -> Spent:
    use_database(ground.copy(ground.planned, "scratch"))
    season = seasons.latest()
    with timed() as spent:
        seasons.play(season)
        seasons.winter(season)
    return spent


def _played_without(ground: ScratchSite) -> Spent:
    with ExitStack() as patches:
        for writer in WRITERS:
            patches.enter_context(mock.patch(writer))
        return _played(ground)


def restore_and_ask(backup: str) -> None:
    """Restore a backup into this process's database, and print the times of the answers."""
    from django.core.management import call_command
    from django.db import connection

    call_command("restore", backup, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(json.dumps(ask_all()))
