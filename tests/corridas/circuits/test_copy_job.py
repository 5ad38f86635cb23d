"""The job that makes a copy of a circuit: rejected, cancelled, interrupted and removed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from pytest_django import Settings

from accounts.models import Notice, User
from corridas.circuit_queries import circuits_left, circuits_of, seen_by
from corridas.circuits import copy_job, staging
from corridas.circuits.copying import cancel_copy, request_copy
from corridas.circuits.operations import delete_circuit, restore_circuit
from corridas.circuits.staging import PARTS
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy, Follow, Lidia, Matador
from corridas.season.operations import Goal, prepare_run
from fairness import Seed
from search.models import Entry
from tests.corridas.circuits.barrio import NOW, copied, fought, founded, made
from tests.corridas.simulation.world import run_on
from tests.databases import opened
from tests.scratch import dies_before

pytestmark = pytest.mark.django_db
LATER = NOW + dt.timedelta(minutes=5)


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def beto() -> User:
    return User.objects.create_user("beto")


@pytest.fixture
def barrio(ana: User) -> Circuit:
    circuit = founded(ana)
    fought(circuit)
    return circuit


def removed() -> None:
    for key in copy_job.leftover_copies(at=LATER):
        assert copy_job.remove_copy(key, clock=lambda: LATER)


def rows() -> dict[str, int]:
    counts = {model.__name__: model._base_manager.count() for model in PARTS}
    return counts | {"Entry": Entry.objects.count(), "Circuit": Circuit.everything.count()}


def delete(barrio: Circuit, beto: User) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(archived_at=NOW)


def hide(barrio: Circuit, beto: User) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(public=False)


@pytest.mark.slow
@pytest.mark.parametrize(("meanwhile", "reason"), [(delete, "gone"), (hide, "hidden")])
def test_a_copy_fails_if_its_source_is_archived_or_hidden_meanwhile(
    barrio: Circuit, beto: User, meanwhile: Callable[[Circuit, User], None], reason: str
) -> None:
    before = rows()
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    meanwhile(barrio, beto)
    job = made(job)
    assert (job.state, job.reason, job.circuit) == ("failed", reason, None)
    assert rows() == before
    (notice,) = Notice.objects.filter(user=beto)
    assert notice.kind == "circuit_copy_failed"


@pytest.mark.slow
def test_the_row_limit_of_copies_counts_archived_copies(
    barrio: Circuit, beto: User, settings: Settings
) -> None:
    copy = copied(barrio, beto)
    run_on(prepare_run(season=copy.seasons.get(), goal=Goal(corridas=1), at=NOW))
    settings.COPIED_ROWS_A_USER = CircuitCopy.objects.stored_rows(beto)
    assert settings.COPIED_ROWS_A_USER > 100
    assert not delete_circuit(circuit=copy, by=beto, at=NOW)
    with pytest.raises(OperationError, match="including archived copies"):
        request_copy(circuit=barrio, by=beto, at=NOW)
    settings.COPIED_ROWS_A_USER += 1
    before = rows()
    job = made(request_copy(circuit=barrio, by=beto, at=NOW))
    assert (job.state, job.reason) == ("failed", "budget")
    assert rows() == before
    beto.is_superuser = True
    beto.save()
    assert made(request_copy(circuit=barrio, by=beto, at=NOW)).state == "done"
    restore_circuit(circuit=Circuit.objects.get(pk=copy.pk), by=beto, at=NOW)


@pytest.mark.slow
def test_a_copy_in_which_nothing_was_played_is_deleted_completely(
    barrio: Circuit, beto: User
) -> None:
    before = rows()
    copy = copied(barrio, beto)
    Follow.objects.create(user=beto, matador=Matador.objects.filter(circuit=copy)[0], at=NOW)
    assert Lidia.objects.filter(corrida__season__circuit=copy).exists()
    assert delete_circuit(circuit=copy, by=beto, at=NOW)
    assert circuits_of(beto) == []
    assert circuits_left(beto) == 5
    removed()
    assert rows() == before
    assert CircuitCopy.objects.stored_rows(beto) == 0
    assert CircuitCopy.objects.get().circuit is None


@pytest.mark.slow
def test_an_incomplete_copy_is_visible_to_nobody(
    barrio: Circuit, beto: User, client: Client, settings: Settings
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 1
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    assert circuits_left(beto) == 0
    boss = User.objects.create_superuser("boss")
    complete = made(job)
    assert complete.circuit is not None
    address = f"/circuitos/{complete.circuit.slug}/"
    for user in (beto, boss):
        client.force_login(user)
        assert complete.circuit in seen_by(user)
        assert client.get(address).status_code == 200
        assert complete.circuit.name in client.get("/circuitos/").text or user is boss
    Circuit.objects.filter(pk=complete.circuit.pk).update(incomplete=True)
    for user in (beto, boss):
        client.force_login(user)
        assert complete.circuit not in seen_by(user)
        assert client.get(address).status_code == 404
        assert f"/circuitos/{complete.circuit.slug}/" not in client.get("/circuitos/").text
        assert client.get(f"/api/v1/circuits/{complete.circuit.slug}/").status_code == 404


@pytest.mark.slow
def test_only_the_user_who_requested_a_copy_can_cancel_it(
    barrio: Circuit, ana: User, beto: User
) -> None:
    before = rows()
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    with pytest.raises(PermissionDenied):
        cancel_copy(copy=job, by=ana, at=NOW)
    assert cancel_copy(copy=job, by=beto, at=NOW)
    job = made(job)
    assert (job.state, job.circuit) == ("cancelled", None)
    assert rows() == before
    assert not cancel_copy(
        copy=made(request_copy(circuit=barrio, by=beto, at=NOW)), by=beto, at=NOW
    )


@pytest.mark.slow
def test_a_copy_that_is_cancelled_halfway_is_removed(
    barrio: Circuit, beto: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    inserted = staging.insert_rows

    def insert_and_cancel(model: type, *args: object, **kwargs: object) -> None:
        inserted(model, *args, **kwargs)  # type: ignore[arg-type]
        if model is Matador:
            assert cancel_copy(copy=job, by=beto, at=NOW)

    monkeypatch.setattr(copy_job, "insert_rows", insert_and_cancel)
    job = made(job)
    assert (job.state, job.circuit) == ("cancelled", None)
    assert rows() == before


@pytest.mark.slow
def test_a_copy_fails_for_good_after_several_errors(
    barrio: Circuit, beto: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    job = request_copy(circuit=barrio, by=beto, at=NOW)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(copy_job, "_draw_new_seeds", fail)
    again = []
    for _ in range(copy_job.TRIES):
        with pytest.raises(RuntimeError):
            made(job)
        again.append(copy_job.note_breakdown(job.pk, at=NOW))
    assert again == [True, True, False]
    removed()
    job.refresh_from_db()
    assert (job.state, job.reason, job.circuit) == ("failed", "broken", None)
    assert rows() == before


@pytest.mark.slow
@pytest.mark.parametrize("statement", [150, 400, 700])
def test_a_copy_of_a_killed_worker_is_completed_by_another_worker(
    copies: Callable[[], str], statement: int
) -> None:
    url = copies()
    with opened(url):
        beto = User.objects.get(username="beto")
        wild = Circuit.objects.get(slug="wild")
        job = request_copy(circuit=wild, by=beto, at=NOW)
        before = rows()

    def work() -> object:
        return copy_job.make_copy(job.pk, clock=lambda: NOW, fresh=Seed.fresh)

    assert dies_before(url, statement, work)
    with opened(url):
        assert copy_job.lost_copies(at=LATER) == [job.pk]
        assert list(Circuit.objects.filter(owner=beto)) == []
        assert copy_job.make_copy(job.pk, clock=lambda: LATER, fresh=Seed.fresh)
        job = CircuitCopy.objects.select_related("circuit").get(pk=job.pk)
        assert job.circuit in circuits_of(beto)
        assert delete_circuit(circuit=job.circuit, by=beto, at=LATER)
        removed()
        assert rows() == before
