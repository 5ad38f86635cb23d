"""Benchmark of the admin with very many bulls: the database work for the first page of the list."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

from tools.bench.database import use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from corridas.models import Bull

BULLS = 50_000
QUERIES_BAR = 12
LIST = "/admin/corridas/bull/"
# Sorted, searched, filtered and late pages, which are reported in the note of the figure.
OTHERS = ("?o=2", "?q=Toro+77", "?state=campo", "?of=2026", "?p=400")


def measure(where: ScratchSite) -> list[Figure]:
    use_database(where.copy(where.planned, "office"))
    herd_bulls()
    client = superuser()
    look(client, LIST)
    queries, seconds = look(client, LIST)
    others = [look(client, LIST + rest) for rest in OTHERS]
    slowest = max(spent for _queries, spent in others)
    most = max(counted for counted, _spent in others)
    return [
        Figure(
            name="office_bulls",
            value=queries,
            bar=QUERIES_BAR,
            unit="queries",
            note=f"first of {BULLS:,} bulls; sorted, searched, filtered, far down: {most} at most",
        ),
        Figure(
            name="office_bulls_seconds",
            value=seconds,
            unit="s",
            note=f"of one process, warm; the slowest of the others {slowest:.2f} s",
        ),
    ]


def herd_bulls() -> None:
    from corridas.models import Bull

    Bull.objects.bulk_create(islice(_born(), BULLS), batch_size=2000)


def _born() -> Iterator[Bull]:
    from corridas.models import Bull, Ganaderia

    herds = list(Ganaderia.objects.all())
    for year in range(2026, 2100):
        for herd in herds:
            for number in range(1, 100):
                yield Bull(
                    ganaderia=herd,
                    year=year,
                    number=number,
                    name=f"Toro {number}",
                    coat="negro",
                    weight=500,
                )


def superuser() -> Client:
    from django.test import Client

    from accounts.models import User

    client = Client()
    client.force_login(User.objects.create_superuser("ganadero"))
    return client


def look(client: Client, way: str) -> tuple[int, float]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        began = time.perf_counter()
        answer = client.get(way, headers={"host": "localhost"})
        spent = time.perf_counter() - began
    assert answer.status_code == 200, way
    return len(captured), spent
