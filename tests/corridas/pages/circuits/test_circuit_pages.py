"""Pages of a circuit: creating it, its desk, its settings and its calendar."""

from __future__ import annotations

import datetime as dt
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corridas.addresses import address
from corridas.models import Circuit, Corrida
from corridas.pages.circuits.forms import PARTS, row_of, rows_form
from tests.corridas.pages.barrio import founded
from tests.factories import browser_of
from tests.html_forms import sent_by

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
    "rows-0-kind": "date",
    "rows-0-day": "15",
    "rows-0-month": "5",
    "rows-0-corridas": "2",
    "rows-0-days": "daily",
}


@pytest.fixture
def ana() -> Client:
    return browser_of("ana")


def found(client: Client, **changes: str) -> Any:
    return client.post(reverse("circuit_new"), FIRST | changes)


# Creating a circuit


def test_a_visitor_must_sign_in_to_create_a_circuit(client: Client) -> None:
    answer = client.get(reverse("circuit_new"))
    assert "login" in answer["Location"]
    assert client.get(reverse("circuits")).status_code == 200


@pytest.mark.slow
def test_a_user_creates_a_circuit_and_gets_to_its_desk(ana: Client) -> None:
    page = ana.get(reverse("circuit_new")).text
    assert 'name="seed" value="' in page
    answer = found(ana)
    assert answer["Location"] == address("circuito-del-barrio", "desk")
    desk = ana.get(answer["Location"])
    assert desk.status_code == 200
    assert "has been created. You are its director." in desk.text
    assert "2 corridas are still to be played" in desk.text
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
def test_a_new_circuit_can_start_with_one_of_several_calendars(
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


@pytest.mark.slow
def test_a_circuit_with_a_generated_roster_shows_its_seed(ana: Client) -> None:
    found(ana, roster="generated", seed="sol y sombra")
    page = ana.get(address("circuito-del-barrio", "home")).text
    assert "sol y sombra" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"calendar": "some"}, "Choose at least one feria"),
        ({"rows-0-day": "32"}, "less than or equal to 31"),
        ({"rows-0-day": "31", "rows-0-month": "4"}, "April does not have 31 days"),
        ({"rows-0-day": "29", "rows-0-month": "2"}, "29 February does not exist in every year"),
        ({"rows-0-day": ""}, "Enter the day of the month"),
        ({"rows-0-month": ""}, "Choose the month"),
        ({"rows-0-kind": "easter"}, "Enter the number of days from Easter Sunday"),
        ({"rows-0-kind": "easter", "rows-0-offset": "285"}, "less than or equal to 284"),
        (
            {"rows-0-kind": "easter", "rows-0-offset": "279", "year": "2027"},
            "In 2027, that day would be in the following year",
        ),
        (
            {"rows-0-kind": "easter", "rows-0-offset": "-87", "year": "2027"},
            "In 2027, that day would be in the previous year",
        ),
        ({"rows-0-kind": "soon"}, "Select a valid choice"),
        (
            {"rows-0-kind": "weekday", "rows-0-weekday": "5", "rows-0-day": "26"}
            | {"rows-0-month": "12", "year": "2027"},
            "In 2027, that day would be in the following year",
        ),
        ({"rows-0-plaza": ""}, "Choose a plaza."),
        ({"rows-1-feria": "Goyesca"}, "Choose a plaza."),
        (
            {"rows-0-day": "30", "rows-0-month": "12", "rows-0-corridas": "9"},
            "ends before there are 9 such days. Start earlier, or plan fewer corridas.",
        ),
        ({"rows-0-corridas": "367"}, "less than or equal to 366"),
        (
            {"rows-0-plaza": "", "rows-0-day": "", "rows-0-month": ""},
            "Enter at least one row with a plaza and a first day.",
        ),
        ({"roster": "generated"}, "Enter a seed of 1 to 64 characters"),
        ({"rows-TOTAL_FORMS": "nonsense"}, "Enter at least one row with a plaza and a first day."),
    ],
)
def test_an_invalid_circuit_is_rejected_with_an_error_at_its_field(
    ana: Client, changes: dict[str, str], said: str
) -> None:
    answer = found(ana, **changes)
    assert answer.status_code == 422
    assert said in answer.text
    assert not Circuit.objects.exists()


