"""Queries of the live page: places, bulls and alternativas of a corrida, in their order."""

from __future__ import annotations

import datetime as dt

import pytest

from corridas.broadcast.queries import encierro, puestos, roles
from corridas.broadcast.source import _ceremony
from corridas.models import Bull, Corrida, Matador, Puesto
from corridas.stage.showing import Ceremony
from tests.factories import World

DAY = dt.date(2027, 3, 1)


@pytest.fixture
def corrida(world: World) -> Corrida:
    """Return a corrida whose places and bulls were stored in the reverse order."""
    corrida = world.announce(DAY)
    Puesto.objects.filter(cartel=corrida.cartel).delete()
    for order in (2, 1, 0):
        matador = world.matadors[order]
        card = matador.cards.earliest("printing")
        Puesto.objects.create(
            cartel=corrida.cartel, order=order, matador=matador, card=card, date=DAY
        )
    for place in reversed(range(6)):
        world.bull(corrida, place, "Toro")
    return corrida


def test_places_and_bulls_of_a_cartel_are_in_their_order(world: World, corrida: Corrida) -> None:
    assert [puesto.matador for puesto in puestos(corrida)] == world.matadors[:3]
    assert [bull.place for bull in encierro(corrida)] == [0, 1, 2, 3, 4, 5]
    assert Bull.objects.count() == 6


def test_alternativa_needs_its_day_and_both_witnesses_in_the_corrida(
    world: World, corrida: Corrida
) -> None:
    first, second, third, outside = world.matadors
    row = Matador.objects.filter(pk=third.pk)

    def found(**columns: object) -> tuple[dict[str, str], Ceremony | None]:
        row.update(**columns)
        return roles(corrida), _ceremony(corrida, puestos(corrida))

    assert found() == ({}, None)
    assert found(alternativa=DAY, padrino=first, testigo=second) == (
        {
            "alternativa": third.slug,
            "alternativa_name": third.billing,
            "padrino": first.slug,
            "padrino_name": first.billing,
            "testigo": second.slug,
            "testigo_name": second.billing,
        },
        Ceremony(2, 0, 1),
    )
    assert found(alternativa=DAY + dt.timedelta(days=1)) == ({}, None)
    assert found(alternativa=DAY, testigo=outside) == ({}, None)
    assert found(testigo=None) == ({}, None)
    assert found(testigo=second, padrino=outside) == ({}, None)
    assert found(padrino=None) == ({}, None)
