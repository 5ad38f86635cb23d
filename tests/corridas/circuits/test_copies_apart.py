"""What happens to a copy when its source or a user is deleted, hidden or changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.account_deletion.operations import delete_account, request_deletion
from accounts.models import User
from corridas.addresses import address
from corridas.circuits import copy_job, staging
from corridas.circuits.copying import request_copy
from corridas.circuits.operations import accept_circuit, delete_circuit
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy, Corrida, Deck, Lidia, Matador, Run
from search.models import Entry
from tests.corridas.circuits.barrio import NOW, copied, fought, founded, made
from tests.factories import small_circuit

pytestmark = pytest.mark.django_db
LATER = NOW + dt.timedelta(minutes=5)


@pytest.fixture
def carolina() -> User:
    return User.objects.create_user("carolina")


@pytest.fixture
def beto() -> User:
    return User.objects.create_user("beto")


@pytest.fixture
def barrio(carolina: User) -> Circuit:
    circuit = founded(carolina, "Circuito de carolina")
    fought(circuit)
    return circuit


@pytest.fixture
def blank() -> Deck:
    return Deck.objects.create(name="Blank", digest="d" * 64, cards="")


def leave(user: User) -> None:
    departure = request_deletion(user, at=NOW)
    assert delete_account(departure.pk, at=departure.due_at + dt.timedelta(days=1))


def meanwhile(patch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Call a function once during the copy, after the rows of the source have been read."""
    update = copy_job._update_references

    def update_after(*arguments: object) -> None:
        patch.setattr(copy_job, "_update_references", update)
        happens()
        update(*arguments)  # type: ignore[arg-type]

    patch.setattr(copy_job, "_update_references", update_after)


