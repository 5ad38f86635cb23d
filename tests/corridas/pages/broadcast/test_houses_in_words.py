"""Pages and the API say in words how full a plaza is, from the paseíllo on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from corridas.broadcast import source
from corridas.labels import HOUSES
from corridas.models import Corrida
from corridas.stage.story import paseillo
from corridas.world.box_office.words import HouseWord
from tests.corridas.broadcast.conftest import OnAir
from tests.factories import World

pytestmark = pytest.mark.django_db
SPANISH = {"Accept-Language": "es"}


def shown(world: World, house: int | None) -> Corrida:
    """Return the last corrida that was posted, with this house."""
    corrida = Corrida.objects.filter(season=world.season).over().order_by("-date")[0]
    Corrida.objects.filter(pk=corrida.pk).update(house=house)
    return corrida


@pytest.mark.parametrize(
    ("house", "words", "spanish", "code"),
    [
        (1_000, "Full house", "Lleno", "full"),
        (970, "Full house", "Lleno", "full"),
        (969, "Nearly full", "Casi lleno", "nearly_full"),
        (850, "Nearly full", "Casi lleno", "nearly_full"),
        (849, "Three quarters full", "Tres cuartos de plaza", "three_quarters"),
        (650, "Three quarters full", "Tres cuartos de plaza", "three_quarters"),
        (649, "Half full", "Media plaza", "half"),
        (450, "Half full", "Media plaza", "half"),
        (449, "A third full", "Un tercio de plaza", "third"),
        (280, "A third full", "Un tercio de plaza", "third"),
        (279, "A quarter full", "Un cuarto de plaza", "quarter"),
        (0, "A quarter full", "Un cuarto de plaza", "quarter"),
    ],
)
def test_a_house_is_shown_in_words(
    client: Client, lived: World, house: int, words: str, spanish: str, code: str
) -> None:
    corrida = shown(lived, house)
    address = f"/corridas/{corrida.pk}/?to=end"
    assert f"· {words}" in client.get(address, follow=True).text
    assert f"· {spanish}" in client.get(address, headers=SPANISH, follow=True).text
    feria = client.get(f"/temporada/{lived.season.year}/{lived.feria.slug}/").text
    assert words in feria
    assert client.get(f"/api/v1/corridas/{corrida.pk}/").json()["house"] == code


def test_nothing_is_said_if_nobody_counted(client: Client, lived: World) -> None:
    shown(lived, 0)
    address = f"/temporada/{lived.season.year}/{lived.feria.slug}/"
    assert "A quarter full" in client.get(address).text
    corrida = shown(lived, None)
    for text in (
        client.get(address).text,
        client.get(f"/corridas/{corrida.pk}/", follow=True).text,
    ):
        assert not any(str(words) in text for words in HOUSES.values())
    assert client.get(f"/api/v1/corridas/{corrida.pk}/").json()["house"] is None


def test_every_word_has_a_label() -> None:
    assert set(HOUSES) == {word.name.lower() for word in HouseWord}


def test_the_first_line_of_a_broadcast_says_how_full_the_plaza_is(on_air: OnAir) -> None:
    showing = source.showing_of(on_air.corrida)
    lines = {
        word: (paseillo(told, "en").plain, paseillo(told, "es").plain)
        for word in ("", *HOUSES)
        for told in [replace(showing, house=word)]
    }
    assert len(set(lines.values())) == len(HOUSES) + 1
    assert lines["full"][0] == f"{lines[''][0]} Not a seat is left: a full house."
    assert lines["half"][1] == f"{lines[''][1]} Hay media plaza."
