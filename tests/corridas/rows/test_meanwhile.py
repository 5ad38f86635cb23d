"""What is under way elsewhere: a corrida on the sand, a rest, the next season planned early."""

import datetime as dt

import pytest

from corridas import simulation
from corridas.models import Corrida, Injury, Matador
from corridas.operations import cut_short, plan_season, queue_corrida, set_cartel
from corridas.queries.circuit import find_mark, find_season
from corridas.simulation.market import Market
from tests.corridas.rows import world
from tests.corridas.rows.refusals import announced, free, refused
from tests.corridas.rows.world import NOW

pytestmark = pytest.mark.usefixtures("rows", "valkey")


def test_nobody_plays_on_past_an_afternoon_that_may_still_put_him_to_bed() -> None:
    first, *_, last = (c for c in announced(world.calm()) if c.plaza.continent == "EU")
    trio = free(first, 3)
    for corrida in (first, last):
        set_cartel(corrida=corrida, matadors=trio)
    queue_corrida(corrida=first, pace_ms=1000, at=NOW)
    assert simulation.play_on_air(first.pk, at=NOW)
    refused(lambda: queue_corrida(corrida=last, pace_ms=1000, at=NOW), "on the sand")
    cut_short(corrida=first, at=NOW)
    queue_corrida(corrida=last, pace_ms=1000, at=NOW)
    last.refresh_from_db()
    assert last.state == Corrida.State.QUEUED


def test_a_rest_begins_on_the_day_of_the_wound() -> None:
    season = world.calm()
    corrida, matador = announced(season)[0], Matador.objects.filter(circuit=season.circuit)[0]
    hurt, well = dt.date(season.year, 5, 10), dt.date(season.year, 5, 30)
    Injury.objects.create(
        matador=matador, corrida=corrida, turn=1, grade="leve", since=hurt, until=well
    )
    market = Market(season, dt.date(season.year, 4, 1))
    days = [hurt - dt.timedelta(1), hurt, well, well + dt.timedelta(1)]
    assert [market.rests(matador.pk, day) for day in days] == [False, True, True, False]


def test_the_season_that_goes_on_is_current_though_the_next_is_planned() -> None:
    season = world.calm()
    slug = season.circuit.slug
    following = plan_season(circuit=season.circuit, year=season.year + 1)
    assert find_season(circuit=slug) == season
    world.run_on(world.begin(season))
    mark = find_mark(circuit=slug)
    assert mark is not None
    assert mark.season == following.pk
    assert find_season(season.year, slug) == season