def test_adding_calendar_rows_keeps_what_was_typed(ana: Client) -> None:
    page = found(ana, more="rows", name="Mine", **{"rows-1-day": "nonsense"})
    assert page.status_code == 200
    text = page.text
    assert 'value="Mine"' in text
    assert 'value="15"' in text
    assert 'value="nonsense"' in text
    assert 'name="rows-5-plaza"' in text
    assert 'role="alert"' not in text
    assert not Circuit.objects.exists()


def row(number: int, feria: str, **values: str) -> dict[str, str]:
    return {f"rows-{number}-{name}": value for name, value in values.items()} | {
        f"rows-{number}-plaza": "las-ventas",
        f"rows-{number}-feria": feria,
    }


STARTS = [
    ({"kind": "date", "day": "7", "month": "7"}, "07-07"),
    ({"kind": "easter", "offset": "49"}, "easter+49"),
    ({"kind": "easter", "offset": "-1"}, "easter-1"),
    ({"kind": "easter", "offset": "0"}, "easter+0"),
    ({"kind": "weekday", "weekday": "6", "day": "22", "month": "3"}, "sunday>=03-22"),
    ({"kind": "weekday", "weekday": "0", "day": "1", "month": "10"}, "monday>=10-01"),
    ({"kind": "date", "day": "7", "month": "7", "offset": "9999"}, "07-07"),
    ({"kind": "easter", "offset": "5", "day": "99", "month": "13", "weekday": "9"}, "easter+5"),
]


@pytest.mark.parametrize(("values", "stored"), STARTS)
def test_the_first_day_of_a_feria_is_entered_in_fields_and_stored_as_a_rule(
    values: dict[str, str], stored: str
) -> None:
    sent = {"rows-TOTAL_FORMS": "1", "rows-INITIAL_FORMS": "0"} | row(0, "Feria", **values)
    rows = rows_form([("las-ventas", "Madrid, Las Ventas")], [2027], sent)
    assert rows.is_valid()
    (entry,) = rows.entries()
    assert entry.starts == stored
    again = row_of(entry)
    assert {name: str(again[name]) for name in PARTS[values["kind"]]} | {"kind": again["kind"]} == {
        name: value for name, value in values.items() if name in {"kind", *PARTS[values["kind"]]}
    }


MARCH = {"kind": "date", "month": "3", "days": "daily"}


def test_overlapping_ferias_are_rejected_and_the_typed_rows_stay(ana: Client) -> None:
    fallas = {"feria": "Fallas", "plaza": "las-ventas", "starts": "03-03", "corridas": 4}
    circuit = founded()
    before = circuit.calendar = [fallas | {"days": "daily"}]
    circuit.save()
    sent = {"calendar": "own", "rows-TOTAL_FORMS": "2", "rows-INITIAL_FORMS": "0"}
    sent |= row(0, "Fallas", **MARCH, day="3", corridas="4")
    sent |= row(1, "Goyesca", **MARCH, day="3", corridas="2")
    answer = ana.post(address("barrio", "circuit_calendar"), sent)
    assert answer.status_code == 422
    text = unescape(answer.text)
    assert "“Goyesca” (3 March – 4 March) overlaps with “Fallas” (3 March – 6 March)" in text
    assert 'value="Goyesca"' in text
    assert Circuit.objects.get().calendar == before


# The desk without a season, settings and calendar


def test_no_season_can_be_planned_in_a_circuit_without_a_roster(ana: Client) -> None:
    founded()
    desk = ana.get(address("barrio", "desk")).text
    assert "has no seasons yet." in desk
    answer = ana.post(address("barrio", "desk_begin"), {"year": "2027"})
    assert answer.status_code == 422
    assert "Complete its roster first" in answer.text
    for name in ("home", "escalafon", "season", "matadors", "herds"):
        assert ana.get(address("barrio", name)).status_code == 200


def settings(**changes: str) -> dict[str, str]:
    return {"name": "Barrio", "visibility": "public", "pace": "0.25", "zone": "UTC"} | changes


