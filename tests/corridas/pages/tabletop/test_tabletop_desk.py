"""The director assigns a corrida of the season to players at a real table, or returns it
to the season.
"""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from corridas.models import Bull, Corrida, TableCorrida
from leagues.models import Match
from tests.corridas.pages.tabletop.table import begin
from tests.factories import World

FAR = "2099-01-01T20:00"


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """Return a test client that is signed in as the circuit's director."""
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


@pytest.fixture
def announced(world: World) -> Corrida:
    """Return a corrida with a cartel and bulls."""
    return with_bulls(world, dt.date(2027, 5, 1))


def with_bulls(world: World, day: dt.date) -> Corrida:
    """Return a corrida of that day with six bulls."""
    corrida = world.announce(day)
    for place in range(6):
        Bull.objects.create(
            ganaderia=world.herd,
            year=2027,
            number=10 * day.day + place,
            name=f"Cantinero {place}",
            coat="negro",
            weight=520,
            cartel=corrida.cartel,
            place=place,
        )
    return corrida


def give(director: Client, corrida: Corrida, **more: str) -> int:
    sent = {"corrida": str(corrida.pk), "name-0": "Ana", "name-1": "Berta", "deadline": FAR}
    sent |= {"lead-0": "0", "lead-1": "1", "lead-2": "0"}
    return director.post("/direccion/mesas/", sent | more).status_code


def test_only_the_director_can_open_the_list_of_tables(world: World, client: Client) -> None:
    assert client.get("/direccion/mesas/").status_code == 302
    client.force_login(User.objects.create_user("visitor"))
    assert client.get("/direccion/mesas/").status_code == 403


def test_the_list_of_tables_can_be_empty(world: World, director: Client) -> None:
    page = director.get("/direccion/mesas/").text
    assert "No announced corrida has its cartel yet." in page
    assert "No table has started a corrida yet." in page


def test_the_director_can_assign_a_corrida_to_a_real_table_and_take_it_back(
    director: Client, announced: Corrida
) -> None:
    assert give(director, announced) == 302
    announced.refresh_from_db()
    assert announced.state == Corrida.State.AT_TABLE
    table = TableCorrida.objects.get()
    assert (table.given, table.corrida) == (True, announced)
    page = director.get("/direccion/mesas/").text
    assert f"/matches/key/{table.match.key}/" in page
    assert "Ana, Berta" in page
    director.post(f"/direccion/mesas/{table.pk}/")
    announced.refresh_from_db()
    assert announced.state == Corrida.State.ANNOUNCED


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("corrida", "0", "Choose a corrida that has been announced."),
        ("deadline", "soon", "Enter a deadline for the result."),
        ("deadline", "2020-01-01T10:00", "The deadline must be in the future."),
        ("name-0", "", "Choose the players for this corrida."),
    ],
)
def test_an_invalid_value_gets_an_error_at_its_field(
    director: Client, announced: Corrida, field: str, value: str, sentence: str
) -> None:
    sent = {"corrida": str(announced.pk), "name-0": "Ana", "deadline": FAR, field: value}
    answer = director.post("/direccion/mesas/", sent)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert not Match.objects.exists()


def more_time(director: Client, table: TableCorrida, until: str) -> tuple[int, str]:
    """Request a later deadline; return status code and page."""
    answer = director.post(f"/direccion/mesas/{table.pk}/plazo/", {"until": until})
    return answer.status_code, answer.text


def test_the_deadline_of_a_table_can_be_extended(director: Client, announced: Corrida) -> None:
    give(director, announced)
    table = TableCorrida.objects.get()
    before = table.deadline
    assert before is not None
    assert more_time(director, table, "2099-02-01T20:00")[0] == 302
    assert (
        "The players have until 1 Feb 2099, 20:00 to enter the result."
        in director.get("/direccion/mesas/").text
    )
    table.refresh_from_db()
    assert table.deadline == before + dt.timedelta(days=31)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("zone", "offset", "elsewhere"),
    [
        ("Asia/Tokyo", 9, "1 Feb, 11:00"),
        ("America/Mexico_City", -6, "2 Feb, 02:00"),
    ],
)
def test_deadlines_are_entered_and_shown_in_the_director_s_time_zone(
    director: Client,
    announced: Corrida,
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
    offset: int,
    elsewhere: str,
) -> None:
    """The deadline that the form offers first is a full hour a week ahead."""
    now = timezone.now()
    director.cookies[settings.ZONE_COOKIE_NAME] = zone
    with monkeypatch.context() as clock:
        clock.setattr(timezone, "now", lambda: now)
        offered = director.get("/direccion/mesas/").text
    usual = now + dt.timedelta(days=7, hours=offset)
    assert f'name="deadline" value="{usual:%Y-%m-%dT%H:00}"' in offered
    give(director, announced)
    table = TableCorrida.objects.get()
    ahead = dt.timedelta(hours=offset)
    assert table.deadline == dt.datetime(2099, 1, 1, 20, tzinfo=dt.UTC) - ahead
    more_time(director, table, "2099-02-01T20:00")
    table.refresh_from_db()
    assert table.deadline == dt.datetime(2099, 2, 1, 20, tzinfo=dt.UTC) - ahead
    page = director.get("/direccion/mesas/").text
    assert "The players have until 1 Feb 2099, 20:00 to enter the result." in page
    assert 'name="until" value="2099-02-01T20:00"' in page
    for shown in ("/direccion/mesas/", "/direccion/"):
        assert "until 1 Feb, 20:00" in director.get(shown).text
    director.cookies[settings.ZONE_COOKIE_NAME] = ""
    for shown in ("/direccion/mesas/", "/direccion/"):
        assert f"until {elsewhere}" in director.get(shown).text


