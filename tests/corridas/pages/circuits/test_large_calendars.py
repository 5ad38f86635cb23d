"""Calendars with many rows: page, API and file have the same limit, and no row is lost."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from corridas.addresses import address
from corridas.models import Circuit
from corridas.pages.circuits.forms import MAX_PAGE_ROWS
from corridas.roster.exchange.preview import preview_import
from corridas.world.calendar import MAX_ENTRIES, CalendarEntry
from tests.corridas.pages.barrio import founded
from tests.factories import browser_of
from tests.html_forms import sent_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> Client:
    return browser_of("ana")


@pytest.fixture
def legends() -> Circuit:
    return founded(roster="legends")


def entries(circuit: Circuit, count: int) -> list[dict[str, Any]]:
    """Return this number of calendar rows with one corrida each, on different days of their
    plaza.
    """
    plazas = list(circuit.plazas.order_by("slug").values_list("slug", flat=True))
    return [
        CalendarEntry(
            f"Fecha {number}", plazas[number % len(plazas)], f"{month:02d}-{day:02d}", 1, "daily"
        )._asdict()
        for number in range(count)
        for day, month in [divmod(number // len(plazas), 12)]
        for day, month in [(day + 1, month + 1)]
    ]


def send(client: Client, circuit: Circuit, sent: dict[str, list[str]]) -> Any:
    """Send the calendar form as a browser does."""
    at = address(circuit.slug, "circuit_calendar")
    return client.post(at, urlencode(sent, doseq=True), "application/x-www-form-urlencoded")


def page_of(client: Client, circuit: Circuit) -> str:
    return client.get(address(circuit.slug, "circuit_calendar")).text


def put(client: Client, circuit: Circuit, rows: list[dict[str, Any]]) -> Any:
    at = reverse("api_circuit_calendar", kwargs={"circuit": circuit.slug})
    tag = client.get(at)["ETag"]
    body = json.dumps({"entries": rows})
    return client.put(at, body, "application/json", headers={"If-Match": tag})


def fill(sent: dict[str, list[str]], number: int, row: dict[str, Any]) -> None:
    month, day = row["starts"].split("-")
    values = {"plaza": row["plaza"], "feria": row["feria"], "month": int(month), "day": int(day)}
    sent.update({f"rows-{number}-{name}": [str(value)] for name, value in values.items()})


@pytest.mark.slow
def test_calendar_rows_can_be_added_and_saved_beyond_a_thousand_form_fields(
    ana: Client, legends: Circuit
) -> None:
    rows = entries(legends, 130)
    Circuit.objects.update(calendar=rows[:118])
    sent = sent_by(page_of(ana, legends), having="calendar")
    assert sum(map(len, sent.values())) > 1000
    for number in range(118, 122):
        fill(sent, number, rows[number])
    more = send(ana, legends, sent | {"more": ["rows"]})
    assert more.status_code == 200
    sent = sent_by(more.text, having="calendar")
    assert sent["rows-121-feria"] == ["Fecha 121"]
    assert sent["rows-TOTAL_FORMS"] == ["126"]
    fill(sent, 122, rows[122])
    assert send(ana, legends, sent).status_code == 302
    legends.refresh_from_db()
    assert legends.calendar == rows[:123]


@pytest.mark.slow
def test_a_calendar_above_the_limit_is_rejected_and_the_typed_rows_stay(
    ana: Client, legends: Circuit
) -> None:
    rows = entries(legends, MAX_ENTRIES + 1)
    assert put(ana, legends, rows).status_code == 422
    assert put(ana, legends, rows[:MAX_ENTRIES]).status_code == 200
    page = page_of(ana, legends)
    assert "A calendar can have at most 500 rows." in page
    assert 'name="more"' not in page, "no row can be added"
    sent = sent_by(page, having="calendar") | {"rows-TOTAL_FORMS": ["501"]}
    fill(sent, 500, rows[500])
    sent |= {"rows-500-kind": ["date"], "rows-500-corridas": ["1"], "rows-500-days": ["daily"]}
    refused = send(ana, legends, sent)
    assert refused.status_code == 422
    assert "A calendar can have at most 500 rows. This one has 501." in refused.text
    assert sent_by(refused.text, having="calendar")["rows-500-feria"] == ["Fecha 500"]
    added = send(ana, legends, sent | {"more": ["rows"]})
    assert sent_by(added.text, having="calendar")["rows-500-feria"] == ["Fecha 500"]


@pytest.mark.nightly
@pytest.mark.slow
def test_a_stored_calendar_above_the_limit_can_be_saved_again(
    ana: Client, legends: Circuit
) -> None:
    rows = entries(legends, MAX_ENTRIES + 20)
    Circuit.objects.update(calendar=rows)
    sent = sent_by(page_of(ana, legends), having="calendar")
    assert send(ana, legends, sent).status_code == 302
    legends.refresh_from_db()
    assert legends.calendar == rows
    assert put(ana, legends, rows).status_code == 200
    fewer = sent | {"rows-519-plaza": [""], "rows-519-feria": [""], "rows-519-day": [""]}
    fewer |= {"rows-519-month": [""]}
    assert send(ana, legends, fewer).status_code == 302
    legends.refresh_from_db()
    assert legends.calendar == rows[:-1]
    assert put(ana, legends, rows).status_code == 422, "519 rows are the bound now"


@pytest.mark.slow
def test_a_calendar_too_long_for_the_page_is_not_changed_by_saving(
    ana: Client, legends: Circuit
) -> None:
    rows = entries(legends, MAX_PAGE_ROWS + 1)
    Circuit.objects.update(calendar=rows)
    page = page_of(ana, legends)
    assert "This calendar has 1,001 rows, too many for this page." in page
    sent = sent_by(page, having="calendar")
    assert "rows-0-plaza" not in sent
    assert send(ana, legends, sent).status_code == 302
    legends.refresh_from_db()
    assert legends.calendar == rows


@pytest.mark.slow
@pytest.mark.parametrize("year", [2027, 2028])
def test_a_row_may_have_at_most_as_many_corridas_as_every_year_has_days(
    ana: Client, legends: Circuit, year: int
) -> None:
    days = 365  # even before a leap year, because the year after it is shorter
    if year == 2028:
        legends.seasons.update(year=2027)
    else:
        legends.seasons.all().delete()
    entry = {"feria": "Larga", "plaza": "ronda", "starts": "01-01", "days": "daily"}
    assert put(ana, legends, [entry | {"corridas": days + 1}]).status_code in {400, 422}
    assert put(ana, legends, [entry | {"corridas": days}]).status_code == 200
    sent = sent_by(page_of(ana, legends), having="calendar")
    assert send(ana, legends, sent).status_code == 302
    refused = send(ana, legends, sent | {"rows-0-corridas": [str(days + 1)]})
    assert refused.status_code == 422
    legends.refresh_from_db()
    assert legends.calendar == [entry | {"corridas": days}]
    # The page used to reject 70 corridas.
    assert send(ana, legends, sent | {"rows-0-corridas": ["70"]}).status_code == 302


@pytest.mark.slow
def test_a_stored_calendar_that_no_longer_fits_its_year_can_be_saved_unchanged(
    ana: Client, legends: Circuit
) -> None:
    rows = [CalendarEntry("Larga", "ronda", "01-01", 366, "daily")._asdict()]
    legends.seasons.update(year=2028)
    Circuit.objects.update(calendar=rows)
    sent = sent_by(page_of(ana, legends), having="calendar")
    assert send(ana, legends, sent).status_code == 302
    assert put(ana, legends, rows).status_code == 200
    assert send(ana, legends, sent | {"rows-0-feria": ["Lunga"]}).status_code == 422


def test_rows_of_an_archived_plaza_are_not_lost(ana: Client, legends: Circuit) -> None:
    """Rows of an archived plaza are not shown until the plaza is restored."""
    rows = entries(legends, 3)
    Circuit.objects.update(calendar=rows)
    legends.plazas.filter(slug=rows[1]["plaza"]).update(archived_at="2026-01-01T00:00Z")
    sent = sent_by(page_of(ana, legends), having="calendar")
    assert sent["rows-1-feria"] == ["Fecha 2"]
    assert send(ana, legends, sent | {"rows-0-feria": ["Otra"]}).status_code == 302
    legends.refresh_from_db()
    assert legends.calendar == [rows[0] | {"feria": "Otra"}, rows[2], rows[1]]


@pytest.mark.slow
@pytest.mark.parametrize("more", [True, False])
def test_typed_rows_stay_when_another_calendar_is_chosen(
    ana: Client, legends: Circuit, more: bool
) -> None:
    """Rows stay while ferias are chosen, and ferias stay while rows are added."""
    Circuit.objects.update(calendar=None)
    sent = sent_by(page_of(ana, legends), having="calendar")
    fill(sent, 2, {"plaza": "ronda", "feria": "Mía", "starts": "05-20"})
    if more:
        answer = send(ana, legends, sent | {"more": ["rows"], "ferias": ["1", "3"]})
    else:
        answer = send(ana, legends, sent | {"calendar": ["some"]})
        assert answer.status_code == 422
    again = sent_by(answer.text, having="calendar")
    assert again["rows-0-feria"] == ["Mía"]
    assert again.get("ferias") == (["1", "3"] if more else None)


@pytest.mark.slow
def test_an_imported_file_has_the_same_limit(ana: Client, legends: Circuit) -> None:
    lines = ["feria,plaza,starts,corridas,days"]
    lines += [",".join(map(str, row.values())) for row in entries(legends, MAX_ENTRIES + 1)]

    def look(rows: list[str]) -> list[str]:
        data, by = "\n".join(rows).encode(), legends.owner
        assert by is not None
        found = preview_import(circuit=legends, data=data, name="ferias.csv", by=by, archive=True)
        return [fault.said for fault in found.faults]

    assert look(lines) == ["A roster can have at most 500 ferias."]
    assert look(lines[:-1]) == []
    assert look([lines[0], "Larga,ronda,01-01,365,daily"]) == []
    assert look([lines[0], "Larga,ronda,03-01,70,daily"]) == []
    assert len(look([lines[0], "Larga,ronda,01-01,367,daily"])) == 1
