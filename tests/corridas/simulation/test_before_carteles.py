"""A run that stops before open carteles are contracted, and how many carteles other runs take."""

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

# Days from the first corrida to each: 0, 1, 41, 62, 63, 104 and 105.
DATES = ("03-01", "03-02", "04-11", "05-02", "05-03", "06-13", "06-14")


@pytest.fixture
def season(rows: str) -> Season:
    entries = [CalendarEntry(f"Corrida {day}", "las-ventas", day, 1, "daily") for day in DATES]
    return world.found("ahead", tuple(entries))


def chosen(season: Season, number: int) -> None:
    """Give the first corridas their carteles."""
    day = Corrida.objects.of_season(season)[number - 1].date
    announce(season, until=day, fresh=seeds("chosen"))
    assert Cartel.objects.filter(corrida__season=season).count() == number


def played(season: Season, goal: Goal | None = None, *stop_on: StopOn) -> Run:
    return world.run_on(world.begin(season, goal, stop_on))


def test_it_stops_at_once_if_the_first_corrida_would_contract_some(season: Season) -> None:
    """Four carteles are chosen, and the fifth is 63 days from the first corrida."""
    chosen(season, 4)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.STOPPED, "carteles", 0)
    assert Cartel.objects.filter(corrida__season=season).count() == 4


def test_it_plays_what_contracts_none_and_stops_before_the_next(season: Season) -> None:
    """All within 63 days of the first are chosen. At the third, 41 days later, 22 are left."""
    chosen(season, 5)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.STOPPED, "carteles", 3)
    assert Cartel.objects.filter(corrida__season=season).count() == 5
    chosen_later = played(season)
    assert (chosen_later.state, chosen_later.done) == (Run.State.DONE, 4)


def test_it_reaches_its_goal_where_nothing_is_open(season: Season) -> None:
    chosen(season, 7)
    run = played(season, None, StopOn.CARTELES)
    assert (run.state, run.reason, run.done) == (Run.State.DONE, "", 7)


def test_other_conditions_are_met_as_well(season: Season) -> None:
    """Every corrida of the fierce deck injures somebody."""
    season.circuit.deck = world.wild().circuit.deck
    season.circuit.save()
    chosen(season, 5)
    run = played(season, None, StopOn.CARTELES, StopOn.INJURY)
    assert (run.done, run.reason) == (1, "injury")


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("chosen_before", [1, 4, 5])
@pytest.mark.parametrize("at_once", [1, 2, 200])
def test_a_run_contracts_as_many_as_was_said(
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


def test_it_is_counted_for_a_date_and_a_feria(season: Season) -> None:
    assert carteles_contracted(season, Goal()) == 7
    assert carteles_contracted(season, Goal(until=dt.date(2026, 3, 2))) == 5
    assert carteles_contracted(season, Goal(), [StopOn.CARTELES]) == 0


def test_nothing_is_changed_where_more_would_be_contracted_than_agreed(season: Season) -> None:
    with pytest.raises(CartelesError) as refused:
        prepare_run(season=season, goal=Goal(corridas=1), at=NOW, carteles=4)
    assert refused.value.number == 5
    assert not Run.objects.filter(season=season).exists()
    prepare_run(season=season, goal=Goal(corridas=1), at=NOW, carteles=5)


@pytest.mark.parametrize(("place", "taken"), [(0, 5), (1, 5), (3, 7), (6, 7)])
def test_a_corrida_on_air_contracts_as_many_as_was_said(
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


def test_the_command_stops_before_them_as_well(season: Season) -> None:
    chosen(season, 5)
    out = StringIO()
    call_command(
        "play_season", "--circuit", "ahead", "--instant", "--stop-on", "carteles", stdout=out
    )
    assert out.getvalue() == f"3 corridas of {season} played: stopped (carteles).\n"
    with pytest.raises(CommandError, match="invalid choice: 'rain'"):
        call_command("play_season", "--circuit", "ahead", "--stop-on", "rain")
