"""The decision to print all cards of a circuit again, and taking it back."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from accounts.models import User
from corridas.addresses import address
from corridas.circuits.operations import freeze_circuit, plan_season
from corridas.errors import OperationError
from corridas.models import Circuit, MatadorCard, Winter
from corridas.roster.new_cards import (
    NewCards,
    new_cards,
    print_new_cards,
    take_back_new_cards,
)
from corridas.season.operations import Goal, open_next_season, prepare_run
from corridas.simulation import verify
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import promise_winter
from corridas.world.roster import load_cards
from corridas.world.winter import VERSION
from fairness import Seed
from tests.corridas.circuits.barrio import NOW, copied, founded
from tests.corridas.simulation import world

LATER = NOW + dt.timedelta(days=1)


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def barrio(ana: User) -> Circuit:
    """Return a circuit of version 2 with a season planned for 2027."""
    return of_version_2(founded(ana))


def of_version_2(circuit: Circuit) -> Circuit:
    """Make this a circuit of version 2, and promise its winters again."""
    Circuit.objects.filter(pk=circuit.pk).update(cards_version=2)
    Winter.objects.filter(season__circuit=circuit).delete()
    for season in circuit.seasons.select_related("circuit"):
        promise_winter(season, Seed.fresh())
    circuit.refresh_from_db()
    return circuit


def decided(circuit: Circuit) -> dict[int, Any]:
    winters = Winter.objects.filter(season__circuit=circuit, new_cards_at__isnull=False)
    return dict(winters.values_list("season__year", "new_cards_at"))


def versions(circuit: Circuit) -> dict[int, int]:
    winters = Winter.objects.filter(season__circuit=circuit)
    return dict(winters.values_list("season__year", "version"))


def play_on(circuit: Circuit) -> None:
    season = circuit.seasons.filter(winter__done_at=None).order_by("year")[0]
    world.run_on(prepare_run(season=season, goal=Goal(), at=NOW))
    open_next_season(circuit=circuit, at=LATER)


def test_new_circuit_has_the_newest_cards_and_no_decision(ana: User) -> None:
    circuit = founded(ana)
    assert circuit.cards_version == VERSION == 3
    assert versions(circuit) == {2027: 3}
    assert new_cards(circuit) is None
    with pytest.raises(OperationError, match="already has the new cards"):
        print_new_cards(circuit=circuit, by=ana, at=NOW)
    with pytest.raises(OperationError, match="already has the new cards"):
        take_back_new_cards(circuit=circuit, by=ana)
    assert decided(circuit) == {}


@pytest.mark.parametrize("roster", [Circuit.Roster.GENERATED, Circuit.Roster.IMPORTED])
def test_new_circuit_with_another_roster_has_the_newest_version(ana: User, roster: Any) -> None:
    circuit = founded(ana, roster=roster, seed="A las cinco")
    assert circuit.cards_version == VERSION
    old = load_cards(version=2)
    faces = {tuple(card.ranges().values()) for card in old.values()}
    cards = MatadorCard.objects.filter(matador__circuit=circuit)
    assert not [card for card in cards if tuple(card.ranges().values()) in faces]
    assert cards.count() == (len(shipped().matadors) if roster == "generated" else 0)


def test_season_of_a_circuit_of_version_2_promises_a_winter_of_version_2(
    ana: User, barrio: Circuit
) -> None:
    plan_season(circuit=barrio, year=2028)
    assert versions(barrio) == {2027: 2, 2028: 2}


def test_deciding_twice_changes_nothing_and_can_be_taken_back(ana: User, barrio: Circuit) -> None:
    assert new_cards(barrio) == NewCards(year=2027)
    take_back_new_cards(circuit=barrio, by=ana)
    print_new_cards(circuit=barrio, by=ana, at=NOW)
    print_new_cards(circuit=barrio, by=ana, at=LATER)
    assert decided(barrio) == {2027: NOW}
    assert new_cards(barrio) == NewCards(year=2027, decided_at=NOW)
    take_back_new_cards(circuit=barrio, by=ana)
    take_back_new_cards(circuit=barrio, by=ana)
    assert decided(barrio) == {}
    assert Circuit.objects.get(pk=barrio.pk).cards_version == 2


def test_last_planned_winter_prints_the_cards_and_later_ones_are_of_version_3(
    ana: User, barrio: Circuit
) -> None:
    """Winters that are promised already keep their version."""
    plan_season(circuit=barrio, year=2029)
    print_new_cards(circuit=barrio, by=ana, at=NOW)
    assert decided(barrio) == {2029: NOW}
    plan_season(circuit=barrio, year=2028)
    take_back_new_cards(circuit=barrio, by=ana)
    print_new_cards(circuit=barrio, by=ana, at=NOW)
    plan_season(circuit=barrio, year=2030)
    assert versions(barrio) == {2027: 2, 2028: 2, 2029: 2, 2030: 3}
    assert new_cards(barrio) == NewCards(year=2029, decided_at=NOW, settled=True)
    with pytest.raises(OperationError, match="A season after 2029 has already been planned"):
        take_back_new_cards(circuit=barrio, by=ana)
    assert decided(barrio) == {2029: NOW}


@pytest.mark.slow
def test_after_the_winter_nothing_can_be_decided_or_taken_back(ana: User, barrio: Circuit) -> None:
    print_new_cards(circuit=barrio, by=ana, at=NOW)
    play_on(barrio)
    barrio.refresh_from_db()
    assert barrio.cards_version == 3
    assert versions(barrio) == {2027: 2, 2028: 3}
    winter = Winter.objects.get(season__circuit=barrio, season__year=2027)
    assert verify.check_winter(winter) == ()
    for deed in (print_new_cards, take_back_new_cards):
        more = {"at": LATER} if deed is print_new_cards else {}
        with pytest.raises(OperationError, match="already has the new cards"):
            deed(circuit=barrio, by=ana, **more)
    assert decided(barrio) == {2027: NOW}
    printed = MatadorCard.objects.filter(matador__circuit=barrio, since=2028)
    standing = barrio.matadors.exclude(state="retired")
    assert set(standing) <= {card.matador for card in printed.select_related("matador")}


@pytest.mark.slow
def test_without_a_decision_cards_and_winters_stay_as_they_are(ana: User, barrio: Circuit) -> None:
    print_new_cards(circuit=barrio, by=ana, at=NOW)
    take_back_new_cards(circuit=barrio, by=ana)
    play_on(barrio)
    barrio.refresh_from_db()
    assert barrio.cards_version == 2
    assert versions(barrio) == {2027: 2, 2028: 2}
    winter = Winter.objects.get(season__circuit=barrio, season__year=2027)
    assert verify.check_winter(winter) == ()
    assert MatadorCard.objects.filter(matador__circuit=barrio, since=2028).count() < 50


def test_frozen_or_archived_circuit_or_one_without_a_season_decides_nothing(
    ana: User, barrio: Circuit
) -> None:
    freeze_circuit(circuit=barrio, by=ana, at=NOW)
    with pytest.raises(OperationError, match="is frozen"):
        print_new_cards(circuit=barrio, by=ana, at=NOW)
    with pytest.raises(OperationError, match="is frozen"):
        take_back_new_cards(circuit=barrio, by=ana)
    Circuit.objects.filter(pk=barrio.pk).update(frozen_at=None, archived_at=NOW)
    with pytest.raises(OperationError, match="is archived"):
        print_new_cards(circuit=barrio, by=ana, at=NOW)
    empty = of_version_2(founded(ana, "Vacío", roster=Circuit.Roster.IMPORTED))
    assert new_cards(empty) is None
    with pytest.raises(OperationError, match="Plan a season of Vacío first"):
        print_new_cards(circuit=empty, by=ana, at=NOW)
    assert decided(barrio) == decided(empty) == {}


def test_only_people_who_maintain_the_roster_decide(ana: User, barrio: Circuit) -> None:
    stranger = User.objects.create_user("beto")
    for deed in (
        lambda: print_new_cards(circuit=barrio, by=stranger, at=NOW),
        lambda: take_back_new_cards(circuit=barrio, by=stranger),
    ):
        with pytest.raises(PermissionDenied):
            deed()
    keeper = User.objects.create_superuser("keeper")
    Circuit.objects.filter(pk=barrio.pk).update(owner=None)
    print_new_cards(circuit=barrio, by=keeper, at=NOW)
    assert decided(barrio) == {2027: NOW}


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
def test_copy_has_the_version_and_the_decision_of_its_source(
    ana: User, barrio: Circuit, version: int
) -> None:
    Circuit.objects.filter(pk=barrio.pk).update(cards_version=version)
    Winter.objects.update(new_cards_at=NOW if version == 2 else None)
    barrio.refresh_from_db()
    copy = copied(barrio, ana)
    assert copy.cards_version == version
    assert new_cards(copy) == new_cards(barrio)
    play_on(copy)
    assert versions(copy) == {2027: 2, 2028: 3}
    assert Circuit.objects.get(pk=copy.pk).cards_version == 3
    assert decided(barrio) == decided(copy)


@pytest.mark.slow
def test_pages_explain_the_decision_and_what_it_did(
    ana: User, barrio: Circuit, client: Client
) -> None:
    client.force_login(ana)
    exchange, winter = address(barrio.slug, "exchange"), address(barrio.slug, "winter", year=2027)
    settings = address(barrio.slug, "circuit_settings")
    assert "See what changes" in client.get(settings).text
    page = client.get(exchange).text
    assert 'name="new_cards" value="print"' in page
    assert "The winter after the 2027 season is already sealed" in page
    assert "all cards are printed again" not in client.get(winter).text
    for _ in range(2):
        page = client.post(exchange, {"new_cards": "print"}, follow=True).text
        assert "All cards will be printed again in the winter." in page
        assert 'name="new_cards" value="back"' in page
    assert "At the end of this winter all cards are printed again" in client.get(winter).text
    page = client.post(exchange, {"new_cards": "back"}, follow=True).text
    assert "The cards stay as they are." in page
    assert "all cards are printed again" not in client.get(winter).text
    client.post(exchange, {"new_cards": "print"})
    told = client.get(f"/api/v1/circuits/{barrio.slug}/seasons/2027/winter/").json()
    assert dt.datetime.fromisoformat(told["new_cards_at"]) == decided(barrio)[2027]
    assert client.get(f"/api/v1/circuits/{barrio.slug}/").json()["cards_version"] == 2
    plan_season(circuit=barrio, year=2028)
    page = client.get(exchange).text
    assert "This can no longer be taken back" in page
    play_on(barrio)
    assert "all cards were printed again" in client.get(winter).text
    for page in (client.get(exchange).text, client.get(settings).text):
        assert "Print all cards again" not in page
    page = client.post(exchange, {"new_cards": "back"}, follow=True).text
    assert "already has the new cards" in page
    assert client.get(f"/api/v1/circuits/{barrio.slug}/").json()["cards_version"] == 3
