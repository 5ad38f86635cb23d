"""The infirmary: matadors injured on a day, the corridas they miss, and the marks in lists."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.calendar import lost_matadors
from corridas.lists import queries
from corridas.models import Corrida, Injury, Matador
from corridas.simulation.post import post_now
from tests.factories import World, browser_of, small_circuit

pytestmark = pytest.mark.django_db

HURT_ON = dt.date(2027, 3, 6)
TODAY = dt.date(2027, 3, 20)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def day(number: int) -> dt.date:
    return dt.date(2027, 3, number)


def injure(matador: Matador, until: dt.date, corrida: Corrida | None = None) -> Injury:
    """Create an injury in a corrida, by default in the last one."""
    held = corrida or Corrida.objects.get(date=HURT_ON)
    return Injury.objects.create(
        matador=matador, corrida=held, turn=1, grade="grave", since=held.date, until=until
    )


def beds(page: str) -> list[str]:
    """Return the slugs of the matadors in the infirmary, in the order of the page."""
    return re.findall(r'<h2><a href="(?:/circuitos/\w+)?/matadores/([\w-]+)/">', page)


def misses(page: str) -> list[str]:
    """Return the corridas that a matador misses, with the text beside each."""
    rows = page.partition("<dt>Misses</dt>")[2].partition("</ul>")[0]
    found = re.findall(r"<li>(.*?)</li>", rows, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


def hurt_in_list(client: Client) -> set[str]:
    answer = client.get("/matadores/?state=hurt&format=csv")
    text = answer.getvalue().decode("utf-8-sig")
    return {row["slug"] for row in csv.DictReader(io.StringIO(text))}


def test_an_injury_lasts_until_the_end_of_its_last_day(lived: World, client: Client) -> None:
    """One matador rests until yesterday, one until today and one until tomorrow."""
    for number, last in enumerate((19, 20, 21)):
        injure(lived.matadors[number], day(last))
    lived.announce(TODAY, 1, 3)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-1", "matador-2"]
    assert re.findall(r"\d+ days? to go", page) == ["1 day to go", "2 days to go"]
    assert hurt_in_list(client) == {"matador-1", "matador-2"}
    assert len(queries.hurt("leyendas", day(19))) == 3, "yesterday all of them"


@pytest.mark.slow
def test_every_page_shows_an_injury_on_the_last_day_of_the_rest(
    lived: World, client: Client
) -> None:
    """On the matador's page, in the comparison and in the infirmary, the longest rest counts."""
    for number, last in ((0, 19), (1, 20), (2, 20), (3, 30)):
        injure(lived.matadors[number], day(last))
    injure(lived.matadors[2], day(21), Corrida.objects.get(date=day(4)))
    Matador.objects.filter(pk=lived.matadors[3].pk).update(state="retired", retired_in=2027)
    lived.announce(TODAY, 1, 0)
    said = {"matador-1": "20 Mar", "matador-2": "21 Mar"}
    assert beds(client.get("/enfermeria/").text) == list(said)
    for matador in lived.matadors:
        own = client.get(f"/matadores/{matador.slug}/").text
        told = re.findall(r"injured until (\d+ \w+)", own)
        assert told == [said[slug] for slug in said if slug == matador.slug], matador.slug
    page = client.get("/matadores/comparar/?" + "&".join(f"m=matador-{n}" for n in range(4))).text
    assert re.findall(r"injured until (\d+ \w+)", page) == list(said.values())


def test_the_infirmary_is_sorted_by_the_day_of_return_and_ties_by_name(
    lived: World, client: Client
) -> None:
    for number, (name, last) in enumerate(
        (("Ñito", 25), ("Óscar", 25), ("Zurdo", 25), ("Abel", 26))
    ):
        matador = lived.matadors[number]
        matador.name = name
        matador.save()
        injure(matador, day(last))
    Corrida.objects.create(season=lived.season, plaza=lived.plazas[0], date=TODAY)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-0", "matador-1", "matador-2", "matador-3"]


