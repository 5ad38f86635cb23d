"""Injuries, the current season, and matadors who are on air in another corrida."""

import datetime as dt

import pytest
from django.forms import ModelChoiceField
from django.utils import timezone

from corridas.circuit_queries import find_season, find_season_mark
from corridas.circuits.operations import plan_season
from corridas.errors import OperationError
from corridas.models import Corrida, Injury, Matador
from corridas.pages.season.forms import AirForm
from corridas.season.operations import queue_corrida, set_cartel
from corridas.simulation.draw import market_of
from tests.corridas.season.refusals import announced
from tests.corridas.simulation import world

pytestmark = pytest.mark.usefixtures("rows", "valkey")


def test_a_matador_rests_from_the_day_of_his_injury_to_its_last_day() -> None:
    season = world.calm()
    corrida, matador = announced(season)[0], Matador.objects.filter(circuit=season.circuit)[0]
    hurt, well = dt.date(season.year, 5, 10), dt.date(season.year, 5, 30)
    Injury.objects.create(
        matador=matador, corrida=corrida, turn=1, grade="leve", since=hurt, until=well
    )
    market = market_of(season, dt.date(season.year, 4, 1))
    days = [hurt - dt.timedelta(1), hurt, well, well + dt.timedelta(1)]
    assert [market.is_resting(matador.pk, day) for day in days] == [False, True, True, False]


def test_a_season_in_progress_stays_current_although_the_next_is_planned() -> None:
    season = world.calm()
    slug = season.circuit.slug
    following = plan_season(circuit=season.circuit, year=season.year + 1)
    assert find_season(circuit=slug) == season
    world.run_on(world.begin(season))
    mark = find_season_mark(circuit=slug)
    assert mark is not None
    assert mark.season == following.pk
    assert find_season(season.year, slug) == season


def test_a_matador_on_air_cannot_be_put_on_air_in_another_corrida() -> None:
    season = world.calm()
    first, second, third = announced(season)[:3]
    trio = [puesto.matador for puesto in first.cartel.puestos.all()]
    others = [puesto.matador for puesto in third.cartel.puestos.all()]
    assert not set(trio) & set(others), "the season begins with two carteles of six matadors"
    set_cartel(corrida=second, matadors=trio)
    queue_corrida(corrida=first, pace_ms=50, at=timezone.now())
    field = AirForm(season).fields["corrida"]
    assert isinstance(field, ModelChoiceField)
    assert field.queryset is not None
    offered = field.queryset
    assert third in offered
    assert second not in offered
    with pytest.raises(
        OperationError,
        match=(
            r"One of this corrida’s matadors is still fighting in another corrida\. "
            "Wait until the other corrida has ended"
        ),
    ):
        queue_corrida(corrida=second, pace_ms=50, at=timezone.now())
    assert Corrida.objects.get(pk=second.pk).state == Corrida.State.ANNOUNCED
