"""Benchmark of copying a circuit with fifty seasons, compared with plain insertion.

It also measures how long other writes wait meanwhile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from tools.bench.database import use_database
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import timed
from tools.bench.web_server import ROOT

ROUNDS = 3
COPY_BAR = 1.5
WAIT_BAR = 0.3  # seconds
CLICK_INTERVAL = 0.02  # seconds
ENTRIES = """
    INSERT INTO search_entry (kind, key, scope, weight, words)
    SELECT kind, key + %s, %s, weight, words FROM search_entry WHERE scope = %s
"""
# Far above all keys, so that plain insertion need not look for free ones.
OFFSET = 10**9


def measure(ground: ScratchSite) -> list[Figure]:
    """Measure the same site on both databases."""
    from django.core.management import call_command

    from tools.bench.careers import FiftySeasons

    fifty = FiftySeasons(ground).path
    use_database(fifty)
    backup = ground.folder / "copies.zip"
    call_command("backup", str(backup), verbosity=0)
    figures = _figures("copy", lambda: f"sqlite:///{ground.copy(fifty, 'copies')}")
    with postgres() as server:
        _run("restore", server.make("fifty"), str(backup))
        figures += _figures("copy_postgres", lambda: server.make("copies", like="fifty"))
    return figures


def _figures(name: str, fresh_database: Callable[[], str]) -> list[Figure]:
    """Copy and insert plainly in turns, each time in a new database and a new process."""
    copied, plain, waits, rows = [], [], [], 0
    for _ in range(ROUNDS):
        seconds, rows = _run("insert", fresh_database())
        plain.append(seconds)
        seconds, waited = _run("copy", fresh_database())
        copied.append(seconds)
        waits += waited
    return [
        Figure(
            name=name,
            value=median(whole / floor for whole, floor in zip(copied, plain, strict=True)),
            bar=COPY_BAR,
            unit="x",
            note=f"{rows:,} rows in {median(copied):.2f} s, "
            f"one statement a table in {median(plain):.2f} s",
        ),
        Figure(
            name=f"{name}_wait",
            value=max(waits),
            bar=WAIT_BAR,
            unit="s",
            note=f"the longest of {len(waits)} writes elsewhere, half took {median(waits):.4f} s",
        ),
    ]


def _run(task: str, url: str, *arguments: str) -> Any:
    """Run one of `TASKS` in a process of its own that uses this database. Return its result."""
    command = [sys.executable, "-m", "tools.bench.copies", task, *arguments]
    variables = os.environ | {"DATABASE_URL": url}
    told = subprocess.run(
        command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(told.stdout.splitlines()[-1])


def restore(backup: str) -> None:
    from django.core.management import call_command
    from django.db import connection

    call_command("restore", backup, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def insert() -> tuple[float, int]:
    """Insert every row again with one statement a table, in one transaction."""
    from django.db import connection, transaction

    from corridas.circuits.staging import PARTS
    from corridas.models import Circuit

    source, rows = Circuit.objects.get(owner=None), 0
    empty = Circuit.objects.create(slug="plain", name="Plain", deck=source.deck)
    with timed() as spent, transaction.atomic(), connection.cursor() as cursor:
        for model in PARTS:
            rows += _insert_table(cursor, model, source, empty)
        cursor.execute(ENTRIES, [OFFSET, empty.pk, source.pk])
    return spent.wall, rows


def _insert_table(cursor: Any, model: Any, source: Any, target: Any) -> int:
    from django.db.models import F, Value

    from corridas.circuits.staging import PARTS, rows_of
    from corridas.models import Circuit, Corrida, Run

    fields = model._meta.concrete_fields
    values = {}
    for field in fields:
        named = model if field.primary_key else field.related_model
        value: Any = F(field.attname) + OFFSET if named in PARTS else F(field.attname)
        # With corridas that are missing yet, SQLite looks for them with every row.
        if model is Run and named is Corrida:
            value = Value(None, output_field=field)
        values[f"new_{field.attname}"] = Value(target.pk) if named is Circuit else value
    sql, parameters = (
        rows_of(model, source).annotate(**values).values_list(*values).query.sql_with_params()
    )
    names = ", ".join(f'"{field.column}"' for field in fields)
    cursor.execute(f'INSERT INTO "{model._meta.db_table}" ({names}) {sql}', parameters)
    return int(cursor.rowcount)


def copy() -> tuple[float, list[float]]:
    """Copy the circuit as a worker does. Return the seconds, and those that other writes took."""
    from django.utils import timezone

    from accounts.models import User
    from corridas.circuits.copy_job import make_copy
    from corridas.circuits.copying import request_copy
    from corridas.models import Circuit, CircuitCopy
    from fairness import Seed

    by = User.objects.create_superuser("copier")
    source = Circuit.objects.get(owner=None)
    job = request_copy(circuit=source, by=by, at=timezone.now())
    with _clicks() as waits, timed() as spent:
        make_copy(job.pk, clock=timezone.now, fresh=Seed.fresh)
    job.refresh_from_db()
    assert job.state == CircuitCopy.State.DONE
    return spent.wall, waits


@contextmanager
def _clicks() -> Iterator[list[float]]:
    """Yield a list of how long writes waited in another process, filled at the end."""
    command = [sys.executable, "-m", "tools.bench.copies", "click"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()  # it is ready
    waits: list[float] = []
    yield waits
    told, _ = process.communicate()
    waits += json.loads(told)


def click() -> list[float]:
    """Write again and again, as a click does, until standard input is closed."""
    from accounts.models import User

    ended = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    waits = []
    User.objects.filter(username="copier").update(first_name="clicked")
    print("ready", flush=True)
    while not ended.wait(CLICK_INTERVAL):
        began = time.perf_counter()
        User.objects.filter(username="copier").update(first_name="clicked")
        waits.append(time.perf_counter() - began)
    return waits


TASKS: dict[str, Callable[..., object]] = {
    "restore": restore,
    "insert": insert,
    "copy": copy,
    "click": click,
}

if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
