"""Every corrida has a house from its beginning on, and every town a mood."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from corridas.models import Corrida, Lidia, Puesto, Season
from corridas.results import verdict
from corridas.simulation.derived_houses import rebuild_houses
from corridas.simulation.houses import Turnout
from corridas.simulation.pars import pars_of, why_no_pars
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_now
from corridas.world.box_office import draw_luck
from fairness import Seed
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.corridas.world.box_office.second import house as second
from tests.corridas.world.box_office.second import town

pytestmark = pytest.mark.usefixtures("rows")
CALLED = {
    "oreja": "one ear",
    "dos": "two ears",
    "rabo": "tail",
    "division": "división",
    "ovacion": "ovación",
}
EARS = {"oreja": 1, "dos": 2, "rabo": 2}


def played(season: Season) -> list[Corrida]:
    found = Corrida.objects.filter(season=season).over().select_related("plaza")
    return list(found.order_by("date", "pk"))


def turnout_of(corrida: Corrida) -> Turnout:
    assert corrida.turnout is not None
    found: Turnout = corrida.turnout
    return found


def bulls_of(corrida: Corrida) -> list[Lidia]:
    return list(Lidia.objects.filter(corrida=corrida).order_by("turn"))


def men_of(corrida: Corrida) -> list[int]:
    rows = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
    return list(rows.values_list("matador_id", flat=True))


def bull(lidia: Lidia) -> town.Bull:
    """Return the bull of a lidia for the second implementation."""
    if lidia.finisher_id is None:
        return town.Bull("división", broken_off=True)
    if lidia.ending == "three_avisos":
        return town.Bull("third aviso")
    called = verdict(lidia.trophy, lidia.crowd) or ""
    lap = bool(lidia.vuelta) and not lidia.trophy
    return town.Bull(CALLED.get(called, called), lap, lidia.ending == "spared")


class Remembered:
    """What a town remembers, by the second implementation: mood, deeds, appearances in ferias."""

    def __init__(self) -> None:
        self.mood = 5_000
        self.triumphs: dict[int, list[bool]] = defaultdict(list)
        self.disgraces: dict[int, list[bool]] = defaultdict(list)
        self.in_feria: dict[tuple[int, int | None], list[bool]] = defaultdict(list)

    def draw_of(self, man: int, standing: int, feria: int | None) -> int:
        here = second.standing_here(standing, self.triumphs[man], self.disgraces[man])
        held = self.in_feria[man, feria] if feria else []
        return second.draw(here, second.fresh(len(held), any(held)))

    def sees(self, corrida: Corrida, par: Any, missed: int) -> None:
        lidias = bulls_of(corrida)
        shown = town.shown_by([bull(lidia) for lidia in lidias])
        self.mood = town.mood_after(self.mood, town.deviation_z(shown, par.seen, 0, par.sd), missed)
        for man in men_of(corrida):
            own = [lidia for lidia in lidias if lidia.finisher_id == man]
            verdicts = [verdict(lidia.trophy, lidia.crowd) for lidia in own]
            triumph = sum(EARS.get(each or "", 0) for each in verdicts) >= 2
            failed = any(lidia.ending == "three_avisos" for lidia in own) or "bronca" in verdicts
            self.triumphs[man].append(triumph)
            self.disgraces[man].append(failed)
            self.in_feria[man, corrida.feria_id].append(triumph)


def test_houses_and_moods_agree_with_the_second_implementation() -> None:
    season = world.wild()
    world.play_season(season)
    season.refresh_from_db()
    towns: dict[int, Remembered] = defaultdict(Remembered)
    corridas = played(season)
    assert len(corridas) == 11
    for corrida in corridas:
        par, held, turnout = (
            pars_of(season)[corrida.plaza.category],
            towns[corrida.plaza_id],
            turnout_of(corrida),
        )
        draws = [
            held.draw_of(man, standing, corrida.feria_id)
            for man, standing in zip(men_of(corrida), turnout["standings"], strict=True)
        ]
        people = second.wanted(
            turnout["seats"],
            turnout["category"],
            second.pull(second.cartel(draws), par.draw),
            second.mood_factor(held.mood),
            second.day_factor(corrida.date.weekday() >= 5),
            1_000,
            turnout["chance"],
        )
        window = second.window(turnout["seats"], turnout["tickets"], people, turnout["rain"])
        house = second.house(turnout["tickets"], window)
        assert corrida.house == second.per_thousand(house, turnout["seats"])
        held.sees(corrida, par, turnout["missed"])
        assert corrida.mood == held.mood
    # The deck injures often, so men were missing.
    assert sum(turnout_of(corrida)["missed"] for corrida in corridas) > 0
    assert len({corrida.mood for corrida in corridas}) > 5


def test_season_tickets_are_sold_once_for_ferias_of_three_days_or_more() -> None:
    season = world.wild()
    world.play_season(season)
    sold = defaultdict(set)
    for corrida in played(season):
        sold[corrida.plaza.slug].add(turnout_of(corrida)["tickets"])
        assert turnout_of(corrida)["tickets"] <= 0.55 * turnout_of(corrida)["seats"] + 1
    # Six days, three days, two days.
    assert {slug: len(numbers) for slug, numbers in sold.items()} == dict.fromkeys(sold, 1)
    assert sold["las-ventas"] != {0}
    assert sold["valencia"] != {0}
    assert sold["valdemorillo"] == {0}


def test_chance_and_rain_come_from_the_seed_of_the_season() -> None:
    season = world.calm()
    world.play_season(season)
    for corrida in played(season):
        luck = draw_luck(Seed(bytes(season.seed)), corrida.date, corrida.plaza.slug)
        assert (luck.chance, luck.rain) == (
            turnout_of(corrida)["chance"],
            turnout_of(corrida)["rain"],
        )


def test_a_broadcast_has_its_house_from_the_paseillo_on_and_the_mood_at_its_end() -> None:
    season = world.calm()
    [first, second_one, *_] = world.queue_all(season)
    with transaction.atomic():
        Corrida.objects.filter(season=season).update(state=Corrida.State.ANNOUNCED)
        world.play_season(season)
        of_the_run = Corrida.objects.get(pk=first).house
        transaction.set_rollback(True)
    assert Corrida.objects.get(pk=first).house is None
    assert play_on_air(first, at=NOW)
    on_air = Corrida.objects.get(pk=first)
    # A house does not depend on the cards, so it does not matter who plays them.
    assert on_air.house == of_the_run
    assert on_air.mood is None
    assert post_now(first, at=NOW)
    over = Corrida.objects.get(pk=first)
    assert (over.house, over.turnout) == (on_air.house, on_air.turnout)
    assert over.mood is not None
    assert Corrida.objects.get(pk=second_one).house is None


def test_a_season_planned_before_houses_were_counted_gets_them_when_it_is_played() -> None:
    season = world.calm()
    measured = season.pars
    Season.objects.filter(pk=season.pk).update(pars=None)
    season = world.calm()
    assert why_no_pars(season) == "Attendance is counted from the next corrida on."
    world.play_season(season)
    season.refresh_from_db()
    assert season.pars == measured
    assert why_no_pars(season) == ""
    assert all(corrida.house is not None for corrida in played(season))


def test_a_season_that_is_over_keeps_no_houses() -> None:
    season = world.calm()
    world.play_season(season)
    Season.objects.filter(pk=season.pk).update(pars=None)
    Corrida.objects.filter(season=season).update(house=None, mood=None, turnout=None)
    season = world.calm()
    assert why_no_pars(season) == "Attendance was not counted when this season was played."
    assert rebuild_houses(season, write_rows=True) == []
    assert {corrida.house for corrida in played(season)} == {None}


def test_there_are_no_houses_while_nobody_knows_what_cards_show() -> None:
    season = world.wild()
    Season.objects.filter(pk=season.pk).update(pars=None)
    world.play_season(world.wild())
    season = world.wild()
    assert season.pars is None
    assert {(corrida.house, corrida.mood) for corrida in played(season)} == {(None, None)}


def test_rebuild_finds_and_corrects_what_differs() -> None:
    season = world.wild()
    [first, second_one, *others] = world.queue_all(season)
    # The second corrida begins before the first one is posted.
    for hours, key in ((4, first), (3, second_one)):
        assert play_on_air(key, at=NOW - dt.timedelta(hours=hours))
    for hours, key in ((2, second_one), (1, first)):
        assert post_now(key, at=NOW - dt.timedelta(hours=hours))
    Corrida.objects.filter(pk__in=others).update(state=Corrida.State.ANNOUNCED)
    world.play_season(season)
    season = world.wild()
    call_command("rebuild", "houses", "--check")
    right = {corrida.pk: (corrida.house, corrida.mood) for corrida in played(season)}
    Corrida.objects.filter(pk=first).update(mood=1)
    Corrida.objects.filter(pk=others[0]).update(house=1)
    found = rebuild_houses(season, write_rows=False)
    assert found == [
        f"corrida {first}, mood: stored 1, calculated {right[first][1]}",
        f"corrida {others[0]}, house: stored 1, calculated {right[others[0]][0]}",
    ]
    with pytest.raises(CommandError, match="2 figures differ"):
        call_command("rebuild", "houses", "--check")
    call_command("rebuild", "houses")
    assert {corrida.pk: (corrida.house, corrida.mood) for corrida in played(season)} == right