@pytest.mark.parametrize(
    ("until", "sentence"),
    [
        ("", "Enter a deadline for the result."),
        ("2098-01-01T20:00", "The new deadline must be later than the current one."),
    ],
)
def test_a_deadline_cannot_be_shortened(
    director: Client, announced: Corrida, until: str, sentence: str
) -> None:
    give(director, announced)
    status, page = more_time(director, TableCorrida.objects.get(), until)
    assert status == 422
    assert sentence in page
    assert f'name="until" value="{until}"' in page


def test_a_deadline_cannot_be_extended_after_expiry_submission_or_return(
    director: Client, announced: Corrida
) -> None:
    give(director, announced)
    table = TableCorrida.objects.get()
    TableCorrida.objects.update(deadline=timezone.now() - dt.timedelta(minutes=1))
    later = "2099-05-01T20:00"
    assert (
        "The deadline for this corrida has passed, so the corrida returns to its season."
        in more_time(director, table, later)[1]
    )
    Match.objects.update(state=Match.State.HANDED_IN)
    assert (
        "The players at the table have already entered the result."
        in more_time(director, table, later)[1]
    )
    Match.objects.update(state=Match.State.DRAFT)
    TableCorrida.objects.update(corrida=None)
    assert (
        "This corrida has already been returned to its season."
        in more_time(director, table, later)[1]
    )


def test_only_the_director_can_extend_a_deadline(director: Client, announced: Corrida) -> None:
    give(director, announced)
    stranger = Client()
    stranger.force_login(User.objects.create_user("visitor"))
    table = TableCorrida.objects.get()
    assert more_time(stranger, table, "2099-05-01T20:00")[0] == 403
    assert more_time(director, TableCorrida(pk=table.pk + 1), FAR)[0] == 404


def test_the_desk_lists_corridas_that_are_at_real_tables(
    director: Client, announced: Corrida
) -> None:
    assert "Corridas being played at real tables" not in director.get("/direccion/").text
    give(director, announced)
    page = director.get("/direccion/").text
    assert "Corridas being played at real tables" in page
    assert "Ana, Berta: draft, until 1 Jan, 20:00" in " ".join(page.split())


@pytest.mark.slow
@pytest.mark.parametrize("way", ["/direccion/mesas/", "/direccion/"])
def test_the_list_of_real_tables_needs_as_many_queries_for_many_as_for_few(
    director: Client, world: World, announced: Corrida, way: str
) -> None:
    give(director, announced)
    one = counted(director, way)
    for day in (2, 3):
        assert give(director, with_bulls(world, dt.date(2027, 5, day))) == 302
    assert TableCorrida.objects.filter(given=True).count() == 3
    assert counted(director, way) == one <= 25


def counted(client: Client, way: str) -> int:
    """Return the number of queries of a page.

    A first request shows pending messages, so the second one does not count them.
    """
    client.get(way)
    with CaptureQueriesContext(connection) as caught:
        assert client.get(way).status_code == 200
    return len(caught)


def test_corridas_started_by_tables_are_listed(world: World, director: Client) -> None:
    match = begin(Client(), world)
    assert f"/tienta/{match.pk}/" in director.get("/direccion/mesas/").text


def test_a_player_name_that_is_too_long_gets_an_error_at_its_seat(
    director: Client, announced: Corrida
) -> None:
    long = "Berta" * 20
    sent = {"corrida": str(announced.pk), "name-0": "Ana", "name-1": long, "deadline": FAR}
    answer = director.post("/direccion/mesas/", sent)
    assert answer.status_code == 422
    seats = answer.context["seats"]
    assert seats[0] == (0, "Ana", "")
    assert seats[1] == (1, long, "A name can have at most 60 characters.")
    assert 'id="e-name-1">A name can have at most 60 characters.</span>' in answer.text
    assert not TableCorrida.objects.exists()
