"""Hundreds of copies of the shipped circuit: primary keys, disk space, and playing meanwhile.

`--log-cli-level INFO` prints the figures.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from accounts.models import User
from core.sequences import highest_key, numbered_models, sequences_behind
from corridas.circuits.copy_job import make_copy, remove_copy
from corridas.circuits.copying import request_copy
from corridas.circuits.operations import delete_circuit
from corridas.circuits.staging import PARTS, rows_of
from corridas.models import Circuit, CircuitCopy, Run
from corridas.season.operations import Goal
from corridas.simulation.new_circuit import shipped
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.databases import Filling, opened
from tests.scratch import at_once

pytestmark = pytest.mark.nightly
log = logging.getLogger(__name__)

MEMBERS = tuple(f"member{number}" for number in range(10))
ROUNDS = 500
KEPT = 50
# The shipped calendar has 447 corridas, fewer than the rounds of this test, so more are added.
MORE = CalendarEntry("Corridas de pueblo", "valdemorillo", "03-02", 70, "daily")


@pytest.fixture(scope="session")
def filling() -> Filling:
    """Return the shipped circuit with a season, and ten users."""
    return Filling("copied-often", _fill)


def _fill() -> None:
    world.found("shipped", (*shipped().ferias, MORE))
    Circuit.objects.update(public=True)
    for name in MEMBERS:
        User.objects.create_user(name)


def source() -> Circuit:
    return Circuit.objects.get(slug="shipped")


def copy(name: str) -> CircuitCopy:
    job = request_copy(circuit=source(), by=User.objects.get(username=name), at=NOW)
    make_copy(job.pk, clock=lambda: NOW, fresh=Seed.fresh)
    return CircuitCopy.objects.select_related("circuit").get(pk=job.pk)


def play_one(circuit: Circuit) -> None:
    season = circuit.seasons.get()
    assert world.run_on(world.begin(season, Goal(corridas=1))).state == Run.State.DONE


def stored(circuit: Circuit) -> int:
    return sum(rows_of(model, circuit).count() for model in PARTS)


def keys() -> int:
    """Return the sum of the highest primary keys of all copied models."""
    return sum(highest_key(model) for model in numbered_models() if model in PARTS)


def disk() -> int:
    """Return the bytes of the database on disk.

    PostgreSQL reuses the space of deleted rows after a VACUUM, which autovacuum runs once a
    minute. This test does far more in a minute than an ordinary site.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM")
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        size = cursor.execute("PRAGMA page_size").fetchone()[0]
    return int(pages) * int(size)


@pytest.mark.timeout(5400)
def test_deleted_copies_free_their_disk_space(shared: str, settings: Settings) -> None:
    """500 copies are deleted again while the source is played.

    Then 50 copies are played and not deleted.
    """
    with opened(shared):
        keys_before, disk_before, rows_before = keys(), disk(), stored(source())
        copied = sum(_come_and_go(MEMBERS[number % len(MEMBERS)]) for number in range(ROUNDS))
        played, largest = stored(source()) - rows_before, stored(source())
        keys_between, disk_between = keys(), disk()
        assert list(Circuit.everything.values_list("slug", flat=True)) == ["shipped"]
        assert keys_between - keys_before <= copied + played
        settings.COPIED_ROWS_A_USER = 10**9
        kept = sum(_keep(MEMBERS[number % len(MEMBERS)]) for number in range(KEPT))
        # Primary keys of deleted copies must not be used again, which would show with the next row.
        assert keys() - keys_before <= copied + played + kept
        assert sequences_behind() == []
        of_a_row = (disk() - disk_between) / kept
        log.info("Rows copied, played, kept: %d, %d, %d", copied, played, kept)
        log.info("Keys up: %d, %d", keys_between - keys_before, keys() - keys_between)
        log.info("Bytes up: %d, %d", disk_between - disk_before, disk() - disk_between)
        assert disk_between - disk_before <= of_a_row * (played + 2 * largest)


def _come_and_go(name: str) -> int:
    """Copy the circuit, play a corrida in the source and delete the copy.

    Return the number of copied rows.
    """
    job = copy(name)
    assert job.state == CircuitCopy.State.DONE, job.reason
    play_one(source())
    assert job.circuit is not None
    assert job.asked_by is not None
    assert delete_circuit(circuit=job.circuit, by=job.asked_by, at=NOW)
    assert remove_copy(job.pk, clock=lambda: NOW)
    if connection.vendor == "postgresql":
        disk()
    return job.total


def _keep(name: str) -> int:
    """Copy the circuit and play a corrida in the copy, after archiving the user's other circuits.

    Return the number of rows of the copy.
    """
    user = User.objects.get(username=name)
    for old in Circuit.objects.filter(owner=user, archived_at=None):
        delete_circuit(circuit=old, by=user, at=NOW)
    job = copy(name)
    assert job.circuit is not None, job.reason
    play_one(job.circuit)
    return stored(job.circuit)


@pytest.mark.parametrize("site", range(3))
@pytest.mark.timeout(1800)
def test_a_season_can_be_played_while_sixteen_copies_are_made(shared: str, site: int) -> None:
    with opened(shared):
        run = world.begin(source().seasons.get(), Goal())

    def copies(name: str) -> list[str]:
        return [copy(name).state for _ in range(4)]

    works: list[Callable[[], object]] = [partial(copies, name) for name in MEMBERS[:4]]
    came = at_once(shared, lambda: world.run_on(run).state, *works)
    assert came == [Run.State.DONE, *[["done"] * 4] * 4]
    with opened(shared):
        made = [job.circuit for job in CircuitCopy.objects.select_related("circuit")]
        sizes = sorted(stored(circuit) for circuit in made if circuit)
        log.info("Rows of the copies: %s", sizes)
        assert len(made) == 16
        assert sizes[0] < sizes[-1], "The season was played meanwhile."
        call_command("verify", "corridas")
        call_command("rebuild", "escalafon", "--check")
        assert sequences_behind() == []