def test_missed_corridas_are_those_after_today_until_the_last_day_of_rest(
    lived: World, client: Client
) -> None:
    """The corrida on the last day is missed, the next is not.

    Corridas without a cartel are counted.
    """
    hurt, other = lived.matadors[0], lived.matadors[3]
    injure(hurt, day(26))
    replaced = lived.announce(TODAY)
    replaced.cartel.puestos.filter(matador=hurt).update(matador=other, instead_of=hurt)
    lived.announce(day(26), 1)
    lived.announce(day(27))
    for number, plaza in ((24, 1), (26, 0), (27, 1)):
        Corrida.objects.create(season=lived.season, plaza=lived.plazas[plaza], date=day(number))
    page = client.get("/enfermeria/").text
    assert misses(page) == [
        "20 Mar, Ronda replaced by Rafael Molina",
        "26 Mar, Arles not replaced yet",
    ]
    assert "4 corridas in the calendar take place before he returns." in " ".join(page.split())
    assert "7 days to go" in page


def test_past_corridas_are_missed_only_if_a_replacement_appeared(
    lived: World, client: Client
) -> None:
    """In one past corrida another matador replaced him; in the other he appeared himself."""
    hurt, other = lived.matadors[0], lived.matadors[3]
    injure(hurt, day(30))
    without = lived.announce(day(8))
    without.cartel.puestos.filter(matador=hurt).update(matador=other, instead_of=hurt)
    lived.post(without)
    lived.post(lived.announce(day(10)))
    lived.announce(TODAY)
    assert misses(client.get("/enfermeria/").text) == [
        "8 Mar, Ronda replaced by Rafael Molina",
        "20 Mar, Ronda not replaced yet",
    ]


def test_an_injured_substitute_is_listed_as_missing_the_corrida_too(
    lived: World, client: Client
) -> None:
    """The infirmary and the desk list both matadors. The substitute has no substitute yet."""
    first, other = lived.matadors[0], lived.matadors[3]
    injure(first, day(25))
    injure(other, day(26))
    coming = lived.announce(TODAY)
    coming.cartel.puestos.filter(matador=first).update(matador=other, instead_of=first)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-0", "matador-3"]
    first_bed, other_bed = page.split('<li class="panel">')[1:]
    assert misses(first_bed) == ["20 Mar, Ronda replaced by Rafael Molina"]
    assert misses(other_bed) == ["20 Mar, Ronda not replaced yet"]
    lost = {
        row.injury.matador: [missed.stands_in for missed in row.missed]
        for row in lost_matadors(lived.season)
    }
    assert lost == {first: [other], other: [None]}


def test_a_matador_with_two_injuries_rests_until_the_later_day(
    lived: World, client: Client
) -> None:
    hurt = lived.matadors[0]
    injure(hurt, day(28), Corrida.objects.get(date=day(2)))
    injure(hurt, day(24))
    lived.announce(TODAY, 1, 1)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-0"]
    assert "28 March 2027" in page
    assert "He misses no corrida with an announced cartel." in page


def test_an_injury_is_shown_only_after_its_corrida_is_over(lived: World, client: Client) -> None:
    """During the broadcast the row of the injury exists already, but nobody has seen it yet."""
    corrida = lived.air_in_earnest(lived.announce(TODAY), seconds=0)
    Injury.objects.filter(corrida=corrida).delete()
    injure(lived.matadors[0], day(30), corrida)
    lived.announce(day(22), 1, 1)
    assert beds(client.get("/enfermeria/").text) == []
    assert hurt_in_list(client) == set()
    post_now(corrida.pk, at=timezone.now())
    cache.clear()
    assert "matador-0" in beds(client.get("/enfermeria/").text)
    assert "matador-0" in hurt_in_list(client)


def test_the_infirmary_lists_only_matadors_of_its_circuit(lived: World, client: Client) -> None:
    other = small_circuit("otro", "Otro")
    injure(other.matadors[0], day(30), other.post(other.announce(HURT_ON)))
    lived.announce(TODAY)
    other.announce(TODAY)
    assert beds(client.get("/circuitos/otro/enfermeria/").text) == ["matador-0"]
    assert beds(client.get("/enfermeria/").text) == []


