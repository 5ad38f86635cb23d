"""Several copies at once, while corridas are played: no errors, and no primary key is used
twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection
from pytest_django import Settings

from accounts.models import User
from core.sequences import highest_key, numbered_models, sequences_behind
from corridas.circuits.copy_job import make_copy
from corridas.circuits.copying import request_copy
from corridas.circuits.operations import accept_circuit
from corridas.circuits.staging import PARTS, rows_of, unchecked_references
from corridas.models import Cartel, Circuit, CircuitCopy, Corrida, Follow, Lidia, Run
from corridas.season.operations import Goal
from corridas.simulation import verify
from fairness import Seed
from tests.corridas.circuits.conftest import COPIERS
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.world import NOW
from tests.databases import opened
from tests.scratch import at_once

# Gaps between the keys of a copy and the last row before it. They come from rows that were deleted.
SPENT = 60


def copy(name: str, source: str = "wild") -> CircuitCopy:
    circuit = Circuit.objects.get(slug=source)
    job = request_copy(circuit=circuit, by=User.objects.get(username=name), at=NOW)
    make_copy(job.pk, clock=lambda: NOW, fresh=Seed.fresh)
    return CircuitCopy.objects.select_related("circuit").get(pk=job.pk)


@pytest.mark.slow
def test_four_users_can_copy_a_circuit_while_its_season_is_played(shared: str) -> None:
    with opened(shared):
        run = world.begin(world.wild(), Goal())

    def copies(name: str) -> list[str]:
        return [copy(name).state for _ in range(3)]

    works: list[Callable[[], object]] = [partial(copies, name) for name in COPIERS]
    came = at_once(shared, lambda: world.run_on(run).state, *works)
    assert came == [Run.State.DONE, *[["done"] * 3] * 4]
    with opened(shared):
        assert faults(world.wild()) == []
        assert sequences_behind() == []
        made = [job.circuit for job in CircuitCopy.objects.select_related("circuit")]
        assert len({circuit.slug for circuit in made if circuit}) == 12
        for circuit in made:
            assert circuit is not None
            posted = Corrida.objects.over().filter(season__circuit=circuit)
            assert [verify.check(corrida) for corrida in posted] == [()] * len(posted)
            assert len(posted) >= 2
        # The copy can be continued, so no sequence returns a primary key that already exists.
        fresh = copy("ana", "brief").circuit
        assert fresh is not None
        assert world.play_season(fresh.seasons.get()).state == Run.State.DONE


def test_foreign_keys_are_checked_only_for_rows_that_may_be_deleted_meanwhile(shared: str) -> None:
    def refuses_missing_rows() -> bool:
        beto = User.objects.get(username="beto")
        try:
            Follow.objects.create(user=beto, matador_id=2**40, at=NOW).delete()
        except IntegrityError:
            return True
        return False

    with opened(shared):
        checked = set()
        for model in PARTS:
            with unchecked_references(model):
                if refuses_missing_rows():
                    checked.add(model)
        # An administrator can delete the deck of a cartel whose circuit was removed meanwhile.
        assert checked == ({Cartel} if connection.vendor == "sqlite" else set(PARTS))
        assert copy("beto").state == CircuitCopy.State.DONE
        connection.check_constraints()
        assert refuses_missing_rows()


@pytest.mark.slow
def test_an_offered_circuit_can_be_accepted_and_copied_at_the_same_time(shared: str) -> None:
    """Taking the two locks in opposite orders would be a deadlock."""
    with opened(shared):
        beto, wild = User.objects.get(username="beto"), Circuit.objects.get(slug="wild")

    def offer() -> None:
        Circuit.objects.filter(pk=wild.pk).update(owner=None, offered_to=beto)

    for _ in range(4):
        with opened(shared):
            offer()
        came = at_once(
            shared,
            lambda: accept_circuit(circuit=wild, by=beto).owner_id,
            lambda: request_copy(circuit=wild, by=beto, at=NOW).name,
            reading="FOR UPDATE|^BEGIN",
        )
        assert came == [beto.pk, f"Copy of {wild.name}"]


@pytest.mark.slow
def test_a_copy_uses_as_many_primary_keys_as_it_has_rows(shared: str) -> None:
    with opened(shared):
        Circuit.objects.filter(slug="wild").update(public=True)
        for round_number in range(4):
            before = {model: highest_key(model) for model in numbered_models()}
            job = copy(COPIERS[round_number])
            assert job.circuit is not None
            for model in PARTS:
                keys = list(rows_of(model, job.circuit).order_by("pk").values_list("pk", flat=True))
                if keys and model in before:
                    assert keys == list(range(keys[0], keys[0] + len(keys))), model
                    assert before[model] < keys[0] < before[model] + SPENT, (round_number, model)
            # The source now has rows before and after those of the copy, so its keys have the
            # widest range.
            world.run_on(world.begin(world.wild(), Goal(corridas=1)))


@pytest.mark.slow
def test_only_one_of_several_simultaneous_copies_gets_the_last_rows_of_the_limit(
    shared: str, settings: Settings
) -> None:
    with opened(shared):
        once = copy("ana")
        CircuitCopy.objects.all().delete()
    settings.COPIED_ROWS_A_USER = once.total + once.total // 2
    came = at_once(shared, *[partial(copy, "beto")] * 3)
    assert sorted((job.state, job.reason) for job in came) == [
        ("done", ""),
        ("failed", "budget"),
        ("failed", "budget"),
    ]
    with opened(shared):
        made = Lidia.objects.filter(corrida__season__circuit__owner__username="beto")
        assert made.count() == once.lidias
