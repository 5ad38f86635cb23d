"""The infirmary: who is in it on which day, what he misses, and who is marked in the list."""

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
    """Hurt in a corrida, the last one without any."""
    held = corrida or Corrida.objects.get(date=HURT_ON)
    return Injury.objects.create(
        matador=matador, corrida=held, turn=1, grade="grave", since=held.date, until=until
    )


def beds(page: str) -> list[str]:
    """Who lies in the infirmary, by address, in the order of the page."""
    return re.findall(r'<h2><a href="(?:/circuitos/\w+)?/matadores/([\w-]+)/">', page)


def misses(page: str) -> list[str]:
    """The corridas that are missed, with what is said of each."""
    rows = page.partition("<dt>Misses</dt>")[2].partition("</ul>")[0]
    found = re.findall(r"<li>(.*?)</li>", rows, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


def hurt_in_list(client: Client) -> set[str]:
    answer = client.get("/matadores/?state=hurt&format=csv")
    text = answer.getvalue().decode("utf-8-sig")
    return {row["slug"] for row in csv.DictReader(io.StringIO(text))}


def test_a_rest_ends_with_its_last_day(lived: World, client: Client) -> None:
    """One rested until yesterday, one rests until today, one until tomorrow."""
    for number, last in enumerate((19, 20, 21)):
        injure(lived.matadors[number], day(last))
    lived.announce(TODAY, 1, 3)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-1", "matador-2"]
    assert re.findall(r"\d+ days? to go", page) == ["1 day to go", "2 days to go"]
    assert hurt_in_list(client) == {"matador-1", "matador-2"}
    assert len(queries.hurt("leyendas", day(19))) == 3, "yesterday all of them"


def test_every_page_calls_them_injured_on_the_last_day_of_their_rest(
    lived: World, client: Client
) -> None:
    """On their own pages and beside each other as in the infirmary, by the longest rest."""
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


def test_the_first_to_come_back_comes_first_and_level_ones_by_name(
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


def test_corridas_are_missed_from_the_day_after_to_the_last_day(
    lived: World, client: Client
) -> None:
    """The one on the last day is missed, the next is not; those without a cartel are counted."""
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


def test_what_was_played_without_him_stays_and_what_he_played_is_not_missed(
    lived: World, client: Client
) -> None:
    """Corridas that are over: in one another stood in, in the other he is still on the cartel."""
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


def test_who_replaces_somebody_and_is_hurt_too_misses_the_corrida_as_well(
    lived: World, client: Client
) -> None:
    """On the infirmary and on the desk; the second is not replaced yet."""
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


def test_somebody_hurt_twice_rests_as_long_as_the_longer_rest(lived: World, client: Client) -> None:
    hurt = lived.matadors[0]
    injure(hurt, day(28), Corrida.objects.get(date=day(2)))
    injure(hurt, day(24))
    lived.announce(TODAY, 1, 1)
    page = client.get("/enfermeria/").text
    assert beds(page) == ["matador-0"]
    assert "28 March 2027" in page
    assert "He misses no corrida with an announced cartel." in page


def test_an_injury_is_told_when_its_corrida_is_over(lived: World, client: Client) -> None:
    """On air it has happened already, but nobody has seen it yet."""
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


def test_the_infirmary_of_a_circuit_is_its_own(lived: World, client: Client) -> None:
    other = small_circuit("otro", "Otro")
    injure(other.matadors[0], day(30), other.post(other.announce(HURT_ON)))
    lived.announce(TODAY)
    other.announce(TODAY)
    assert beds(client.get("/circuitos/otro/enfermeria/").text) == ["matador-0"]
    assert beds(client.get("/enfermeria/").text) == []


def test_somebody_who_retired_is_not_in_the_infirmary_until_that_is_known(
    lived: World, client: Client
) -> None:
    """Behind the spoiler protection the winter in which he retired has not come yet."""
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


def test_the_infirmary_shows_the_day_that_was_watched(lived: World, client: Client) -> None:
    """A corrida that was not watched yet is still to come: it counts, and its injury is unknown."""
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