def test_a_retired_matador_leaves_the_infirmary_once_the_winter_is_known(
    lived: World, client: Client
) -> None:
    """For a protected user the winter in which he retired has not come yet."""
    hurt = lived.matadors[0]
    injure(hurt, day(30))
    at = timezone.now()
    coming = lived.announce(TODAY, 1, 1)
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    lived.post(coming)
    Corrida.objects.filter(pk=coming.pk).update(on_air_at=at, ends_at=at)
    assert beds(client.get("/enfermeria/").text) == ["matador-0"]
    Matador.objects.filter(pk=hurt.pk).update(state="retired", retired_in=2027)
    cache.clear()
    assert beds(client.get("/enfermeria/").text) == []
    assert beds(browser_of("vera").get("/enfermeria/").text) == ["matador-0"]


def test_the_infirmary_shows_a_protected_user_only_the_days_before_unwatched_results(
    lived: World, client: Client
) -> None:
    """A corrida that was not watched counts as still to come, and its injury is unknown."""
    hurt, other = lived.matadors[:2]
    injure(hurt, day(26))
    at = timezone.now()
    unseen = lived.post(lived.announce(day(10), 1, 1))
    Corrida.objects.filter(pk=unseen.pk).update(on_air_at=at, ends_at=at)
    injure(other, day(30), unseen)
    lived.announce(TODAY, 1, 1)
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    now = client.get("/enfermeria/").text
    assert beds(now) == ["matador-0", "matador-1"]
    assert "7 days to go" in now
    assert "1 corrida in the calendar takes place" in " ".join(now.split())
    seen = browser_of("vera").get("/enfermeria/").text
    assert beds(seen) == ["matador-0"]
    assert "17 days to go" in seen
    assert "2 corridas in the calendar take place" in " ".join(seen.split())


@pytest.mark.parametrize("unseen", [9, 10, 11])
def test_a_protected_user_sees_which_coming_corridas_a_matador_misses(
    lived: World, client: Client, unseen: int
) -> None:
    """From the unwatched corrida on, results are hidden, but not the carteles that are announced.

    Another matador appeared for him on 10 March.
    """
    hurt, other = lived.matadors[0], lived.matadors[3]
    injure(hurt, day(26))
    replaced = lived.announce(day(10))
    replaced.cartel.puestos.filter(matador=hurt).update(matador=other, instead_of=hurt)
    lived.post(replaced)
    at = timezone.now()
    hidden = replaced if unseen == 10 else lived.post(lived.announce(day(unseen), 1, 1))
    Corrida.objects.filter(pk=hidden.pk).update(on_air_at=at, ends_at=at)
    for number in (20, 26, 27):
        lived.announce(day(number))
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    coming = ["20 Mar, Ronda not replaced yet", "26 Mar, Ronda not replaced yet"]
    past = ["10 Mar, Ronda replaced by Rafael Molina"]
    assert misses(client.get("/enfermeria/").text) == past + coming
    seen = misses(browser_of("vera").get("/enfermeria/").text)
    assert seen == (past if unseen > 10 else []) + coming


@pytest.mark.slow
def test_lists_of_a_protected_user_mark_the_matadors_injured_on_the_user_s_current_day(
    lived: World, client: Client
) -> None:
    """The corrida of 10 April is unwatched, so that is the user's current day.

    For others the current day is 20 April: the first matador has recovered, and the second was
    injured in the unwatched corrida. The third recovered before it.
    """
    injure(lived.matadors[0], dt.date(2027, 4, 10))
    injure(lived.matadors[2], dt.date(2027, 4, 9))
    at = timezone.now()
    unseen = lived.post(lived.announce(dt.date(2027, 4, 10), 1, 1))
    Corrida.objects.filter(pk=unseen.pk).update(on_air_at=at, ends_at=at)
    injure(lived.matadors[1], dt.date(2027, 4, 30), unseen)
    lived.announce(dt.date(2027, 4, 20), 1, 1)
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    mark = re.compile(r"injured until (\d+ \w+)")
    compared = "/matadores/comparar/?m=matador-0&m=matador-1&m=matador-2"
    expected = ((client, "matador-1", "30 Apr"), (browser_of("vera"), "matador-0", "10 Apr"))
    for browser, slug, until in expected:
        assert beds(browser.get("/enfermeria/").text) == [slug]
        assert hurt_in_list(browser) == {slug}
        for address in ("/matadores/", compared):
            assert mark.findall(browser.get(address).text) == [until], address
