"""Open carteles (corridas without a cartel): when the site chooses one, and how they are filled."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from corridas import calendar
from corridas.models import Cartel, Circuit, Corrida, Run, Season, Winter
from corridas.season.operations import (
    Goal,
    carteles_contracted,
    has_agreed,
    week_ahead,
    why_cartel_stays,
)
from corridas.season.pauses import calendar_pause
from corridas.simulation.winter_queries import left_in_season
from tests.factories import World, browser_of, small_circuit

HTMX = {"HX-Request": "true"}
ON = "/direccion/adelante/"
YEAR = 2027


@pytest.fixture
def director(world: World, client: Client) -> Client:
    client.force_login(User.objects.create_superuser("empresario"))
    return client


def announced(world: World, *days: dt.date) -> list[Corrida]:
    return [world.announce(day, first=number) for number, day in enumerate(days)]


def left_open(world: World, *days: dt.date) -> list[Corrida]:
    corridas = announced(world, *days)
    Cartel.objects.filter(corrida__in=corridas).delete()
    return corridas


def day(month: int, number: int) -> dt.date:
    return dt.date(YEAR, month, number)


def page_text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


# The desk


def test_the_desk_says_with_which_corrida_each_open_cartel_is_contracted(
    world: World, director: Client
) -> None:
    """A cartel is contracted 63 days ahead: 3 May is 63 days after 1 March, and 4 May after 2
    March.
    """
    announced(world, day(3, 1), day(3, 2))
    first, second = left_open(world, day(5, 3), day(5, 4))
    page = director.get("/direccion/").text
    section = page[page.index("open-h") :]
    for corrida, on in ((first, "1 March"), (second, "2 March")):
        place = section.index(f"/direccion/cartel/{corrida.pk}/")
        assert f"Contracted on {on}, with Ronda:" in page_text(section[:place])[-80:]


def test_the_desk_shows_the_list_of_open_carteles_only_if_there_are_any(
    world: World, director: Client
) -> None:
    announced(world, day(3, 1))
    assert "open-h" not in director.get("/direccion/").text
    left_open(world, day(3, 5))
    assert "open-h" in director.get("/direccion/").text


@pytest.mark.slow
def test_the_desk_needs_as_many_queries_for_many_open_carteles(
    world: World, director: Client
) -> None:
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            director.get("/direccion/")
        return len(captured)

    left_open(world, day(3, 1))
    count()
    one = count()
    left_open(world, *(day(4, number) for number in range(1, 20)))
    assert count() == one


# Before a run


def ways(page: str) -> dict[str, int]:
    """Return the number of open carteles that each choice would contract."""
    parts = re.findall(r'name="far" value="(\w+)">(.*?)class="n"', page, re.DOTALL)
    found = {far: re.search(r"Contracts (\d+) open", page_text(part)) for far, part in parts}
    return {far: int(words[1]) if words else 0 for far, words in found.items()}


def test_the_play_control_says_how_many_open_carteles_each_choice_contracts(
    world: World, director: Client
) -> None:
    announced(world, day(3, 1), day(3, 5), day(5, 1))
    left_open(world, day(5, 3), day(5, 4), day(7, 3), day(7, 4))
    page = director.get("/direccion/jugar/", headers=HTMX).text
    # Playing the first corrida contracts that of 3 May. Playing to 4 May contracts all others.
    assert ways(page) == {"next": 1, "feria": 4, "week": 1, "until": 1, "end": 4}
    until = director.get("/direccion/jugar/?until=2027-05-04", headers=HTMX).text
    assert "Contracts 4 open carteles" in page_text(until[until.index("play-until-takes") :])[:80]


def test_a_run_asks_once_a_season_before_it_contracts_open_carteles(
    world: World, director: Client, valkey: str
) -> None:
    announced(world, day(3, 1), day(3, 20))
    left_open(world, day(3, 10), day(3, 11))
    asked = director.post(ON, {"far": "next", "carteles": "0"}, headers=HTMX).text
    assert "2 open carteles are contracted on the way." in page_text(asked)
    assert 'name="carteles" value="2"' in asked
    assert 'name="stop_on" value="carteles"' in asked
    assert not Run.objects.exists()
    director.post(ON, {"far": "next", "carteles": "1"}, headers=HTMX)
    assert not Run.objects.exists(), "one more is open than was agreed to"
    director.post(ON, {"far": "next", "carteles": "2"}, headers=HTMX)
    run = Run.objects.get()
    assert run.carteles == 2
    Run.objects.update(state=Run.State.DONE)
    director.post(ON, {"far": "next", "carteles": "0", "latest": run.pk}, headers=HTMX)
    assert Run.objects.count() == 2


def test_a_second_director_must_also_agree_that_open_carteles_are_contracted(
    world: World, director: Client, valkey: str
) -> None:
    left_open(world, day(3, 1))
    director.post(ON, {"far": "next", "carteles": "1"})
    Run.objects.update(state=Run.State.DONE)
    User.objects.create_superuser("otra")
    asked = browser_of("otra").post(ON, {"far": "next", "carteles": "0"}, headers=HTMX).text
    assert "1 open cartel is contracted on the way." in page_text(asked)
    assert Run.objects.count() == 1


def test_an_agreement_to_contract_open_carteles_counts_for_its_director_and_season_only(
    world: World,
) -> None:
    mine, other = (User.objects.create_user(name) for name in ("empresario", "otra"))
    before, after = (world.another_season(year) for year in (YEAR - 1, YEAR + 1))
    elsewhere = small_circuit("barrio", "Barrio").season
    run = Run.objects.create(
        season=world.season, until=day(12, 31), asked_at=timezone.now(), asked_by=mine, carteles=1
    )
    assert has_agreed(world.season, mine)
    for season in (before, after, elsewhere):
        assert not has_agreed(season, mine), season
    assert not has_agreed(world.season, other)
    run.carteles = 0
    run.save()
    assert not has_agreed(world.season, mine), "no cartel was contracted"


def test_a_director_who_agreed_in_the_season_before_is_asked_again(
    world: World, director: Client, valkey: str
) -> None:
    left_open(world, day(3, 10))
    by = User.objects.get(username="empresario")
    before = world.another_season(YEAR - 1)
    agreed = Run.objects.create(
        season=before,
        until=dt.date(YEAR - 1, 12, 31),
        asked_at=timezone.now(),
        asked_by=by,
        carteles=1,
        state=Run.State.DONE,
    )
    asked = director.post(ON, {"far": "next", "carteles": "0"}, headers=HTMX).text
    assert "1 open cartel is contracted on the way." in page_text(asked)
    assert not Run.objects.exclude(pk=agreed.pk).exists()
    Run.objects.filter(pk=agreed.pk).update(season=world.season)
    asked = director.post(
        ON, {"far": "next", "carteles": "0", "latest": agreed.pk}, headers=HTMX
    ).text
    assert "contracted on the way." not in page_text(asked)
    assert Run.objects.exclude(pk=agreed.pk).exists()


def test_a_run_that_stops_before_open_carteles_does_not_ask(
    world: World, director: Client, valkey: str
) -> None:
    left_open(world, day(3, 1))
    director.post(ON, {"far": "next", "carteles": "0", "stop_on": ["carteles"]}, headers=HTMX)
    run = Run.objects.get()
    assert (run.stop_on, run.carteles) == ("carteles", 0)


def test_a_run_that_contracts_no_open_cartel_does_not_ask(
    world: World, director: Client, valkey: str
) -> None:
    announced(world, day(3, 1))
    left_open(world, day(5, 4))
    director.post(ON, {"far": "next", "carteles": "0"}, headers=HTMX)
    assert Run.objects.count() == 1


def test_one_confirmation_covers_posted_results_and_contracted_carteles(
    world: World, director: Client
) -> None:
    airing = world.air(world.announce(day(3, 1)), seconds=30)
    left_open(world, day(3, 10))
    asked = director.post(ON, {"far": "next", "carteles": "0"}, headers=HTMX).text
    assert f'name="post" value="{airing.pk}"' in asked
    assert "1 open cartel is contracted on the way." in page_text(asked)
    assert "Post results, contract and continue" in page_text(asked)


def test_a_broadcast_that_contracts_matadors_of_other_corridas_requires_consent(
    world: World, director: Client
) -> None:
    (first,) = announced(world, day(3, 1))
    left_open(world, day(3, 22), day(5, 3), day(5, 4))
    sent = {"corrida": first.pk, "pace": "3", "carteles": "0"}
    asked = director.post("/direccion/al-aire/", sent)
    assert "2 open carteles are contracted on the way." in page_text(asked.text)
    assert f'name="corrida" value="{first.pk}"' in asked.text
    first.refresh_from_db()
    assert first.state == Corrida.State.ANNOUNCED


# Links to the page that chooses a cartel


@pytest.mark.slow
def test_feria_and_corrida_link_to_the_choice_of_a_cartel_for_the_director_only(
    world: World, director: Client
) -> None:
    announced(world, day(3, 1))
    (corrida,) = left_open(world, day(5, 3))
    Corrida.objects.filter(pk=corrida.pk).update(feria=world.feria)
    link = f"/direccion/cartel/{corrida.pk}/"
    feria = f"/temporada/{YEAR}/{world.feria.slug}/"
    for address in (feria, f"/corridas/{corrida.pk}/"):
        page = director.get(address).text
        assert link in page
        assert "on 1 March, with Ronda" in page_text(page)
        for other in (Client(), browser_of("visitor")):
            assert "/direccion/cartel/" not in other.get(address).text
    assert director.get(link).status_code == 200


def test_a_played_corrida_and_one_of_a_later_season_have_no_such_link(
    world: World, director: Client
) -> None:
    posted = world.post(world.announce(day(3, 1)))
    waiting = world.announce(day(3, 5))
    later = Season.objects.create(
        circuit=world.circuit, year=YEAR + 1, seed=b"s" * 32, commitment=b"c" * 32
    )
    ahead = Corrida.objects.create(
        season=later, plaza=world.plazas[0], date=dt.date(YEAR + 1, 3, 1)
    )
    has = {
        corrida.pk: f"/direccion/cartel/{corrida.pk}/"
        in director.get(f"/corridas/{corrida.pk}/").text
        for corrida in (posted, waiting, ahead)
    }
    assert has == {posted.pk: False, waiting.pk: True, ahead.pk: False}


@pytest.mark.parametrize(
    ("still_open", "offered"),
    [
        ((0, 1, 2), {None: 0, 0: 0, 1: 1, 2: 2}),
        ((1, 2), {None: 1, 0: 1, 1: 1, 2: 2}),
        ((0, 2), {None: 0, 0: 0, 1: 2, 2: 2}),
        ((0, 1), {None: 0, 0: 0, 1: 1, 2: 0}),
        ((0,), {None: 0, 0: 0, 1: 0, 2: 0}),
        ((2,), {None: 2, 0: 2, 1: 2, 2: 2}),
        ((), {None: None, 0: None, 1: None, 2: None}),
    ],
)
def test_the_next_open_cartel_follows_a_corrida_or_is_the_first_of_all(
    world: World, still_open: tuple[int, ...], offered: dict[int | None, int | None]
) -> None:
    corridas = announced(world, day(3, 1), day(3, 5), day(3, 9))
    Cartel.objects.filter(corrida__in=[corridas[number] for number in still_open]).delete()
    waiting = calendar.to_play(world.season)
    keys = [corrida.pk for corrida in corridas]
    found = {
        after: calendar.next_open(waiting, None if after is None else keys[after])
        for after in offered
    }
    assert {
        after: keys.index(corrida.pk) if corrida else None for after, corrida in found.items()
    } == offered
    assert calendar.next_open(waiting, max(keys) + 1) == found[None], "it was played meanwhile"


@pytest.mark.slow
def test_the_next_open_cartel_is_offered_after_one_was_announced(
    world: World, director: Client
) -> None:
    first, second, third = left_open(world, day(3, 1), day(3, 5), day(3, 9))
    three = {"matador": [one.pk for one in world.matadors[:3]], "herd": world.herd.pk}
    for corrida, following in ((second, third), (third, first)):
        answer = director.post(f"/direccion/cartel/{corrida.pk}/", {"chosen": "1", **three})
        assert answer["Location"] == f"/direccion/?announced={corrida.pk}"
        page = director.get(answer["Location"]).text
        assert "has been announced." in page_text(page)
        note = page[page.index("The next open cartel is") :]
        assert f"/direccion/cartel/{following.pk}/" in note[:400]
    answer = director.post(f"/direccion/cartel/{first.pk}/", {"chosen": "1", **three})
    assert answer["Location"] == "/direccion/"
    assert "The next open cartel" not in director.get("/direccion/?announced=99999").text


def test_a_run_of_another_season_hinders_nothing_in_this_one(world: World) -> None:
    corrida, *bare = [*announced(world, day(3, 1)), *left_open(world, day(3, 5))]
    barrio = small_circuit("barrio", "Barrio")
    left_open(barrio, day(3, 1), day(3, 2))
    at, goal = timezone.now(), Goal()
    counted = [carteles_contracted(season, goal) for season in (world.season, barrio.season)]
    assert counted == [len(bare), 2]
    assert week_ahead(barrio.season) == day(3, 7)
    assert week_ahead(replace(world, season=world.another_season(2028)).season) == dt.date(
        2029, 1, 6
    )
    for season, free in ((barrio.season, True), (world.season, False)):
        run = Run.objects.create(season=season, until=day(12, 31), total=1, asked_at=at)
        assert (why_cartel_stays(corrida) == "") is free
        assert left_in_season(world.season).running is not free
        assert (calendar.latest_run(world.season, at) is None) is free
        if free:
            assert calendar.ended_run(world.season, str(run.pk), at) is None
    Run.objects.update(state="done")
    assert why_cartel_stays(corrida) == ""
    ended = calendar.ended_run(world.season, str(run.pk), at)
    assert ended is not None
    assert ended.run == run


def test_the_director_can_fill_the_open_carteles_of_a_feria(world: World, director: Client) -> None:
    mine = left_open(world, day(3, 1), day(3, 5))
    Corrida.objects.filter(pk__in=[one.pk for one in mine]).update(feria=world.feria)
    (outside,) = left_open(world, day(3, 20))
    Corrida.objects.filter(pk=outside.pk).update(feria=None)
    director.post("/direccion/carteles/", {"feria": world.feria.pk})
    assert set(Cartel.objects.values_list("corrida", flat=True)) == {one.pk for one in mine}
    again = director.post("/direccion/carteles/", {"feria": world.feria.pk}, follow=True)
    assert "No cartel is open here any more." in page_text(again.text)
    director.post("/direccion/carteles/", {"feria": ""})
    assert Cartel.objects.filter(corrida=outside).exists()


@pytest.mark.slow
def test_open_carteles_cannot_be_filled_while_the_season_is_being_played(
    world: World, director: Client
) -> None:
    left_open(world, day(3, 1))
    assert "Fill the rest" in director.get("/direccion/").text
    run = Run.objects.create(
        season=world.season, until=day(12, 31), total=1, asked_at=timezone.now()
    )
    assert "Fill the rest" not in director.get("/direccion/").text
    answer = director.post("/direccion/carteles/", {"feria": world.feria.pk}, follow=True)
    assert "The season is being played. Stop it first." in page_text(answer.text)
    assert not Cartel.objects.exists()
    run.delete()


# The new calendar


@pytest.fixture
def spring(world: World) -> World:
    """Return a season whose preceding winter ended a minute ago, in a circuit that is always on
    air.
    """
    before = Season.objects.create(
        circuit=world.circuit, year=YEAR - 1, seed=b"s" * 32, commitment=b"c" * 32
    )
    Winter.objects.create(
        season=before, seed=b"s" * 32, commitment=b"c" * 32, done_at=timezone.now()
    )
    world.circuit.always_on_air = True
    world.circuit.save()
    left_open(world, day(3, 1))
    return world


@pytest.mark.slow
def test_the_calendar_says_when_the_season_begins_and_offers_to_begin_it(
    spring: World, director: Client
) -> None:
    pages = ("/direccion/", f"/temporada/{YEAR}/")
    (winter,) = Winter.objects.exclude(done_at=None)
    assert winter.done_at
    at = timezone.localtime(winter.done_at + dt.timedelta(hours=1))
    for address in pages:
        page = director.get(address).text
        assert f"At {at:%H:%M} on {at.day} {at:%B}, the first carteles" in page_text(page)
        assert "Begin the season now" in page
        for other in (Client(), browser_of("visitor")):
            assert "Begin the season now" not in other.get(address).text
    director.post("/direccion/comienzo/")
    winter.refresh_from_db()
    assert winter.begun_at is not None
    for address in pages:
        assert "Begin the season now" not in director.get(address).text


RESTING: dict[str, dict[str, Any]] = {
    "frozen": {"frozen_at": dt.datetime(2027, 1, 1, tzinfo=dt.UTC)},
    "archived": {"archived_at": dt.datetime(2027, 1, 1, tzinfo=dt.UTC)},
    "not always on air": {"always_on_air": False},
}


@pytest.mark.parametrize("state", RESTING)
def test_a_circuit_that_does_not_continue_by_itself_announces_no_automatic_contracts(
    spring: World, director: Client, state: str
) -> None:
    Circuit.objects.update(**RESTING[state])
    for address in ("/direccion/", f"/temporada/{YEAR}/"):
        page = director.get(address).text
        assert "the first carteles" not in page_text(page)
        assert "Begin the season now" not in page


def test_the_pause_before_the_first_carteles_ends_an_hour_after_the_winter(spring: World) -> None:
    (winter,) = Winter.objects.exclude(done_at=None)
    assert winter.done_at
    ends = winter.done_at + dt.timedelta(hours=1)
    season = Season.objects.select_related("circuit").get(pk=spring.season.pk)
    pause = calendar_pause(season, ends - dt.timedelta(microseconds=1))
    assert pause is not None
    assert pause.until == ends
    assert calendar_pause(season, ends) is None


def test_a_first_season_cannot_be_begun_early(world: World, director: Client) -> None:
    left_open(world, day(3, 1))
    answer = director.post("/direccion/comienzo/", follow=True)
    assert "does not wait for anything." in page_text(answer.text)
