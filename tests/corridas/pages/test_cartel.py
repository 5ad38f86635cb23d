"""The director chooses a cartel: the list, its reasons, the effect, and what is refused."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.models import Corrida
from tests.factories import World

DAY = dt.date(2027, 5, 1)


@pytest.fixture
def director(world: World, client: Client) -> Client:
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


@pytest.fixture
def corrida(world: World) -> Corrida:
    return world.announce(DAY)


def way(corrida: Corrida) -> str:
    return f"/direccion/cartel/{corrida.pk}/"


def test_the_announced_cartel_is_chosen_at_first(
    world: World, director: Client, corrida: Corrida
) -> None:
    context = director.get(way(corrida)).context
    assert [line.matador for line in context["chosen"]] == world.matadors[:3]


def test_queries(world: World, director: Client, corrida: Corrida) -> None:
    with CaptureQueriesContext(connection) as queries:
        director.get(way(corrida))
    for q in queries:
        print(q["sql"][:160])
    assert len(queries) <= 15
