"""Every CSV download of a page starts with a byte order mark and is streamed.

A new download makes this test fail until it is listed here.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from pytest_django import Settings

from tests.security.endpoints import Endpoint, address, endpoints
from tests.security.scene import Scene, set_up

ROOT = Path(__file__).parents[2]
# Folders that contain the function itself, or do not belong to the site.
ELSEWHERE = {ROOT / name for name in ("core", "tests", "tools")}
# URL names of downloads. Those of a circuit exist twice: for the shipped circuit and for any other.
OF_A_CIRCUIT = {
    *("matadors", "herds", "plazas", "bulls", "results"),
    *("escalafon", "escalafon_csv", "exchange_csv"),
}
DOWNLOADS = {
    *OF_A_CIRCUIT,
    *(f"circuit:{name}" for name in OF_A_CIRCUIT),
    *("league_export", "league_import_template"),
}
# Number of calls of `csv_response` in each file.
CALLS = {
    "corridas/pages/escalafon/ranking.py": 1,
    "corridas/pages/lists/views.py": 1,
    "corridas/pages/roster/exchange.py": 1,
    "leagues/pages/exchange/views.py": 2,
}
# API responses contain files as text, and set their content type themselves.
OF_THE_API = {"corridas/api/roster/exchange.py"}


@pytest.fixture
def scene(db: None, settings: Settings) -> Scene:
    settings.DOWNLOADS_A_MINUTE = 10**9
    return set_up()


def pages() -> Iterator[Endpoint]:
    for endpoint in endpoints():
        outside = endpoint.route.startswith(("admin/", "api/", "accounts/"))
        if endpoint.method == "GET" and not outside:
            yield endpoint


@pytest.mark.slow
def test_every_csv_download_has_a_byte_order_mark_and_is_streamed(scene: Scene) -> None:
    found = set()
    for endpoint in pages():
        for query in ({"format": "csv"}, {"form": "csv"}):
            cache.clear()
            answer = scene.clients["admin"].get(address(endpoint, scene), query)
            name = answer.headers.get("Content-Disposition", "")
            if "csv" not in answer.headers.get("Content-Type", "") and ".csv" not in name:
                continue
            found.add(endpoint.name)
            assert answer.streaming, endpoint.key
            body = answer.getvalue()
            assert body.startswith(codecs.BOM_UTF8), endpoint.key
            assert body.count(codecs.BOM_UTF8) == 1, endpoint.key
            head, *rows = csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""))
            assert all(re.fullmatch(r"[a-z][a-z0-9_]*", column) for column in head), head
            assert {len(row) for row in rows} <= {len(head)}
    assert found == DOWNLOADS


def test_csv_files_of_pages_are_made_by_one_function() -> None:
    """A file written in another way would lack the byte order mark."""
    calls, by_hand = {}, set()
    for package in sorted({path.parent for path in ROOT.glob("*/__init__.py")} - ELSEWHERE):
        for path in package.rglob("*.py"):
            name, text = str(path.relative_to(ROOT)), path.read_text("utf-8")
            if count := text.count("csv_response("):
                calls[name] = count
            if '"text/csv' in text:
                by_hand.add(name)
    assert calls == CALLS
    assert by_hand == OF_THE_API