@pytest.mark.slow
def test_search_finds_all_corridas_of_a_copy_whose_source_was_deleted_meanwhile(
    barrio: Circuit, beto: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = copied(barrio, beto)
    job = request_copy(circuit=source, by=beto, at=NOW)

    def remove() -> None:
        assert delete_circuit(circuit=source, by=beto, at=NOW)
        assert copy_job.remove_copy(source.copied_by.pk, clock=lambda: LATER)

    meanwhile(monkeypatch, remove)
    copy = made(job).circuit
    assert copy is not None
    found = Entry.objects.filter(scope=copy.pk, kind="corrida").values_list("key", flat=True)
    corridas = Corrida.objects.filter(season__circuit=copy).values_list("pk", flat=True)
    assert sorted(found) == sorted(corridas)
    assert len(found) == 2


@pytest.mark.slow
def test_broken_records_of_a_copied_run_name_matadors_and_corridas_of_the_copy(
    barrio: Circuit, beto: User
) -> None:
    (run,) = Run.objects.filter(season__circuit=barrio)
    lidia = Lidia.objects.filter(corrida__season__circuit=barrio).earliest("turn")
    matador = Matador.objects.filter(circuit=barrio)[7]
    fell = {"key": "lidia_points", "value": 20, "before": 0, "turn": 1}
    run.fallen = [
        fell | {"matador_id": matador.pk, "corrida_id": lidia.corrida_id},
        fell | {"key": "lidia_low", "matador_id": None, "corrida_id": lidia.corrida_id},
    ]
    run.save()
    copy = copied(barrio, beto)
    told = Run.objects.get(season__circuit=copy)
    assert told.fallen is not None
    first, second = told.fallen
    again = Lidia.objects.get(corrida=first["corrida_id"], turn=lidia.turn)
    assert again.corrida.season.circuit_id == copy.pk
    copied_matador = Matador.objects.get(circuit=copy, name=matador.name)
    assert first["matador_id"] == copied_matador.pk != matador.pk
    assert (second["matador_id"], second["corrida_id"]) == (None, again.corrida_id)


def test_a_broken_record_of_a_copied_run_leads_to_the_corrida_of_the_copy(
    carolina: User, beto: User
) -> None:
    world = small_circuit("plain", "Plain", owner=carolina, public=True)
    day = dt.date(2027, 3, 2)
    corrida = Corrida.objects.create(
        season=world.season, plaza=world.plazas[0], date=day, state=Corrida.State.POSTED
    )
    fell = {"key": "lidia_points", "value": 20, "before": 0, "turn": 1}
    keys = {"matador_id": world.matadors[1].pk, "corrida_id": corrida.pk}
    done = Run.State.DONE
    Run.objects.create(
        season=world.season,
        until=day,
        state=done,
        asked_at=NOW,
        ended_at=NOW,
        fallen=[fell | keys],
    )
    copy = copied(world.circuit, beto)
    keys = {
        "matador_id": Matador.objects.get(circuit=copy, slug=world.matadors[1].slug).pk,
        "corrida_id": Corrida.objects.get(season__circuit=copy).pk,
    }
    assert Run.objects.get(season__circuit=copy).fallen == [fell | keys]


@pytest.mark.slow
def test_the_runs_of_a_copy_name_no_user(barrio: Circuit, carolina: User, beto: User) -> None:
    Run.objects.filter(season__circuit=barrio).update(asked_by=carolina)
    copy = copied(barrio, beto)
    (run,) = Run.objects.filter(season__circuit=copy)
    assert run.asked_by is None


@pytest.mark.slow
def test_a_user_who_deletes_the_account_during_the_copy_gets_no_copy(
    barrio: Circuit, beto: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(public=True)
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    meanwhile(monkeypatch, lambda: leave(beto))
    job = made(job)
    assert (job.state, job.reason) == ("failed", "gone")
    assert copy_job.leftover_copies(at=LATER) == [job.pk]


def test_a_user_who_is_locked_out_gets_no_copy(barrio: Circuit, beto: User) -> None:
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    User.objects.filter(pk=beto.pk).update(is_active=False)
    assert made(job).state == "failed"


@pytest.mark.slow
def test_copies_lose_the_name_of_a_director_who_deletes_the_account(
    barrio: Circuit, carolina: User, beto: User
) -> None:
    copy = copied(barrio, beto)
    assert copy.name == "Copy of Circuito de carolina"
    leave(carolina)
    copy.refresh_from_db()
    job = CircuitCopy.objects.get(circuit=copy)
    assert not [text for text in (copy.name, copy.slug, job.name) if "carolina" in text]
    assert copy.promised_as == "circuito-de-carolina"


@pytest.mark.slow
def test_a_copy_is_not_named_after_a_director_who_leaves_during_the_copy(
    barrio: Circuit, carolina: User, beto: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(public=True)
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    meanwhile(monkeypatch, lambda: leave(carolina))
    job = made(job)
    assert job.circuit is not None
    texts = (job.name, job.circuit.name, job.circuit.slug)
    assert not [text for text in texts if "carolina" in text]
    assert job.circuit.name == job.name


def test_a_copy_is_not_named_after_a_former_director_who_leaves_during_the_copy(
    carolina: User, beto: User, blank: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Circuit.objects.create(slug="c", name="Circuito de carolina", deck=blank, public=True)
    source.former_owners.add(carolina)
    job = request_copy(circuit=source, by=beto, at=NOW)
    meanwhile(monkeypatch, lambda: leave(carolina))
    job = made(job)
    assert job.circuit is not None
    assert "carolina" not in job.name
    assert job.circuit.name == job.name


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"archived_at": NOW}, "gone"), ({"public": False}, "hidden"), ({"incomplete": True}, "gone")],
)
def test_a_copy_fails_if_its_source_disappears_before_it_is_read(
    barrio: Circuit,
    beto: User,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, Any],
    reason: str,
) -> None:
    job = request_copy(circuit=barrio, by=beto, at=NOW)

    def stage_changed(source: Circuit) -> Any:
        Circuit.objects.filter(pk=barrio.pk).update(**change)
        return staging.stage(source)

    monkeypatch.setattr(copy_job, "stage", stage_changed)
    job = made(job)
    assert (job.state, job.reason, job.circuit) == ("failed", reason, None)


def test_a_deleted_or_archived_circuit_cannot_be_copied(
    barrio: Circuit, carolina: User, beto: User
) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(archived_at=NOW)
    with pytest.raises(OperationError, match=r"is archived\. Restore it first"):
        request_copy(circuit=barrio, by=carolina, at=NOW)
    Circuit.objects.filter(pk=barrio.pk).update(archived_at=None, incomplete=True)
    for ask in (
        lambda: request_copy(circuit=barrio, by=beto, at=NOW),
        lambda: accept_circuit(circuit=barrio, by=beto),
    ):
        with pytest.raises(OperationError, match="deleted or archived"):
            ask()
    assert not CircuitCopy.objects.exists()


