"""Founding a circuit and running it, page by page, as a user who directs nothing else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, Corrida, Season
from corridas.operations import circuits as asked
from tests.corridas.rows.world import BRIEF

pytestmark = pytest.mark.django_db

FIRST = {
    "name": "Circuito del Barrio",
    "visibility": "private",
    "shuffle": "each_bull",
    "bull_reading": "same_card",
    "bull_points": "separate",
    "roster": "legends",
    "seed": "",
    "year": "2027",
    "calendar": "own",
    "rows-TOTAL_FORMS": "2",
    "rows-INITIAL_FORMS": "0",
    "rows-0-plaza": "las-ventas",
    "rows-0-starts": "05-15",
    "rows-0-corridas": "2",
    "rows-0-days": "daily",
}


@pytest.fixture
def ana() -> Client:
    return entered("ana")


def entered(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get_or_create(username=name)[0])
    return client


def founded(name: str = "Barrio", by: str = "ana", **parts: Any) -> Circuit:
    user, _new = User.objects.get_or_create(username=by)
    given: dict[str, Any] = {"roster": Circuit.Roster.IMPORTED, "year": 2027, "calendar": BRIEF}
    founding = asked.Founding(name=name, **given | parts)
    return asked.found_circuit(founding=founding, by=user, at=timezone.now())


def found(client: Client, **changes: str) -> Any:
    return client.post(reverse("circuit_new"), FIRST | changes)


# Founding -----------------------------------------------------------------------------------


def test_a_visitor_is_asked_to_sign_in(client: Client) -> None:
    answer = client.get(reverse("circuit_new"))
    assert "login" in answer["Location"]
    assert client.get(reverse("circuits")).status_code == 200


def test_a_user_founds_a_circuit_and_sits_at_its_desk(ana: Client) -> None:
    page = ana.get(reverse("circuit_new")).text
    assert 'name="seed" value="' in page
    answer = found(ana)
    assert answer["Location"] == address("circuito-del-barrio", "desk")
    desk = ana.get(answer["Location"])
    assert desk.status_code == 200
    assert "is founded" in desk.text
    assert "2 corridas are still to come" in desk.text
    circuit = Circuit.objects.get()
    assert not circuit.public
    assert circuit.calendar == [
        {
            "feria": "Corridas in Madrid",
            "plaza": "las-ventas",
            "starts": "05-15",
            "corridas": 2,
            "days": "daily",
        }
    ]


@pytest.mark.parametrize(
    ("changes", "corridas"),
    [
        ({"calendar": "shipped"}, None),
        ({"calendar": "first"}, None),
        ({"calendar": "some", "ferias": "0"}, 6),
    ],
)
def test_calendars_to_choose_from(
    ana: Client, changes: dict[str, str], corridas: int | None
) -> None:
    found(ana, **changes)
    planned = Corrida.objects.count()
    categories = set(Corrida.objects.values_list("plaza__category", flat=True))
    if changes["calendar"] == "first":
        assert categories == {1}
    elif changes["calendar"] == "some":
        assert planned == corridas
    else:
        assert categories == {1, 2, 3}


def test_an_invented_roster_shows_its_seed(ana: Client) -> None:
    found(ana, roster="generated", seed="sol y sombra")
    page = ana.get(address("circuito-del-barrio", "home")).text
    assert "sol y sombra" in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"calendar": "some"}, "Choose at least one feria"),
        ({"rows-0-starts": "05-32"}, "is no first day"),
        ({"rows-0-starts": ""}, "Write the first day"),
        ({"rows-0-plaza": ""}, "Choose the plaza"),
        ({"rows-0-starts": "12-30", "rows-0-corridas": "9"}, "do not fit into the year"),
        ({"rows-0-corridas": "61"}, "less than or equal to 60"),
        ({"rows-0-plaza": "", "rows-0-starts": ""}, "Write at least one row"),
        ({"roster": "generated"}, "A roster is drawn from 1 to 64 letters"),
        ({"rows-TOTAL_FORMS": "nonsense"}, "Write at least one row"),
    ],
)
def test_what_cannot_be_founded_is_said_at_its_place(
    ana: Client, changes: dict[str, str], said: str
) -> None:
    answer = found(ana, **changes)
    assert answer.status_code == 422
    assert said in answer.text
    assert not Circuit.objects.exists()


def test_more_rows_keep_what_was_written(ana: Client) -> None:
    page = found(ana, more="rows", name="Mine", **{"rows-1-starts": "nonsense"})
    assert page.status_code == 200
    text = page.text
    assert 'value="Mine"' in text
    assert 'value="05-15"' in text
    assert 'value="nonsense"' in text
    assert 'name="rows-5-plaza"' in text
    assert "is no first day" not in text
    assert not Circuit.objects.exists()


# The desk before a season, settings, calendar -----------------------------------------------


def test_an_empty_circuit_waits_for_its_roster(ana: Client) -> None:
    founded()
    desk = ana.get(address("barrio", "desk")).text
    assert "has no season yet" in desk
    answer = ana.post(address("barrio", "desk_begin"), {"year": "2027"})
    assert answer.status_code == 422
    assert "Fill its roster first" in answer.text
    for name in ("home", "escalafon", "season", "matadors", "herds"):
        assert ana.get(address("barrio", name)).status_code == 200


def settings(**changes: str) -> dict[str, str]:
    return {"name": "Barrio", "visibility": "public", "pace_ms": "250", "zone": "UTC"} | changes


def test_settings_are_kept(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_settings")
    answer = ana.post(way, settings(evening="19:00", tables_count="on", name="El Barrio"))
    assert answer["Location"] == way
    circuit = Circuit.objects.get()
    assert (circuit.name, circuit.evening, circuit.tables_count) == (
        "El Barrio",
        dt.time(19),
        True,
    )
    page = ana.get(way).text
    assert 'value="19:00"' in page
    assert "The settings are kept" in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, "This field is required"),
        ({"pace_ms": "1"}, "A card takes 50 to 60000 milliseconds"),
        ({"evening": "25:00"}, "Enter a valid time"),
        ({"zone": "Mars/Olympus"}, "Select a valid choice"),
    ],
)
def test_settings_that_make_no_sense_are_said(
    ana: Client, changes: dict[str, str], said: str
) -> None:
    founded()
    answer = ana.post(address("barrio", "circuit_settings"), settings(**changes))
    assert answer.status_code == 422
    assert said in answer.text


def test_a_calendar_is_written_anew(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_calendar")
    page = ana.get(way).text
    assert 'value="03-01"' in page
    wrong = {name: value for name, value in FIRST.items() if "rows" in name} | {"calendar": "own"}
    assert ana.post(way, wrong | {"rows-0-starts": "13-13"}).status_code == 422
    assert ana.post(way, wrong | {"more": "rows"}).status_code == 200
    assert ana.post(way, wrong)["Location"] == address("barrio", "circuit_settings")
    assert [row["starts"] for row in Circuit.objects.get().calendar or ()] == ["05-15"]
    ana.post(way, {"calendar": "shipped", "rows-TOTAL_FORMS": "0", "rows-INITIAL_FORMS": "0"})
    assert Circuit.objects.get().calendar is None


# Handing on, rest, the end ------------------------------------------------------------------


def test_a_circuit_goes_from_hand_to_hand(ana: Client) -> None:
    founded(public=False)
    berta = entered("berta")
    wrong = ana.post(address("barrio", "circuit_offer"), {"name": "nobody"})
    assert wrong.status_code == 422
    assert "nobody called" in wrong.text
    ana.post(address("barrio", "circuit_offer"), {"name": "Berta"})
    assert "Offered to berta" in ana.get(address("barrio", "circuit_settings")).text
    assert address("barrio", "circuit_answer") in berta.get(reverse("circuits")).text
    answer = berta.post(address("barrio", "circuit_answer"), {"accept": "yes"})
    assert answer["Location"] == address("barrio", "desk")
    assert Circuit.objects.get().owner == User.objects.get(username="berta")
    assert ana.get(address("barrio", "home")).status_code == 404


def test_an_offer_is_declined_and_withdrawn(ana: Client) -> None:
    founded()
    berta = entered("berta")
    ana.post(address("barrio", "circuit_offer"), {"name": "berta"})
    berta.post(address("barrio", "circuit_answer"), {"decline": "yes"})
    assert Circuit.objects.get().offered_to is None
    ana.post(address("barrio", "circuit_offer"), {"name": "berta"})
    ana.post(address("barrio", "circuit_offer"), {"withdraw": "yes"})
    assert berta.post(address("barrio", "circuit_answer"), {"accept": "yes"}).status_code == 403


def test_every_page_of_a_frozen_circuit_says_so(ana: Client, client: Client) -> None:
    founded(roster=Circuit.Roster.LEGENDS)
    cache.clear()
    names = ("home", "escalafon", "season", "matadors", "plazas", "herds")
    assert "Frozen" not in client.get(address("barrio", "escalafon")).text
    ana.post(address("barrio", "circuit_rest"), {"freeze": "yes"})
    for name in names:
        assert "Frozen: nothing is played here" in client.get(address("barrio", name)).text
    answer = ana.post(address("barrio", "desk_run"), {"far": "next"})
    assert answer.status_code == 422
    assert "is frozen: nothing is played in it" in answer.text
    ana.post(address("barrio", "circuit_rest"), {"thaw": "yes"})
    assert "Frozen" not in client.get(address("barrio", "escalafon")).text


def test_what_goes_is_said_before_it_goes(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_delete")
    assert "goes for good" in ana.get(way).text
    assert ana.post(way)["Location"] == reverse("circuits")
    assert not Circuit.objects.exists()


def test_what_has_a_history_is_archived_and_brought_back(
    ana: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    founded()
    for module in ("operations.circuits.ending", "queries.circuits"):
        monkeypatch.setattr(f"corridas.{module}.has_history", lambda circuit: True)
    way = address("barrio", "circuit_delete")
    assert "nothing of it is lost" in ana.get(way).text
    ana.post(way)
    assert client.get(address("barrio", "home")).status_code == 404
    assert ana.get(address("barrio", "home")).status_code == 200
    assert "Archived: nobody else sees it" in ana.get(address("barrio", "matadors")).text
    ana.post(address("barrio", "circuit_restore"))
    assert client.get(address("barrio", "home")).status_code == 200
    late = timezone.now() - dt.timedelta(days=31)
    Circuit.objects.update(archived_at=late)
    assert "Ask the office" in ana.get(reverse("circuits")).text
    assert "Ask the office" in ana.post(address("barrio", "circuit_restore"), follow=True).text


DIRECTED = (
    *("desk", "circuit_settings", "circuit_calendar", "circuit_offer", "circuit_rest"),
    *("circuit_delete", "circuit_restore", "desk_begin", "desk_winter", "circuit_answer"),
)


@pytest.mark.parametrize("name", DIRECTED)
def test_a_stranger_is_refused(name: str) -> None:
    founded(roster=Circuit.Roster.LEGENDS)
    before = Circuit.objects.values().get()
    stranger = entered("stranger")
    way = address("barrio", name)
    assert stranger.post(way, FIRST).status_code in {403, 405}
    assert stranger.get(way).status_code in {403, 405}
    assert Circuit.objects.values().get() == before
    assert Season.objects.count() == 1


@pytest.mark.parametrize("name", ["circuit_offer", "circuit_rest", "circuit_delete"])
def test_the_circuit_of_the_site_is_neither_frozen_nor_deleted(
    admin_client: Client, name: str
) -> None:
    founded("Leyendas")
    Circuit.objects.update(slug="leyendas", owner=None)
    page = admin_client.post(address("", name), {"name": "ana"}, follow=True)
    assert "comes with the site and stays" in page.text
    circuit = Circuit.objects.get()
    assert (circuit.offered_to, circuit.frozen_at, circuit.archived_at) == (None, None, None)


# The list -----------------------------------------------------------------------------------


def test_the_list_holds_what_one_may_see(ana: Client, client: Client) -> None:
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


def test_who_has_enough_circuits_is_told_so(ana: Client, settings: Any) -> None:
    settings.CIRCUITS_A_USER = 1
    founded()
    assert "directs 1 circuits at most" in ana.get(reverse("circuits")).text
    answer = found(ana)
    assert answer.status_code == 422
    assert "directs 1 circuits at most" in answer.text


@pytest.mark.parametrize("name", ["circuits", "desk", "circuit_settings", "home"])
def test_queries_do_not_grow_with_circuits(ana: Client, name: str) -> None:
    founded()
    one = _queries(ana, name)
    for number in range(3):
        founded(f"More {number}", public=False)
        founded(f"Their {number}", by="berta")
    assert _queries(ana, name) == one


Counted = Callable[[], int]


def _queries(client: Client, name: str) -> int:
    cache.clear()
    way = reverse(name) if name == "circuits" else address("barrio", name)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(way).status_code == 200
    return len(queries)
