"""Benchmark of imports: 5,000 bulls without and with an invalid row, and files of invalid rows.

The import of a file with an invalid row must report that row and store nothing. Files in which
every row is invalid must cost the page process hardly any time.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from django.utils import timezone

from accounts.models import User
from corridas.models import Bull, Change, Circuit, Ganaderia
from corridas.roster.exchange import commit, preview
from corridas.roster.files import BULLS, write_csv, write_workbook
from leagues.exchange.operations import FileFormat, preview_import, read_results
from leagues.league.operations import LeagueSettings, create_league
from leagues.players import new_player
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite, use_database
from tools.bench.timing import PAGES, bare_pages, in_pages, spent

BULLS_SENT = 5_000
NUMBERS = 399
BAD_ROW = 4_322  # as a spreadsheet counts
HOPELESS_ROWS = 59_000
COLUMNS = BULLS.needed()
# Pages of a bare Django.
BAR, HOPELESS_BAR = 60_000, 3_000
Row = Callable[[int], list[str]]
Kind = TypeVar("Kind")


def measure(site: ScratchSite) -> Iterator[Figure]:
    use_database(site.copy(site.planned, "exchange"))
    circuit, by = Circuit.objects.get(), User.objects.create_superuser("bench")
    slugs = list(Ganaderia.objects.order_by("slug").values_list("slug", flat=True))

    def bull(n: int) -> list[str]:
        number = str(n // len(slugs) % NUMBERS + 1)
        return [slugs[n % len(slugs)], "2020", number, "Farolero", "negro", "520"]

    def look(data: bytes, name: str = "bulls.csv") -> preview.Preview:
        return preview.preview_import(circuit=circuit, data=data, name=name, by=by)

    def refused(data: bytes, name: str = "bulls.csv") -> None:
        before, seen = Bull.objects.count(), look(data, name)
        faults = [(fault.line, fault.column, fault.value) for fault in seen.faults]
        assert faults == [(BAD_ROW, "weight", "5200")]
        assert not seen.token
        assert Bull.objects.count() == before
        assert not Change.objects.exists()

    def brought_in() -> None:
        token = look(write_csv(COLUMNS, rows).encode()).token
        commit.commit_import(circuit=circuit, token=token, by=by, at=timezone.now())

    rows = [bull(n) for n in range(BULLS_SENT)]
    bad = [list(row) for row in rows]
    bad[BAD_ROW - 2][-1] = "5200"
    as_csv, book = write_csv(COLUMNS, bad).encode(), write_workbook([("bulls", COLUMNS, bad)])
    yield _figure("import_bad_row", lambda: refused(as_csv))
    yield _figure("import_bad_xlsx", lambda: refused(book, "bulls.xlsx"))
    yield _figure("import_good", brought_in)
    assert Change.objects.exists()

    def hopeless(row: Row) -> None:
        seen = look(write_csv(COLUMNS, map(row, range(HOPELESS_ROWS))).encode())
        assert seen.wrong
        assert seen.unread

    herd = slugs[0]
    kinds: dict[str, Row] = {
        "weight": lambda n: [herd, "2020", f"{n % NUMBERS + 1}", "Farolero", "negro", "5200"],
        "herd": lambda n: [f"nowhere-{n}", "2020", "1", "Farolero", "negro", "520"],
        "twice": lambda n: [herd, "2020", "1", "Farolero", "negro", "520"],
        "cells": lambda _n: ["", "x", "y", "", "", "z"],
    }
    yield _hopeless("import_hopeless", kinds, hopeless)
    player = new_player(name="bench", at=timezone.now(), user=by)
    settings = LeagueSettings(name="Bench", game="dominoes", profile="rulebook")
    league = create_league(settings=settings, by=player, at=timezone.now())

    def hopeless_results(line: str) -> None:
        rows = (f"{n // 2},{line.format(n=n)},{n % 7}" for n in range(HOPELESS_ROWS // 2))
        data = "\n".join(["match,played_at,player,points", *rows]).encode()
        reading = read_results(league=league, data=data, file_format=FileFormat.CSV, by=player)
        at = dt.datetime.now(dt.UTC)
        assert not preview_import(league=league, reading=reading, by=player, at=at).adding

    lines = {
        "date": "never,ana",
        "future": "2096-01-01T20:00:00Z,P{n}",
        "nobody": "2026-01-01T20:00:00Z,",
    }
    yield _hopeless("import_hopeless_results", lines, hopeless_results)


def _figure(name: str, work: Callable[[], None]) -> Figure:
    """Measure an import by the wall clock, because another process reads the file."""
    bare_pages()
    before, whole, after = bare_pages(), spent(work), bare_pages()
    pages = 2 * PAGES * whole.wall / (before + after).wall
    return Figure(name, pages, bar=BAR, unit="pages", note=f"{whole.wall:.2f} s")


def _hopeless(name: str, kinds: Mapping[str, Kind], work: Callable[[Kind], None]) -> Figure:
    """Measure the slowest of several files by the processor time of this process."""
    times = {kind: in_pages(partial(spent, partial(work, given))) for kind, given in kinds.items()}
    note = ", ".join(f"{kind} {seconds:.2f} s" for kind, (_, seconds) in times.items())
    most = max(pages for pages, _ in times.values())
    return Figure(name, most, bar=HOPELESS_BAR, unit="pages", note=note)
