"""Benchmark of copying a circuit with fifty seasons, compared with plain insertion.

It also measures how long other writes wait meanwhile.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import F, Value
from django.utils import timezone

from accounts.models import User
from corridas.circuits.copy_job import make_copy
from corridas.circuits.copying import request_copy
from corridas.circuits.staging import PARTS, rows_of
from corridas.models import Circuit, CircuitCopy, Corrida, Run
from fairness import Seed
from tools.bench.elsewhere import ROOT, call, command
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite, use_database
from tools.bench.timing import timed

ROUNDS = 3
WAIT_BAR = 0.3  # seconds
CLICK_INTERVAL = 0.02  # seconds
ENTRIES = """
    INSERT INTO search_entry (kind, key, scope, weight, words)
    SELECT kind, key + %s, %s, weight, words FROM search_entry WHERE scope = %s
"""
# Far above all keys, so that plain insertion need not look for free ones.
OFFSET = 10**9


def measure(site: ScratchSite) -> Iterator[Figure]:
    """Measure the same site on both databases."""
    fifty, backup = site.fifty_seasons.path, str(site.folder / "copies.zip")
    use_database(fifty)
    call_command("backup", backup, verbosity=0)
    yield from _figures("copy", lambda: f"sqlite:///{site.copy(fifty, 'copies')}")
    with postgres() as server:
        call("backup.restore", backup, DATABASE_URL=server.make("fifty"))
        yield from _figures("copy_postgres", lambda: server.make("copies", like="fifty"))


def _figures(name: str, fresh_database: Callable[[], str]) -> Iterator[Figure]:
    """Copy and insert plainly in turns, each time in a new database and a new process."""
    turns, waits, rows = [], list[float](), 0
    for _ in range(ROUNDS):
        floor, rows = call("copies.insert", DATABASE_URL=fresh_database())
        whole, waited = call("copies.copy", DATABASE_URL=fresh_database())
        turns.append((whole, floor))
        waits += waited
    whole, floor = (median(side) for side in zip(*turns, strict=True))
    note = f"{rows:,} rows in {whole:.2f} s; one statement for each table, {floor:.2f} s"
    value = median(whole / floor for whole, floor in turns)
    yield Figure(name, value, bar=1.5, unit="x", note=note)
    note = f"the longest of {len(waits)} writes by another process; median {median(waits):.4f} s"
    yield Figure(f"{name}_wait", max(waits), bar=WAIT_BAR, unit="s", note=note)


def insert() -> tuple[float, int]:
    """Insert every row again with one statement a table, in one transaction."""
    source, rows = Circuit.objects.get(owner=None), 0
    empty = Circuit.objects.create(slug="plain", name="Plain", deck=source.deck)
    with timed() as spent, transaction.atomic(), connection.cursor() as cursor:
        for model in PARTS:
            rows += _insert_table(cursor, model, source, empty)
        cursor.execute(ENTRIES, [OFFSET, empty.pk, source.pk])
    return spent.wall, rows


def _insert_table(cursor: Any, model: Any, source: Circuit, target: Circuit) -> int:
    fields = model._meta.concrete_fields
    values = {}
    for field in fields:
        named = model if field.primary_key else field.related_model
        value: object = F(field.attname) + OFFSET if named in PARTS else F(field.attname)
        # As long as the corridas are missing, SQLite would search for them at every row.
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
    process = subprocess.Popen(
        command("copies.click"), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()  # it is ready
    waits: list[float] = []
    yield waits
    told, _ = process.communicate()
    waits += json.loads(told)


def click() -> list[float]:
    """Write again and again, as a click does, until standard input is closed."""
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
