"""A calendar whose feria would fall into the next year in some later year.

It is rejected when saved, and reported if it was stored before this check existed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from corridas.addresses import address
from corridas.circuits.calendar_checks import MAX_YEARS, broken_calendar, years_ahead, years_from
from corridas.circuits.operations import plan_season
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Season, Winter
from corridas.roster.checks import check_roster
from corridas.roster.exchange.preview import preview_import
from corridas.simulation.new_circuit import shipped
from corridas.simulation.sweep import next_for_the_sand
from corridas.world.calendar import CalendarEntry, first_break
from fairness import Seed
from tests.corridas.circuits import barrio
from tests.factories import browser_of
from tests.html_forms import sent_by

pytestmark = pytest.mark.django_db

# 26 December is a Monday in 2033 for the first time, so the Sunday after it is in 2034.
LATE = CalendarEntry("Fin de año", "ronda", "sunday>=12-26", 1, "daily")
GOOD = LATE._replace(starts="sunday>=12-25")
FILE = "feria,plaza,starts,corridas,days\nFin de año,ronda,{starts},1,daily\n"
EN = "“sunday>=12-26” falls on 1 January 2034, outside 2033. Choose another first day."
ES = "«sunday>=12-26» cae el 1 de enero de 2034, fuera de 2033. Elige otro primer día."


@pytest.fixture
def ana() -> Client:
    return browser_of("ana")


@pytest.fixture
def circuit(ana: Client) -> Circuit:
    """Return a circuit of 2026 whose calendar fits every year."""
    from accounts.models import User

    user = User.objects.get(username="ana")
    return barrio.founded(
        user, "Barrio", at=timezone.now(), roster="legends", year=2026, calendar=[GOOD]
    )


def store(circuit: Circuit, *entries: CalendarEntry, year: int = 2026) -> None:
    """Store a calendar without checking later years, as earlier releases did."""
    circuit.calendar = [entry._asdict() for entry in entries]
    circuit.save()
    circuit.seasons.update(year=year)


def end(circuit: Circuit) -> Season:
    """Delete the corridas of the circuit's season, so that none is left to play."""
    season = circuit.seasons.get()
    Corrida.objects.filter(season=season).delete()
    return season


def saved(client: Client, circuit: Circuit, **values: str) -> Any:
    at = address(circuit.slug, "circuit_calendar")
    sent = sent_by(client.get(at).text, having="calendar")
    sent |= {f"rows-0-{name}": [value] for name, value in values.items()}
    body = urlencode(sent, doseq=True)
    return client.post(at, body, "application/x-www-form-urlencoded")


def put(client: Client, circuit: Circuit, entry: CalendarEntry, language: str) -> Any:
    at = reverse("api_circuit_calendar", kwargs={"circuit": circuit.slug})
    headers = {"If-Match": client.get(at)["ETag"], "Accept-Language": language}
    body = json.dumps({"entries": [entry._asdict()]})
    return client.put(at, body, "application/json", headers=headers)


@pytest.mark.slow
def test_the_page_rejects_the_calendar_at_its_row_and_names_the_year(
    ana: Client, circuit: Circuit
) -> None:
    refused = saved(ana, circuit, day="26")
    assert refused.status_code == 422
    sentence = "In 2033, that day would be in the following year. Choose an earlier day."
    assert sentence in refused.text
    sent = sent_by(refused.text, having="calendar")
    assert sent["rows-0-day"] == ["26"], "what was typed stays"
    assert sent["rows-0-feria"] == ["Fin de año"]
    circuit.refresh_from_db()
    assert circuit.calendar == [GOOD._asdict()]
    assert saved(ana, circuit, day="25", feria="Otra").status_code == 302


@pytest.mark.parametrize(("language", "sentence"), [("en", EN), ("es", ES)])
def test_the_api_rejects_the_calendar_in_the_language_of_the_reader(
    ana: Client, circuit: Circuit, language: str, sentence: str
) -> None:
    refused = put(ana, circuit, LATE, language)
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["detail"] == f"Fin de año (ronda): {sentence}"
    assert put(ana, circuit, GOOD._replace(feria="Otra"), language).status_code == 200


