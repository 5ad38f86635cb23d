"""Pages that offer, freeze and delete a circuit, the list of circuits, and permissions."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, Season
from tests.corridas.pages.barrio import founded
from tests.factories import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Client:
    return browser_of("ana")


# Offering, freezing and deleting


@pytest.mark.slow
def test_an_offered_circuit_changes_hands_when_the_offer_is_accepted(ana: Client) -> None:
    founded(public=False)
    berta = browser_of("berta")
    wrong = ana.post(address("barrio", "circuit_offer"), {"name": "nobody"})
    assert wrong.status_code == 422
    assert "No user is called “" in wrong.text
    ana.post(address("barrio", "circuit_offer"), {"name": "Berta"})
    settings = ana.get(address("barrio", "circuit_settings")).text
    assert "The circuit has been offered to berta" in " ".join(settings.split())
    assert ">offered to berta<" in ana.get(reverse("circuits")).text
    offered = berta.get(reverse("circuits")).text
    assert address("barrio", "circuit_answer") in offered
    assert ">offered to " not in offered
    answer = berta.post(address("barrio", "circuit_answer"), {"accept": "yes"})
    assert answer["Location"] == address("barrio", "desk")
    assert Circuit.objects.get().owner == User.objects.get(username="berta")
    assert ana.get(address("barrio", "home")).status_code == 404


def test_an_offer_can_be_declined_and_withdrawn(ana: Client) -> None:
    founded()
    berta = browser_of("berta")
    ana.post(address("barrio", "circuit_offer"), {"name": "berta"})
    berta.post(address("barrio", "circuit_answer"), {"decline": "yes"})
    assert Circuit.objects.get().offered_to is None
    ana.post(address("barrio", "circuit_offer"), {"name": "berta"})
    ana.post(address("barrio", "circuit_offer"), {"withdraw": "yes"})
    assert berta.post(address("barrio", "circuit_answer"), {"accept": "yes"}).status_code == 403


@pytest.mark.slow
def test_every_page_of_a_frozen_circuit_says_that_it_is_frozen(ana: Client, client: Client) -> None:
    founded(roster=Circuit.Roster.LEGENDS)
    cache.clear()
    names = ("home", "escalafon", "season", "matadors", "plazas", "herds")
    assert "is frozen" not in client.get(address("barrio", "escalafon")).text
    ana.post(address("barrio", "circuit_rest"), {"freeze": "yes"})
    for name in names:
        assert (
            "This circuit is frozen: no more corridas are played"
            in client.get(address("barrio", name)).text
        )
    answer = ana.post(address("barrio", "desk_run"), {"far": "next"})
    assert answer.status_code == 422
    assert "is frozen, so no corridas can be played in it." in answer.text
    ana.post(address("barrio", "circuit_rest"), {"thaw": "yes"})
    assert "is frozen" not in client.get(address("barrio", "escalafon")).text


def test_the_page_lists_what_will_be_deleted_with_a_circuit(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_delete")
    assert (
        "No corrida was ever fought in this circuit, so the circuit will be deleted for "
        "good, with everything listed here."
    ) in ana.get(way).text
    assert ana.post(way)["Location"] == reverse("circuits")
    assert not Circuit.objects.exists()


@pytest.mark.slow
def test_a_circuit_with_results_is_archived_and_can_be_restored(
    ana: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    founded()
    for name in (
        "corridas.circuits.operations.has_history",
        "corridas.circuit_queries.has_history",
    ):
        monkeypatch.setattr(name, lambda circuit: True)
    way = address("barrio", "circuit_delete")
    assert (
        "Corridas have been played in this circuit, so it will be archived and nothing "
        "will be lost. From then on, only you will be able to see its pages, and no more "
        "corridas will be played. You can restore the circuit within 30 days; after "
        "that, only an administrator can."
    ) in ana.get(way).text
    ana.post(way)
    assert client.get(address("barrio", "home")).status_code == 404
    assert ana.get(address("barrio", "home")).status_code == 200
    assert "Archived: only you can see this circuit." in ana.get(address("barrio", "matadors")).text
    ana.post(address("barrio", "circuit_restore"))
    assert client.get(address("barrio", "home")).status_code == 200
    late = timezone.now() - dt.timedelta(days=31)
    Circuit.objects.update(archived_at=late)
    assert (
        "You can no longer restore this circuit, because it was archived more than 30 "
        "days ago. Ask an administrator to restore it."
    ) in ana.get(reverse("circuits")).text
    assert (
        "You can no longer restore this circuit, because it was archived more than 30 "
        "days ago. Ask an administrator to restore it."
    ) in ana.post(address("barrio", "circuit_restore"), follow=True).text


DIRECTED = (
    *("desk", "circuit_settings", "circuit_calendar", "circuit_offer", "circuit_rest"),
    *("circuit_delete", "circuit_restore", "desk_begin", "desk_winter", "circuit_answer"),
)


@pytest.mark.parametrize("name", DIRECTED)
def test_another_user_cannot_open_the_pages_that_change_a_circuit(name: str) -> None:
    founded(roster=Circuit.Roster.LEGENDS)
    before = Circuit.objects.values().get()
    stranger = browser_of("stranger")
    way = address("barrio", name)
    assert stranger.post(way, {"name": "stranger", "year": "2028"}).status_code in {403, 405}
    assert stranger.get(way).status_code in {403, 405}
    assert Circuit.objects.values().get() == before
    assert Season.objects.count() == 1


@pytest.mark.parametrize("name", ["circuit_offer", "circuit_rest", "circuit_delete"])
def test_the_site_s_own_circuit_can_be_neither_frozen_nor_deleted(
    admin_client: Client, name: str
) -> None:
    founded("Leyendas")
    Circuit.objects.update(slug="leyendas", owner=None)
    page = admin_client.post(address("", name), {"name": "ana"}, follow=True)
    assert "This is the site’s own circuit and can’t be deleted." in page.text
    circuit = Circuit.objects.get()
    assert (circuit.offered_to, circuit.frozen_at, circuit.archived_at) == (None, None, None)


# The list of circuits


def test_the_list_shows_only_circuits_that_the_visitor_may_see(ana: Client, client: Client) -> None:
    founded("Mine", public=False)
    founded("Theirs", by="berta", public=False)
    founded("Open", by="berta")
    page = client.get(reverse("circuits")).text
    assert "Open" in page
    assert "Mine" not in page
    assert "Theirs" not in page
    page = ana.get(reverse("circuits")).text
    assert "Mine" in page
    assert "Theirs" not in page


def test_a_user_with_the_maximum_number_of_circuits_gets_a_message(
    ana: Client, settings: Any
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 1
    founded()
    assert "You can direct up to 1 circuits" in ana.get(reverse("circuits")).text
    founding = {"name": "One more", "visibility": "public", "roster": "legends", "year": "2027"}
    rules = {"shuffle": "each_bull", "bull_reading": "same_card", "bull_points": "separate"}
    answer = ana.post(reverse("circuit_new"), {"calendar": "shipped", **founding, **rules})
    assert answer.status_code == 422
    assert "direct at most 1 circuits" in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["circuits", "desk", "circuit_settings", "home"])
def test_the_list_of_circuits_needs_as_many_queries_for_many_circuits_as_for_few(
    ana: Client, name: str
) -> None:
    founded()
    one = _queries(ana, name)
    for number in range(3):
        founded(f"More {number}", public=False)
        founded(f"Their {number}", by="berta")
    assert _queries(ana, name) == one


def _queries(client: Client, name: str) -> int:
    cache.clear()
    way = reverse(name) if name == "circuits" else address("barrio", name)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(way).status_code == 200
    return len(queries)


@pytest.mark.parametrize(("late", "offered"), [(-1, True), (0, True), (1, False)])
def test_an_archived_circuit_is_offered_for_restoring_only_while_that_is_possible(
    ana: Client, monkeypatch: pytest.MonkeyPatch, late: int, offered: bool
) -> None:
    circuit, now = founded(), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    archived = now - dt.timedelta(days=30, seconds=late)
    Circuit.objects.filter(pk=circuit.pk).update(archived_at=archived)
    way = address("barrio", "circuit_restore")
    assert (f'action="{way}"' in ana.get(reverse("circuits")).text) is offered
    ana.post(way)
    assert (Circuit.objects.get().archived_at is None) is offered


@pytest.mark.slow
def test_a_user_with_the_maximum_of_circuits_gets_no_button_for_another(
    ana: Client, client: Client, settings: Settings
) -> None:
    """Restoring and accepting a circuit are only offered to users who may have another circuit."""
    archived, offered = founded(), founded("Otro")
    director = User.objects.get(username="ana")
    Circuit.objects.filter(pk=archived.pk).update(archived_at=timezone.now())
    Circuit.objects.filter(pk=offered.pk).update(offered_to=director, owner=None)
    for most, room in ((1, True), (0, False)):
        settings.MAX_CIRCUITS_PER_USER = most
        page = ana.get(reverse("circuits")).text
        restore = address("barrio", "circuit_restore")
        assert (f'action="{restore}"' in page) is room
        assert ('name="accept"' in page) is room
        assert 'name="decline"' in page
        assert (f"You can direct up to {most} circuits." in page) is not room
        if not room:
            assert "You can direct at most 0 circuits." in ana.post(restore, follow=True).text
