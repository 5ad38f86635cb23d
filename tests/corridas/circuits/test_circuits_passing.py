"""Offering, freezing and deleting circuits, and limits on how much a user may have."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import Settings

from accounts.models import Notice, User
from corridas.circuits import operations as asked
from corridas.errors import OperationError
from corridas.models import Bull, Circuit, Corrida, Matador, Run, Season
from corridas.roster.exchange.preview import preview_import
from corridas.season import operations as season_operations
from corridas.season.operations import prepare_run
from corridas.simulation.draw import announce
from corridas.world.roster import DATA
from fairness import Seed
from tests.corridas.circuits.barrio import NOW, Roster, fought, founded

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def stranger() -> User:
    return User.objects.create_user("stranger")


# Offering a circuit to another user


def test_an_offered_circuit_belongs_to_the_user_who_accepts_it(ana: User, stranger: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name=" Stranger ", by=ana)
    (notice,) = Notice.objects.all()
    assert (notice.user, notice.kind) == (stranger, "circuit_offered")
    asked.accept_circuit(circuit=circuit, by=stranger)
    circuit.refresh_from_db()
    assert (circuit.owner, circuit.offered_to) == (stranger, None)
    assert list(circuit.former_owners.all()) == [ana]
    with pytest.raises(PermissionDenied):
        asked.freeze_circuit(circuit=circuit, by=ana, at=NOW)


def test_an_offer_can_be_declined_or_withdrawn(ana: User, stranger: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    asked.decline_circuit(circuit=circuit, by=stranger)
    with pytest.raises(PermissionDenied):
        asked.accept_circuit(circuit=circuit, by=stranger)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    asked.withdraw_offer(circuit=circuit, by=ana)
    with pytest.raises(PermissionDenied):
        asked.accept_circuit(circuit=circuit, by=stranger)
    with pytest.raises(OperationError, match="This circuit is not being offered to anybody"):
        asked.withdraw_offer(circuit=circuit, by=ana)


def test_a_superuser_offers_a_circuit_to_anybody_but_its_director(ana: User) -> None:
    root = User.objects.create_superuser("root")
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError, match="ana already directs this circuit"):
        asked.offer_circuit(circuit=circuit, name="ana", by=root)
    assert asked.offer_circuit(circuit=circuit, name="root", by=root) == root


def test_a_superuser_restores_a_circuit_of_a_director_who_has_the_maximum(
    ana: User, settings: Settings
) -> None:
    """The director cannot."""
    root = User.objects.create_superuser("root")
    settings.MAX_CIRCUITS_PER_USER = 1
    circuit = founded(ana, "One", roster=Roster.IMPORTED)
    Circuit.objects.filter(pk=circuit.pk).update(archived_at=NOW - dt.timedelta(days=99))
    founded(ana, "Two", roster=Roster.IMPORTED)
    asked.restore_circuit(circuit=circuit, by=root, at=NOW)
    assert Circuit.objects.get(pk=circuit.pk).archived_at is None
    Circuit.objects.filter(pk=circuit.pk).update(archived_at=NOW)
    with pytest.raises(OperationError, match="direct at most 1 circuits"):
        asked.restore_circuit(circuit=circuit, by=ana, at=NOW)


@pytest.mark.parametrize("name", ["nobody", "", "ana"])
def test_an_offer_to_an_unknown_user_or_to_oneself_is_rejected(ana: User, name: str) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError) as refused:
        asked.offer_circuit(circuit=circuit, name=name, by=ana)
    assert refused.value.field == "name"


# Freezing and deleting a circuit


def test_nothing_can_be_played_in_a_frozen_circuit(ana: User) -> None:
    circuit = founded(ana)
    season = circuit.seasons.get()
    prepare_run(season=season, goal=season_operations.Goal(), at=NOW)
    asked.freeze_circuit(circuit=circuit, by=ana, at=NOW)
    assert Run.objects.get().state == Run.State.STOPPED
    corrida = season.corridas.earliest("date")
    refusals: list[Callable[[], object]] = [
        lambda: season_operations.run_season(season=season, goal=season_operations.Goal(), at=NOW),
        lambda: season_operations.queue_corrida(corrida=corrida, pace_ms=1000, at=NOW),
        lambda: asked.plan_season(circuit=Circuit.objects.get(), year=2028),
        lambda: asked.freeze_circuit(circuit=circuit, by=ana, at=NOW),
    ]
    for refused in refusals:
        with pytest.raises(OperationError, match="frozen"):
            refused()
    asked.thaw_circuit(circuit=circuit, by=ana)
    prepare_run(season=season, goal=season_operations.Goal(), at=NOW)


def test_a_circuit_in_which_nothing_was_played_is_deleted_completely(ana: User) -> None:
    circuit = founded(ana)
    announce(circuit.seasons.get(), until=dt.date(2027, 12, 31), fresh=Seed.fresh)
    assert Bull.objects.exists()
    assert asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    left = (Circuit, Season, Corrida, Matador, Bull)
    assert not any(model.objects.exists() for model in left)


def test_a_circuit_with_results_is_archived_and_can_be_restored(ana: User) -> None:
    circuit = founded(ana)
    fought(circuit)
    assert not asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    assert Corrida.objects.filter(state__in=Corrida.OVER).exists()
    circuit.refresh_from_db()
    assert circuit.archived_at == NOW
    with pytest.raises(OperationError, match="is already archived"):
        asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    late = NOW + dt.timedelta(days=30, seconds=1)
    with pytest.raises(
        OperationError,
        match=r"You can no longer restore this circuit, because it was archived more than 30 days "
        r"ago\. Ask an administrator to restore it.",
    ):
        asked.restore_circuit(circuit=circuit, by=ana, at=late)
    asked.restore_circuit(circuit=circuit, by=ana, at=NOW + dt.timedelta(days=30))
    assert Circuit.objects.get().archived_at is None


# Limits


def test_a_user_may_have_only_a_limited_number_of_circuits(
    ana: User, stranger: User, settings: Settings
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 1
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError, match="direct at most 1 circuits"):
        founded(ana, roster=Roster.IMPORTED)
    founded(stranger, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    with pytest.raises(OperationError, match="direct at most 1 circuits"):
        asked.accept_circuit(circuit=circuit, by=stranger)
    root = User.objects.create_superuser("root")
    founded(root, roster=Roster.IMPORTED)
    founded(root, roster=Roster.IMPORTED)


def test_a_circuit_may_have_only_a_limited_number_of_seasons(ana: User, settings: Settings) -> None:
    settings.SEASONS_A_CIRCUIT = 1
    circuit = founded(ana)
    with pytest.raises(OperationError, match="at most 1 seasons"):
        asked.plan_season(circuit=circuit, year=2028)


def test_a_user_may_have_only_a_limited_number_of_corridas_on_air(
    ana: User, settings: Settings
) -> None:
    settings.MAX_LIVE_CORRIDAS_PER_USER = 1
    first, second = founded(ana), founded(ana)
    Corrida.objects.filter(pk=first.seasons.get().corridas.earliest("date").pk).update(
        state=Corrida.State.QUEUED
    )
    corrida = second.seasons.get().corridas.earliest("date")
    with pytest.raises(OperationError, match="at most 1 corridas on air"):
        season_operations.queue_corrida(corrida=corrida, pace_ms=1000, at=NOW)


def test_an_import_with_more_matadors_than_a_circuit_may_have_is_rejected(
    ana: User, settings: Settings
) -> None:
    settings.MATADORS_A_CIRCUIT = 49
    circuit = founded(ana, roster=Roster.IMPORTED)
    data = (DATA / "matadors.csv").read_bytes()
    look = preview_import(circuit=circuit, data=data, name="matadors.csv", by=ana)
    (fault,) = look.faults
    assert fault.said == "A roster can have at most 49 matadors."
    settings.MATADORS_A_CIRCUIT = 50
    assert not preview_import(circuit=circuit, data=data, name="matadors.csv", by=ana).faults