@pytest.mark.parametrize(("language", "sentence"), [("en", EN), ("es", ES)])
def test_an_imported_file_is_rejected_at_its_row(
    circuit: Circuit, language: str, sentence: str
) -> None:
    assert circuit.owner is not None

    def look(starts: str) -> list[tuple[int | None, str, str]]:
        assert circuit.owner is not None
        data = FILE.format(starts=starts).encode()
        found = preview_import(
            circuit=circuit, data=data, name="ferias.csv", by=circuit.owner, archive=True
        )
        return [(fault.line, fault.column, fault.said) for fault in found.faults]

    with translation.override(language):
        assert look("sunday>=12-26") == [(2, "starts", sentence)]
        assert look("sunday>=12-25") == []
        # The ferias that the file does not contain are at fault, so the error names no row.
        store(circuit, LATE._replace(feria="Vieja"))
        data = FILE.format(starts="05-01").encode()
        found = preview_import(circuit=circuit, data=data, name="ferias.csv", by=circuit.owner)
        (fault,) = found.faults
        assert (fault.line, fault.said) == (None, f"Vieja (ronda): {sentence}")


@pytest.mark.parametrize(
    ("starts", "english", "spanish"),
    [
        (
            "02-29",
            "29 February does not exist in every year. Choose 28 February or 1 March.",
            "El 29 de febrero no existe todos los años. Elige el 28 de febrero o el 1 de marzo.",
        ),
        (
            "04-31",
            "“04-31” is a day that no year has. Choose another first day.",
            "«04-31» es un día que no existe en ningún año. Elige otro primer día.",
        ),
        (
            "soon",
            "“soon” is not the rule of a first day. Write 07-07, easter+49 or sunday>=03-22.",
            "«soon» no es una regla de primer día. Escribe 07-07, easter+49 o sunday>=03-22.",
        ),
    ],
)
def test_rules_that_match_no_day_are_rejected_in_both_languages(
    ana: Client, circuit: Circuit, starts: str, english: str, spanish: str
) -> None:
    assert circuit.owner is not None
    for language, sentence in (("en", english), ("es", spanish)):
        with translation.override(language):
            data = FILE.format(starts=starts).encode()
            look = preview_import(
                circuit=circuit, data=data, name="ferias.csv", by=circuit.owner, archive=True
            )
            assert [fault.said for fault in look.faults] == [sentence]
        refused = put(ana, circuit, LATE._replace(starts=starts), language)
        assert refused.status_code == 422
        assert sentence in refused.json()["errors"][0]["detail"]


def test_a_circuit_is_not_created_with_a_calendar_that_breaks_in_a_later_year(ana: Client) -> None:
    body = {"name": "Nuevo", "year": 2026, "roster": "legends", "calendar": [LATE._asdict()]}
    at = reverse("api_circuits")
    for starts, status in (("sunday>=12-26", 422), ("sunday>=12-25", 201)):
        body["calendar"] = [LATE._replace(starts=starts)._asdict()]
        answer = ana.post(at, json.dumps(body), "application/json")
        assert answer.status_code == status, answer.content
    # After 2033 the next year in which this calendar breaks is 2039.
    error = first_break([LATE], years_from(2034))
    assert error is not None
    assert error.params["year"] == 2039


def test_as_many_years_are_checked_as_a_circuit_may_have_seasons(
    circuit: Circuit, settings: Any
) -> None:
    settings.SEASONS_A_CIRCUIT = 7
    # The circuit already has the season 2026, so six years are left.
    assert list(years_ahead(circuit)) == [2027, 2028, 2029, 2030, 2031, 2032]
    store(circuit, LATE)
    assert broken_calendar(circuit) is None
    settings.SEASONS_A_CIRCUIT = 8
    error = broken_calendar(circuit)
    assert error is not None
    assert error.params["year"] == 2033
    settings.SEASONS_A_CIRCUIT = 1
    assert list(years_ahead(circuit)) == [2027]
    settings.SEASONS_A_CIRCUIT = 10_000
    assert len(years_from(2027)) == MAX_YEARS


@pytest.mark.slow
def test_the_shipped_calendar_fits_every_year() -> None:
    assert first_break(shipped().ferias, range(1900, 2501)) is None


# Circuits that already have such a calendar


