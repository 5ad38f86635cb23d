"""Cartels set by a director: they get a commitment like others, and impossible ones are
rejected.
"""

import datetime as dt

import pytest

from corridas.models import (
    Corrida,
    Ganaderia,
    Injury,
    Matador,
    Puesto,
)
from corridas.season.operations import set_cartel
from corridas.simulation import verify
from tests.corridas.season.refusals import announced, free, on_the_cartel, refused
from tests.corridas.simulation import world

pytestmark = pytest.mark.usefixtures("rows", "valkey")


def test_a_cartel_with_the_same_matador_twice_is_rejected() -> None:
    corrida = announced(world.calm())[0]
    one, other = free(corrida, 2)
    refused(
        lambda: set_cartel(corrida=corrida, matadors=[one, other, one]),
        str(one),
        "twice",
        field="matadors",
    )


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_cartel_without_exactly_three_matadors_is_rejected(count: int) -> None:
    corrida = announced(world.calm())[0]
    refused(
        lambda: set_cartel(corrida=corrida, matadors=free(corrida, count)),
        "three matadors",
        field="matadors",
    )


def test_a_matador_with_another_corrida_on_the_same_day_is_rejected() -> None:
    corridas = announced(world.calm())
    here, there = [corrida for corrida in corridas if corrida.date.day == 2]
    engaged = on_the_cartel(there)[0]
    refused(
        lambda: set_cartel(corrida=here, matadors=[*free(here, 2), engaged]),
        str(engaged),
        there.plaza.city,
        field="matadors",
    )


@pytest.mark.parametrize("days", [1, 2, -1, -2])
def test_a_matador_who_cannot_cross_the_ocean_in_time_is_rejected(days: int) -> None:
    *_, overseas = announced(world.calm())
    here = Corrida.objects.of_season(world.calm())[0]
    Corrida.objects.filter(pk=here.pk).update(date=overseas.date + dt.timedelta(days))
    away = on_the_cartel(overseas)[0]
    refused(
        lambda: set_cartel(corrida=here, matadors=[*free(overseas, 2), away]),
        str(away),
        "ocean",
        overseas.plaza.city,
        field="matadors",
    )


def test_three_days_are_enough_to_cross_the_ocean() -> None:
    *_, overseas = announced(world.calm())
    here = Corrida.objects.of_season(world.calm())[0]
    Corrida.objects.filter(pk=here.pk).update(date=overseas.date + dt.timedelta(3))
    men = [*free(overseas, 2), on_the_cartel(overseas)[0]]
    set_cartel(corrida=here, matadors=men)
    assert set(on_the_cartel(here)) == set(men)


@pytest.mark.parametrize(("since", "until", "rests"), [(0, 0, 1), (-9, 0, 1), (-9, -1, 0)])
def test_a_matador_is_rejected_only_on_days_on_which_he_is_injured(
    since: int, until: int, rests: int
) -> None:
    corrida, *_ = announced(world.calm())
    hurt, *others = free(corrida)
    Injury.objects.create(
        matador=hurt,
        corrida=corrida,
        turn=1,
        grade="leve",
        since=corrida.date + dt.timedelta(since),
        until=corrida.date + dt.timedelta(until),
    )
    if rests:
        ask = lambda: set_cartel(corrida=corrida, matadors=[*others, hurt])  # noqa: E731
        refused(ask, str(hurt), "injured", field="matadors")
    else:
        set_cartel(corrida=corrida, matadors=[*others, hurt])
        assert hurt in on_the_cartel(corrida)


def test_a_matador_of_another_circuit_is_rejected() -> None:
    corrida = announced(world.calm())[0]
    stranger = Matador.objects.filter(circuit=world.wild().circuit_id)[0]
    refused(
        lambda: set_cartel(corrida=corrida, matadors=[*free(corrida, 2), stranger]),
        str(stranger),
        "another circuit",
        field="matadors",
    )


def test_a_matador_without_a_card_is_rejected() -> None:
    corrida = announced(world.calm())[0]
    new = Matador.objects.create(circuit=corrida.season.circuit, slug="new", name="New")
    refused(
        lambda: set_cartel(corrida=corrida, matadors=[*free(corrida, 2), new]),
        "New",
        "no card",
        field="matadors",
    )


@pytest.mark.slow
def test_a_herd_of_another_circuit_is_rejected() -> None:
    corrida = announced(world.calm())[0]
    herd = Ganaderia.objects.filter(circuit=world.wild().circuit_id)[0]
    refused(
        lambda: set_cartel(corrida=corrida, matadors=free(corrida), herd=herd),
        str(herd),
        "another circuit",
        field="herd",
    )


@pytest.mark.parametrize("state", ["queued", "on_air", "posted", "suspended", "failed"])
def test_only_the_cartel_of_an_announced_corrida_can_be_changed(state: str) -> None:
    corrida = announced(world.calm())[0]
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    refused(
        lambda: set_cartel(corrida=corrida, matadors=free(corrida)),
        str(corrida),
        "can no longer be changed",
    )


def test_a_cartel_set_by_a_director_gets_a_commitment_and_is_played() -> None:
    corrida = announced(world.calm())[0]
    before = bytes(corrida.cartel.commitment)
    men = free(corrida)
    herd = Ganaderia.objects.filter(circuit=corrida.season.circuit_id)[4]
    set_cartel(corrida=corrida, matadors=men, herd=herd)
    fresh = Corrida.objects.get(pk=corrida.pk)
    assert bytes(fresh.cartel.commitment) != before
    assert (fresh.cartel.ganaderia, fresh.cartel.set_by_hand) == (herd, True)
    ratings = [puesto.card.rating for puesto in Puesto.objects.filter(cartel=corrida.pk)]
    assert ratings == sorted(ratings, reverse=True)
    world.play_season(world.calm())
    played = Corrida.objects.get(pk=corrida.pk)
    assert not verify.check(played)
    assert set(on_the_cartel(played)) == set(men)


def test_no_cartel_can_be_changed_while_the_season_is_being_played() -> None:
    corrida = announced(world.calm())[0]
    world.begin(world.calm())
    refused(
        lambda: set_cartel(corrida=corrida, matadors=free(corrida)), "The season is being played"
    )


def test_a_cartel_is_rejected_if_the_circuit_has_no_herd_on_the_continent() -> None:
    corrida = Corrida.objects.of_season(world.calm())[0]
    Ganaderia.objects.filter(circuit=corrida.season.circuit_id).delete()
    refused(
        lambda: set_cartel(corrida=corrida, matadors=free(corrida)),
        "no herd",
        corrida.plaza.city,
        field="herd",
    )
