"""Benchmark of imports: 5,000 bulls without and with an invalid row, and files of invalid rows.

The import of a file with an invalid row must report that row and store nothing. Files in which
every row is invalid must cost the page process hardly any time.
"""

import datetime as dt
import io
from collections.abc import Callable
from time import perf_counter, process_time

from django.utils import timezone
from openpyxl import load_workbook

from accounts.models import User
from corridas.models import Bull, Change, Circuit, Ganaderia
from corridas.roster.exchange import commit, preview
from corridas.roster.exchange.preview import Preview
from corridas.roster.files import BULLS, write_csv, write_workbook
from leagues.exchange.operations import FileFormat, preview_import, read_results
from leagues.league.operations import LeagueSettings, create_league
from leagues.players import new_player
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

BULLS_SENT = 5_000
NUMBERS = 399
BAD_ROW = 4_322  # as a spreadsheet counts
BAR = 10.0  # seconds
HOPELESS_ROWS = 59_000
HOPELESS_BAR = 0.5  # seconds of the processor, without those of the process that reads the file
COLUMNS = BULLS.needed()


def measure(ground: ScratchSite) -> list[Figure]:
    """Import five thousand rows with an invalid one, as CSV and as a workbook, then valid rows."""
    use_database(ground.copy(ground.planned, "exchange"))
    circuit = Circuit.objects.get()
    by = User.objects.create_superuser("bench")
    rows = _rows(circuit)
    figures = [_refused(circuit, by, rows), _refused(circuit, by, rows, workbook=True)]
    figures.append(_brought_in(circuit, by, rows))
    figures += [_hopeless_roster(circuit, by), _hopeless_results(by)]
    close_database()
    return figures


def _rows(circuit: Circuit) -> list[list[str]]:
    herds = Ganaderia.objects.filter(circuit=circuit).order_by("slug")
    slugs = list(herds.values_list("slug", flat=True))
    return [
        [
            slugs[n % len(slugs)],
            "2020",
            str(n // len(slugs) % NUMBERS + 1),
            "Farolero",
            "negro",
            "520",
        ]
        for n in range(BULLS_SENT)
    ]


def _file(rows: list[list[str]], *, workbook: bool) -> tuple[bytes, str]:
    if workbook:
        return write_workbook([("bulls", COLUMNS, rows)]), "bulls.xlsx"
    return write_csv(COLUMNS, rows).encode(), "bulls.csv"


def _refused(
    circuit: Circuit, by: User, rows: list[list[str]], *, workbook: bool = False
) -> Figure:
    bad = [list(row) for row in rows]
    bad[BAD_ROW - 2][-1] = "5200"
    data, name = _file(bad, workbook=workbook)
    assert not workbook or load_workbook(io.BytesIO(data), read_only=True)
    before = Bull.objects.count()
    began = perf_counter()
    look = preview.preview_import(circuit=circuit, data=data, name=name, by=by)
    spent = perf_counter() - began
    right = (
        _finds_the_bad_row(look) and Bull.objects.count() == before and not Change.objects.exists()
    )
    kind = "import_bad_xlsx" if workbook else "import_bad_row"
    note = f"{look.faults[0]}" if right else "NOT TOLD, OR STORED"
    return Figure(name=kind, value=spent if right else float("nan"), bar=BAR, unit="s", note=note)


def _finds_the_bad_row(look: Preview) -> bool:
    faults = [(fault.line, fault.column, fault.value) for fault in look.faults]
    return faults == [(BAD_ROW, "weight", "5200")] and not look.token


def _brought_in(circuit: Circuit, by: User, rows: list[list[str]]) -> Figure:
    data, name = _file(rows, workbook=False)
    began = perf_counter()
    look = preview.preview_import(circuit=circuit, data=data, name=name, by=by)
    commit.commit_import(circuit=circuit, token=look.token, by=by, at=timezone.now())
    spent = perf_counter() - began
    note = f"{Bull.objects.count():,} bulls, {Change.objects.count():,} lines of history"
    return Figure(name="import_good", value=spent, bar=BAR, unit="s", note=note)


def _hopeless_roster(circuit: Circuit, by: User) -> Figure:
    """Measure the slowest of four files of bulls whose rows are all invalid in different ways."""
    herd = Ganaderia.objects.filter(circuit=circuit).order_by("slug").values_list("slug")[0][0]
    rows: dict[str, Callable[[int], list[str]]] = {
        "weight": lambda n: [herd, "2020", f"{n % NUMBERS + 1}", "Farolero", "negro", "5200"],
        "herd": lambda n: [f"nowhere-{n}", "2020", "1", "Farolero", "negro", "520"],
        "twice": lambda n: [herd, "2020", "1", "Farolero", "negro", "520"],
        "cells": lambda _n: ["", "x", "y", "", "", "z"],
    }
    spent = {}
    for name, row in rows.items():
        data = write_csv(COLUMNS, map(row, range(HOPELESS_ROWS))).encode()
        began = process_time()
        look = preview.preview_import(circuit=circuit, data=data, name="bulls.csv", by=by)
        spent[name] = process_time() - began
        assert look.wrong
        assert look.unread
    return _hopeless("import_hopeless", spent)


def _hopeless_results(by: User) -> Figure:
    """Measure the import of league results whose rows are all invalid.

    The dates are missing or in the future, or the names are unknown.
    """
    player = new_player(name="bench", at=timezone.now(), user=by)
    settings = LeagueSettings(name="Bench", game="dominoes", profile="rulebook")
    league = create_league(settings=settings, by=player, at=timezone.now())
    lines = {
        "date": "never,ana",
        "future": "2096-01-01T20:00:00Z,P{n}",
        "nobody": "2026-01-01T20:00:00Z,",
    }
    spent = {}
    for name, line in lines.items():
        rows = (f"{n // 2},{line.format(n=n)},{n % 7}" for n in range(HOPELESS_ROWS // 2))
        data = "\n".join(["match,played_at,player,points", *rows]).encode()
        at = dt.datetime.now(dt.UTC)
        began = process_time()
        reading = read_results(league=league, data=data, file_format=FileFormat.CSV, by=player)
        plan = preview_import(league=league, reading=reading, by=player, at=at)
        spent[name] = process_time() - began
        assert not plan.adding
    return _hopeless("import_hopeless_results", spent)


def _hopeless(name: str, spent: dict[str, float]) -> Figure:
    note = ", ".join(f"{kind} {seconds:.2f}" for kind, seconds in spent.items())
    return Figure(name=name, value=max(spent.values()), bar=HOPELESS_BAR, unit="s", note=note)