def test_a_form_that_is_sent_twice_makes_one_copy(barrio: Circuit, beto: User) -> None:
    client = Client()
    client.force_login(beto)
    path = address(barrio.slug, "circuit_copy")
    answers = [client.post(path, {"csrfmiddlewaretoken": page}) for page in ("1", "1", "2")]
    first, second, other = (answer["Location"] for answer in answers)
    assert first == second != other
    assert CircuitCopy.objects.count() == 2


@pytest.mark.slow
def test_rows_of_a_copied_circuit_count_towards_the_limit_of_its_present_owner(
    barrio: Circuit, carolina: User, beto: User
) -> None:
    copy = copied(barrio, beto)
    assert CircuitCopy.objects.stored_rows(beto) > 100
    assert CircuitCopy.objects.stored_rows(carolina) == 0
    Circuit.objects.filter(pk=copy.pk).update(owner=carolina)
    assert CircuitCopy.objects.stored_rows(beto) == 0
    assert CircuitCopy.objects.stored_rows(carolina) > 100


@pytest.mark.slow
def test_deleting_a_copy_a_second_time_is_rejected(barrio: Circuit, beto: User) -> None:
    copy = copied(barrio, beto)
    assert delete_circuit(circuit=copy, by=beto, at=NOW)
    with pytest.raises(OperationError, match="deleted or archived"):
        delete_circuit(circuit=Circuit(pk=copy.pk, owner=beto, slug="x"), by=beto, at=NOW)


@pytest.mark.slow
def test_finished_copy_requests_without_a_circuit_are_deleted_after_a_month(
    barrio: Circuit, beto: User
) -> None:
    copied(barrio, beto)
    gone = request_copy(circuit=barrio, by=beto, at=NOW)
    copy_job.fail(gone.pk, CircuitCopy.Reason.GONE, at=NOW)
    copy_job.forget_copies(at=NOW + dt.timedelta(days=29))
    assert CircuitCopy.objects.count() == 2
    copy_job.forget_copies(at=NOW + dt.timedelta(days=30))
    assert CircuitCopy.objects.get().state == "done"


def test_the_request_of_a_copy_that_still_exists_is_never_deleted(beto: User, blank: Deck) -> None:
    copy = Circuit.objects.create(slug="copy", name="Copy", deck=blank, owner=beto)
    parts = {"asked_by": beto, "state": CircuitCopy.State.DONE, "asked_at": NOW, "ended_at": NOW}
    CircuitCopy.objects.create(circuit=copy, total=10, **parts)
    copy_job.forget_copies(at=NOW + dt.timedelta(days=365))
    assert CircuitCopy.objects.stored_rows(beto) == 10


@pytest.mark.slow
def test_a_copy_request_that_no_worker_takes_for_20_seconds_is_sent_again(
    barrio: Circuit, beto: User
) -> None:
    job = request_copy(circuit=barrio, by=beto, at=NOW)
    for seconds, lost in ((19, []), (20, [job.pk]), (21, [job.pk])):
        assert copy_job.lost_copies(at=NOW + dt.timedelta(seconds=seconds)) == lost
    for state in set(CircuitCopy.State) - {CircuitCopy.State.QUEUED}:
        CircuitCopy.objects.update(state=state, beat_at=LATER)
        assert copy_job.lost_copies(at=LATER) == [], "a worker has it, or it has ended"


ROOMS = ("season", "corrida", "matador", "plaza", "ganaderia", "bull", "run")


@pytest.mark.slow
def test_the_admin_shows_a_copy_only_when_it_is_complete(
    barrio: Circuit, beto: User, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("boss"))
    copy = copied(barrio, beto)

    def counted() -> dict[str, int]:
        return {
            room: client.get(f"/admin/corridas/{room}/?circuit={copy.pk}")
            .context["cl"]
            .result_count
            for room in ROOMS
        }

    season = f"/admin/corridas/season/{copy.seasons.get().pk}/change/"
    assert min(counted().values()) > 0
    assert client.get(season).status_code == 200
    Circuit.objects.filter(pk=copy.pk).update(incomplete=True)
    assert set(counted().values()) == {0}
    assert client.get(season).status_code == 302
