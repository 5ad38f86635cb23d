"""The director gives a corrida of the season to a table, and takes it back."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from accounts.models import User
from corridas.models import Bull, Corrida, TableCorrida
from leagues.models import Match
from tests.corridas.pages.conftest import World
from tests.corridas.pages.table import begin

FAR = "2099-01-01T20:00"


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """The browser of who directs the circuit."""
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


@pytest.fixture
def announced(world: World) -> Corrida:
    """A corrida with cartel and bulls."""
    corrida = world.announce(dt.date(2027, 5, 1))
    for place in range(6):
        Bull.objects.create(
            ganaderia=world.herd,
            year=2027,
            number=place + 1,
            name=f"Cantinero {place}",
            coat="negro",
            weight=520,
            cartel=corrida.cartel,
            place=place,
        )
    return corrida


def give(director: Client, corrida: Corrida, **more: str) -> int:
    sent = {"corrida": str(corrida.pk), "name-0": "Ana", "name-1": "Berta", "deadline": FAR}
    return director.post("/direccion/mesas/", sent | more).status_code


def test_a_stranger_sees_no_list_of_tables(world: World, client: Client) -> None:
    assert client.get("/direccion/mesas/").status_code == 302
    client.force_login(User.objects.create_user("visitor"))
    assert client.get("/direccion/mesas/").status_code == 403


def test_nothing_there_yet(world: World, director: Client) -> None:
    page = director.get("/direccion/mesas/").text
    assert "No corrida is announced with its cartel." in page
    assert "No table has begun one yet." in page


def test_a_fixture_is_given_and_taken_back(director: Client, announced: Corrida) -> None:
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
        ("corrida", "0", "Choose a corrida that is announced."),
        ("deadline", "soon", "Say until when it is to be handed in."),
        ("deadline", "2020-01-01T10:00", "The deadline has to lie ahead."),
        ("name-0", "", "Say who plays it."),
    ],
)
def test_what_is_wrong_is_said_at_its_place(
    director: Client, announced: Corrida, field: str, value: str, sentence: str
) -> None:
    sent = {"corrida": str(announced.pk), "name-0": "Ana", "deadline": FAR, field: value}
    answer = director.post("/direccion/mesas/", sent)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert not Match.objects.exists()


def test_what_tables_begin_is_listed(world: World, director: Client) -> None:
    match = begin(Client(), world)
    assert f"/tienta/{match.pk}/" in director.get("/direccion/mesas/").text
