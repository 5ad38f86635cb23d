"""A run of a season can stop before it hires matadors, and it announces how many carteles it
fills.
"""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from corridas.models import Cartel, Corrida, Run, Season
from corridas.season.operations import (
    CartelesError,
    Goal,
    carteles_contracted,
    carteles_contracted_by,
    prepare_run,
    queue_corrida,
)
from corridas.simulation.draw import announce
from corridas.world.calendar import CalendarEntry
from corridas.world.stops import StopOn
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

# Days from the first corrida to each corrida: 0, 1, 41, 62, 63, 104 and 105.
DATES = ("03-01", "03-02", "04-11", "05-02", "05-03", "06-13", "06-14")


@pytest.fixture
def season(rows: str) -> Season:
    entries = [CalendarEntry(f"Corrida {day}", "las-ventas", day, 1, "daily") for day in DATES]
    return world.found("ahead", tuple(entries))


def chosen(season: Season, number: int) -> None:
    """Give the first `number` corridas their matadors."""
    day = Corrida.objects.of_season(season)[number - 1].date
    announce(season, until=day, fresh=seeds("chosen"))
    assert Cartel.objects.filter(corrida__season=season).count() == number


def played(season: Season, goal: Goal | None = None, *stop_on: StopOn) -> Run:
    return world.run_on(world.begin(season, goal, stop_on))


def test_run_stops_at_once_if_its_first_corrida_would_hire_matadors(season: Season) -> None:
    """Four carteles are filled.

    The fifth corrida is 63 days after the first one, so it is due to be filled.
    """
    chosen(season, 4)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.STOPPED, "carteles", 0)
    assert Cartel.objects.filter(corrida__season=season).count() == 4


def test_run_plays_corridas_that_hire_nobody_and_stops_before_the_next(season: Season) -> None:
    """All carteles within 63 days of the first corrida are filled.

    The third corrida is 41 days later, and only 22 of these days remain.
    """
    chosen(season, 5)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.STOPPED, "carteles", 3)
    assert Cartel.objects.filter(corrida__season=season).count() == 5
    chosen_later = played(season)
    assert (chosen_later.state, chosen_later.done) == (Run.State.DONE, 4)


def test_run_reaches_its_goal_if_all_carteles_are_filled(season: Season) -> None:
    chosen(season, 7)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.DONE, "", 7)


def test_run_that_stops_before_hiring_also_stops_at_an_injury(season: Season) -> None:
    """Every corrida of the fierce deck injures a matador."""
    season.circuit.deck = world.wild().circuit.deck
    season.circuit.save()
    chosen(season, 5)
    run = played(season, None, StopOn.CARTELES, StopOn.INJURY)
    assert (run.done, run.reason) == (1, "injury")


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize(
    ("chosen_before", "at_once"),
    [
        *((1, at_once) for at_once in (1, 2, 200)),
        *(pytest.param(4, at_once, marks=pytest.mark.nightly) for at_once in (1, 2, 200)),
        *(pytest.param(5, at_once, marks=pytest.mark.nightly) for at_once in (1, 2, 200)),
    ],
)
def test_run_hires_for_as_many_carteles_as_was_announced(
    season: Season,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    chosen_before: int,
    at_once: int,
) -> None:
    monkeypatch.setattr("corridas.simulation.run.CHUNK", at_once)
    chosen(season, chosen_before)
    goal = Goal(corridas=number)
    taken = carteles_contracted(season, goal)
    run = played(season, goal)
    assert run.done == number
    assert run.carteles == taken
    assert Cartel.objects.filter(corrida__season=season).count() - chosen_before == taken


def test_number_of_carteles_is_known_for_a_date_and_for_a_condition(season: Season) -> None:
    assert carteles_contracted(season, Goal()) == 7
    assert carteles_contracted(season, Goal(until=dt.date(2026, 3, 2))) == 5
    assert carteles_contracted(season, Goal(), [StopOn.CARTELES]) == 0


def test_run_that_would_hire_for_more_carteles_than_agreed_is_rejected(season: Season) -> None:
    with pytest.raises(CartelesError) as refused:
        prepare_run(season=season, goal=Goal(corridas=1), at=NOW, carteles=4)
    assert refused.value.number == 5
    assert not Run.objects.filter(season=season).exists()
    prepare_run(season=season, goal=Goal(corridas=1), at=NOW, carteles=5)


@pytest.mark.parametrize(("place", "taken"), [(0, 5), (1, 5), (3, 7), (6, 7)])
def test_broadcast_hires_for_as_many_carteles_as_was_announced(
    season: Season, place: int, taken: int
) -> None:
    corrida = Corrida.objects.of_season(season)[place]
    corrida.season = season
    assert carteles_contracted_by(corrida) == taken
    with pytest.raises(CartelesError):
        queue_corrida(corrida=corrida, pace_ms=1000, at=NOW, carteles=taken - 1)
    assert not Cartel.objects.filter(corrida__season=season).exists()
    queue_corrida(corrida=corrida, pace_ms=1000, at=NOW, carteles=taken)
    assert Cartel.objects.filter(corrida__season=season).count() == taken


def test_command_can_stop_before_hiring_matadors(season: Season) -> None:
    chosen(season, 5)
    out = StringIO()
    call_command("play", "--circuit", "ahead", "--instant", "--stop-on", "carteles", stdout=out)
    assert out.getvalue() == f"3 corridas of {season} played: stopped (carteles).\n"
    with pytest.raises(CommandError, match="invalid choice: 'rain'"):
        call_command("play", "--circuit", "ahead", "--stop-on", "rain")