@pytest.mark.slow
def test_the_desk_warns_the_director_of_a_stored_calendar(ana: Client, circuit: Circuit) -> None:
    desk = address(circuit.slug, "desk")
    heading = "The calendar does not fit into a later year"
    assert heading not in ana.get(desk).text
    store(circuit, LATE)
    page = ana.get(desk).text
    assert heading in page
    assert "falls on 1 January 2034, outside 2033" in page
    assert address(circuit.slug, "circuit_calendar") in page
    spanish = ana.get(desk, headers={"Accept-Language": "es"}).text
    assert "cae el 1 de enero de 2034, fuera de 2033" in spanish
    circuit.seasons.all().delete()
    bare = ana.get(desk).text
    assert "falls on 1 January 2034, outside 2033" in bare
    Circuit.objects.update(calendar=None)
    assert "outside 2033" not in ana.get(desk).text


def test_the_roster_check_reports_a_stored_calendar(circuit: Circuit) -> None:
    said = f"Fin de año (ronda): {EN}"
    assert said not in [finding.sentence for finding in check_roster(circuit=circuit)]
    store(circuit, LATE)
    assert said in [finding.sentence for finding in check_roster(circuit=circuit)]
    # The check still examines what the coming year needs.
    Circuit.objects.update(calendar=[LATE._replace(plaza="arles")._asdict()])
    circuit.refresh_from_db()
    unused = [finding for finding in check_roster(circuit=circuit) if "no dates" in str(finding)]
    assert unused


def begin_on_page(client: Client, circuit: Circuit, language: str) -> str:
    headers = {"Accept-Language": language}
    at = address(circuit.slug, "desk_winter")
    answer = client.post(at, {}, follow=True, headers=headers)
    assert answer.status_code == 200
    return str(answer.text)


def begin_over_api(client: Client, circuit: Circuit, language: str) -> str:
    headers = {"Accept-Language": language}
    parts = {"circuit": circuit.slug, "year": 2032}
    at = reverse("api_winter", kwargs=parts)
    answer = client.post(at, "{}", "application/json", headers=headers)
    assert answer.status_code == 409, answer.content
    return str(answer.json()["detail"])


@pytest.mark.slow
@pytest.mark.parametrize("begin", [begin_on_page, begin_over_api])
def test_the_winter_before_the_year_that_breaks_is_rejected_with_the_reason(
    ana: Client, circuit: Circuit, begin: Callable[[Client, Circuit, str], str]
) -> None:
    store(circuit, LATE, year=2032)
    season = end(circuit)
    for language, sentence in (("en", EN), ("es", ES)):
        said = begin(ana, circuit, language)
        assert sentence.replace(">", "&gt;") in said or sentence in said
    assert not Winter.objects.exclude(done_at=None).exists()
    assert circuit.seasons.get() == season
    store(circuit, GOOD, year=2032)
    ana.post(address(circuit.slug, "desk_winter"))
    assert list(circuit.seasons.order_by("year").values_list("year", flat=True)) == [2032, 2033]


@pytest.mark.slow
def test_play_seasons_ends_with_the_reason(circuit: Circuit) -> None:
    store(circuit, LATE, year=2031)
    end(circuit)
    with pytest.raises(CommandError, match="falls on 1 January 2034, outside 2033"):
        call_command("play", circuit=circuit.slug, count=12)
    # The season of 2032 was planned and played; only the one of 2033 is not.
    assert circuit.seasons.latest("year").year == 2032


def test_a_season_cannot_be_planned_in_a_year_that_breaks_its_calendar(circuit: Circuit) -> None:
    store(circuit, LATE)
    with pytest.raises(OperationError, match="falls on 1 January 2034, outside 2033"):
        plan_season(circuit=circuit, year=2033)
    assert plan_season(circuit=circuit, year=2034).year == 2034


def test_a_circuit_that_is_always_on_air_stops_before_such_a_year(
    ana: Client, circuit: Circuit
) -> None:
    store(circuit, LATE, year=2032)
    end(circuit)
    Circuit.objects.filter(pk=circuit.pk).update(always_on_air=True)
    at = timezone.now()
    assert next_for_the_sand(at=at, fresh=Seed.fresh, on_winter=lambda *_: None) == []
    circuit.refresh_from_db()
    assert not circuit.always_on_air
    assert "outside 2033" in ana.get(address(circuit.slug, "desk")).text
