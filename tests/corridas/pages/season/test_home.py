"""The home page before and after the first corrida of a year."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.engine import Scoresheet
from corridas.escalafon.queries import ranking
from corridas.models import Corrida, Season
from corridas.pages.season.home import _tercio
from tests.factories import World, browser_of, small_circuit

NO_ANIMAL = "No animal is involved: bulls, matadors and results come from cards."
TOP, FINAL = "Top of the escalafón", "Final ranking for 2027"


def next_year(world: World) -> World:
    """Return the season 2028, which is planned and has not begun."""
    season = Season.objects.create(
        circuit=world.circuit, year=2028, seed=b"t" * 32, commitment=b"c" * 32
    )
    return replace(world, season=season)


def home(client: Client) -> str:
    cache.clear()
    return client.get("/").text


@pytest.mark.parametrize("state", ["empty", "announced", "on air", "over", "of a circuit"])
def test_the_home_page_says_that_no_animal_is_involved(
    world: World, client: Client, state: str
) -> None:
    at, path = timezone.now(), "/"
    if state != "empty":
        corrida = world.announce(dt.date(2027, 3, 1))
    if state == "on air":
        world.post(corrida)
        Corrida.objects.filter(pk=corrida.pk).update(
            on_air_at=at, ends_at=at + dt.timedelta(hours=1)
        )
    if state == "over":
        world.post(corrida)
    if state == "of a circuit":
        small_circuit("barrio", "Circuito del Barrio")
        path = "/circuitos/barrio/"
    cache.clear()
    assert client.get(path).text.count(NO_ANIMAL) == 1


def table(page: str) -> list[str]:
    """Return the slugs of the matadors in the table of the home page."""
    rows = page[page.index('<table class="table top8">') :]
    return re.findall(r'<a href="/matadores/([\w-]+)/">', rows[: rows.index("</table>")])


def test_before_the_first_corrida_the_home_page_shows_last_year_s_final_ranking(
    lived: World, client: Client
) -> None:
    final = [line.slug for line in ranking.standings(lived.season)]
    page = home(client)
    assert TOP in page
    assert FINAL not in page
    assert table(page) == final
    coming = next_year(lived)
    corrida = coming.announce(dt.date(2028, 1, 4), plaza=1)
    january = home(client)
    assert FINAL in january
    assert TOP not in january
    assert table(january) == final
    assert 'href="/escalafon/2027/"' in january
    coming.post(corrida)
    coming.announce(dt.date(2028, 1, 5), plaza=1)
    after = home(client)
    assert TOP in after
    assert FINAL not in after
    assert table(after) == [line.slug for line in ranking.standings(coming.season)]


def test_the_cached_ranking_of_the_home_page_is_in_the_language_of_the_visitor(
    lived: World, client: Client
) -> None:
    for language, said in (("en", TOP), ("es", "Cabeza del escalafón"), ("en", TOP)):
        page = client.get("/", headers={"accept-language": language}).text
        assert said in page[page.index('<main id="main">') :]


@pytest.mark.parametrize(
    ("marks", "kill", "tercio"),
    [((0, 0, 0), 0, "1st"), ((4, 0, 0), 0, "1st"), ((4, 1, 0), 0, "2nd"), ((4, 3, 2), 0, "3rd"),
     ((4, 3, 2), 1, "kill")],
)  # fmt: skip
def test_the_tercio_on_the_home_page_is_the_last_one_with_a_mark(
    marks: tuple[int, int, int], kill: int, tercio: str
) -> None:
    sheet = Scoresheet(matador=0, modifiers=[0] * kill)
    for each, number in zip(sheet.tercios, marks, strict=True):
        each.marks = number
    assert _tercio(sheet) == tercio


def test_in_the_first_season_the_home_page_shows_no_earlier_ranking(
    world: World, client: Client
) -> None:
    world.announce(dt.date(2027, 1, 4))
    page = home(client)
    assert FINAL.replace("2027", "2026") not in page
    assert '<table class="table top8">' not in page


def test_the_final_ranking_is_hidden_from_users_who_have_not_watched(lived: World) -> None:
    next_year(lived).announce(dt.date(2028, 1, 4), plaza=1)
    at = timezone.now()
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    assert FINAL in home(browser_of("vera")), "nothing was on air, so nothing is hidden"
    Corrida.objects.filter(season=lived.season).update(on_air_at=at, ends_at=at)
    assert FINAL in home(Client())
    assert FINAL not in home(browser_of("vera"))