def test_the_settings_show_the_pace_of_broadcasts_in_seconds(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_settings")
    ana.post(way, settings(pace="own", seconds="20"))
    assert 'value="20"' in ana.get(way).text
    # The field for seconds is ignored unless the pace is "own".
    assert ana.post(way, settings(seconds="9999"))["Location"] == way


def test_settings_of_a_circuit_can_be_saved(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_settings")
    answer = ana.post(way, settings(evening="19:00", tables_count="on", name="El Barrio"))
    assert answer["Location"] == way
    circuit = Circuit.objects.get()
    assert (circuit.name, circuit.evening, circuit.tables_count, circuit.pace_ms) == (
        "El Barrio",
        dt.time(19),
        True,
        250,
    )
    page = ana.get(way).text
    assert 'value="19:00"' in page
    assert "The settings have been saved." in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, "This field is required"),
        ({"pace": "own", "seconds": "0.01"}, "greater than or equal to 0.05"),
        ({"pace": "own"}, "Enter the seconds per card."),
        ({"evening": "25:00"}, "Enter a valid time"),
        ({"zone": "Mars/Olympus"}, "Select a valid choice"),
    ],
)
def test_invalid_settings_get_an_error_message(
    ana: Client, changes: dict[str, str], said: str
) -> None:
    founded()
    answer = ana.post(address("barrio", "circuit_settings"), settings(**changes))
    assert answer.status_code == 422
    assert said in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Indian/Reunion", "Antarctica/Palmer", "US/Pacific", "Etc/GMT+3"])
def test_a_time_zone_that_the_form_does_not_list_stays(ana: Client, zone: str) -> None:
    """A time zone that is missing from the form can be set over the API."""
    circuit = founded()
    Circuit.objects.update(zone=zone)
    page = ana.get(address(circuit.slug, "circuit_settings")).text
    sent = sent_by(page, having="zone") | {"name": ["Renamed"]}
    assert ana.post(address(circuit.slug, "circuit_settings"), sent).status_code == 302
    circuit.refresh_from_db()
    assert (circuit.name, circuit.zone) == ("Renamed", zone)


@pytest.mark.slow
def test_saving_settings_writes_only_changed_fields(ana: Client) -> None:
    """A pace or an hour that the form cannot show must not change, and neither must fields that
    somebody else changed meanwhile.
    """
    circuit = founded()
    Circuit.objects.update(pace_ms=20, evening=dt.time(20, 30, 15))
    at = address(circuit.slug, "circuit_settings")
    sent = sent_by(ana.get(at).text, having="zone")
    Circuit.objects.update(zone="Asia/Tokyo", public=False)
    assert ana.post(at, sent | {"name": ["Renamed"]}).status_code == 302
    circuit.refresh_from_db()
    assert (circuit.name, circuit.pace_ms) == ("Renamed", 20)
    assert circuit.evening == dt.time(20, 30, 15)
    assert (circuit.zone, circuit.public) == ("Asia/Tokyo", False)
    refused = ana.post(at, sent | {"pace": ["own"], "seconds": ["0.03"]})
    assert refused.status_code == 422
    assert ana.post(at, sent | {"pace": ["6"]}).status_code == 302
    circuit.refresh_from_db()
    assert circuit.pace_ms == 6000


@pytest.mark.slow
def test_a_calendar_can_be_replaced_and_reset(ana: Client) -> None:
    founded()
    way = address("barrio", "circuit_calendar")
    page = ana.get(way).text
    assert '<option value="3" selected>March</option>' in page
    wrong = {name: value for name, value in FIRST.items() if "rows" in name} | {"calendar": "own"}
    assert ana.post(way, wrong | {"rows-0-day": "32"}).status_code == 422
    assert ana.post(way, wrong | {"more": "rows"}).status_code == 200
    assert ana.post(way, wrong)["Location"] == address("barrio", "circuit_settings")
    assert [row["starts"] for row in Circuit.objects.get().calendar or ()] == ["05-15"]
    ana.post(way, {"calendar": "shipped", "rows-TOTAL_FORMS": "0", "rows-INITIAL_FORMS": "0"})
    assert Circuit.objects.get().calendar is None
