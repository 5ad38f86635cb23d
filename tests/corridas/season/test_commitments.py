"""Signatures keep matadors free for their corrida, and end with its reservation."""

from __future__ import annotations

import datetime as dt

import pytest

from corridas.models import Commitment, Corrida, Injury, Matador, Puesto, Season
from corridas.season import commitments
from corridas.simulation.draw import announce, market_of
from corridas.simulation.run import prepare
from tests.corridas.simulation import world
from tests.corridas.simulation.test_reserved import (
    CALENDAR,
    Stage,
    Window,
    men,
    on_cartel,
    reserve,
    sign,
)
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return world.found("reserved", CALENDAR)


def test_corridas_that_are_given_up_lose_their_signatures(season: Season) -> None:
    first, *_rest = reserve(season)
    signed = men(season, 0, 1, 2)
    for man in signed:
        sign(first, man)
    commitments.give_up(season)
    assert not Commitment.objects.exists()
    announce(season, until=first.date, fresh=seeds("given up"))
    assert len(on_cartel(first)) == 3
    free = {candidate.key for candidate in market_of(season, first.date).candidates(first.date)}
    assert {man.pk for man in signed} <= free


def closed_and_hurt(season: Season) -> tuple[Corrida, Matador, Matador]:
    """Return a closed corrida with a hurt matador, and a free one who is signed on the eve."""
    corrida = reserve(season, Stage.SEASON)[2]
    prepare(season, dt.date(2026, 4, 11), seeds("closed"), at=NOW)
    place = Puesto.objects.filter(cartel=corrida.pk).select_related("matador")[0]
    earlier = Corrida.objects.filter(season=season).order_by("date")[0]
    Injury.objects.create(
        matador=place.matador,
        corrida=earlier,
        turn=1,
        grade="grave",
        since=earlier.date,
        until=corrida.date,
    )
    prepare(season, dt.date(2026, 5, 9), seeds("announced"), at=NOW)
    free = Matador.objects.filter(circuit=season.circuit, state="active").exclude(
        puestos__date=corrida.date
    )
    man = free.order_by("slug")[0]
    on = corrida.date - dt.timedelta(days=1)
    commitments.sign(corrida=corrida, matador=man, fee=9, window=Window.EVE, on=on)
    return corrida, place.matador, man


def test_matador_who_is_signed_on_the_eve_is_on_no_other_cartel_of_the_day(
    season: Season,
) -> None:
    corrida, _hurt, man = closed_and_hurt(season)
    candidates = market_of(season, corrida.date).candidates(corrida.date)
    last = next(candidate.last for candidate in candidates if candidate.key == man.pk)
    assert last is not None
    assert last.date == corrida.date


def test_matador_who_is_signed_on_the_eve_replaces_the_hurt_one(season: Season) -> None:
    corrida, hurt, man = closed_and_hurt(season)
    prepare(season, corrida.date, seeds("eve"), at=NOW)
    assert Puesto.objects.get(cartel=corrida.pk, matador=man).instead_of == hurt
    assert hurt.pk not in on_cartel(corrida)
    signed = Commitment.objects.filter(corrida=corrida, released=False)
    assert set(signed.values_list("matador", flat=True)) == on_cartel(corrida)
