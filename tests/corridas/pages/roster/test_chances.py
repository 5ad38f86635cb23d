"""Chances of matadors' cards on pages, in the admin and in the API."""

from __future__ import annotations

import html
import re

import pytest
from django.db.models import F
from django.http import QueryDict
from django.test import Client

from accounts.models import User
from corridas.lists import definitions, queries
from corridas.lists.listing import read_view
from corridas.models import DeckScores, MatadorCard
from corridas.models.matadors import CHANCES
from corridas.templatetags.chances import expected, per_cent
from corridas.world.chances.sample import bundled_scores
from tests.factories import World

pytestmark = pytest.mark.django_db
PAGE = "/matadores/matador-0/"
CALCULATED = "The chances are being calculated. Reload in a minute."


def text(client: Client, path: str, **headers: str) -> str:
    """Return the words of a page without tags, separated by single spaces."""
    page = client.get(path, headers=headers)
    assert page.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", html.unescape(page.text)).split())


def without_chances() -> None:
    MatadorCard.objects.update(**dict.fromkeys(CHANCES))


def test_the_page_of_a_matador_shows_the_chances_of_his_card(lived: World, client: Client) -> None:
    card = lived.matadors[0].cards.get()
    shown = text(client, PAGE)
    ears = " ".join(per_cent(getattr(card, f"ear_{of}")) for of in (1, 2, 3))
    means = " ".join(expected(getattr(card, f"ears_{of}")) for of in (1, 2, 3))
    assert f"An ear {ears}" in shown
    assert f"Ears per bull {means}" in shown
    assert re.search(r"An ear \d\d % \d\d % \d\d %", shown)
    assert re.search(r"Two ears \d+ % \d+ % \d+ % A lap \d+ %", shown)


def test_texts_without_blood_have_velvet_ears(lived: World, client: Client) -> None:
    spanish = text(client, PAGE, **{"Accept-Language": "es"})
    assert re.search(r"Una oreja \d\d % ", spanish)
    client.cookies["wording"] = "bloodless"
    assert re.search(r"A velvet ear \d\d % ", text(client, PAGE))


@pytest.mark.parametrize("path", [PAGE, "/matadores/"])
def test_a_page_without_chances_says_so_and_shows_everything_else(
    lived: World, client: Client, path: str
) -> None:
    assert CALCULATED not in text(client, path)
    without_chances()
    lived.season.posted_version += 1
    lived.season.save()
    shown = text(client, path)
    assert CALCULATED in shown
    assert "Pedro Romero" in shown
    rules = '{"bull_points": "for"}'
    lived.circuit.rules = {"bull_points": "for"}
    lived.circuit.save()
    DeckScores.objects.create(
        deck=lived.circuit.deck.digest, rules=rules, reason=DeckScores.Reason.INVALID
    )
    lived.season.posted_version += 1
    lived.season.save()
    assert "This deck’s cards are not valid: no chances." in text(client, path)


def test_rows_without_chances_come_last_in_both_directions(lived: World) -> None:
    lived.matadors[1].cards.update(ear_3=None)
    lived.matadors[2].cards.update(ear_3=0.99)
    found = queries.matadors("leyendas")
    for sort, first in (("ear_3", "matador-2"), ("-ear_3", "matador-0")):
        view = read_view(definitions.MATADORS, QueryDict(f"sort={sort}"), "leyendas")
        shown = view.arranged(found)
        assert getattr(shown[0], "slug", "") == first
        assert getattr(shown[-1], "slug", "") == "matador-1"


@pytest.mark.databases
def test_the_database_sorts_cards_without_chances_last(lived: World) -> None:
    lived.matadors[1].cards.update(ear_3=None)
    for order in (F("ear_3").asc(nulls_last=True), F("ear_3").desc(nulls_last=True)):
        last = list(MatadorCard.objects.order_by(order))[-1]
        assert last.matador_id == lived.matadors[1].pk


def test_the_comparison_shows_chances(lived: World, client: Client) -> None:
    card = lived.matadors[0].cards.get()
    shown = text(client, "/matadores/comparar/?m=matador-0&m=matador-1")
    assert f"Chance of an ear, category 1 {per_cent(card.ear_1)}" in shown
    assert f"Expected ears per bull, category 3 {expected(card.ears_3)}" in shown


def test_the_printable_card_shows_the_chance_of_an_ear(lived: World, client: Client) -> None:
    card = lived.matadors[0].cards.get()
    texts = " ".join(f"cat. {of}: {per_cent(getattr(card, f'ear_{of}'))}" for of in (1, 2, 3))
    assert f"An ear {texts}" in text(client, "/imprenta/matadores/")


def test_the_form_of_a_card_shows_the_chances_of_what_was_typed(
    lived: World, client: Client
) -> None:
    client.force_login(User.objects.create_superuser("ganadero"))
    path = f"/admin/corridas/matador/{lived.matadors[3].pk}/change/"
    assert CALCULATED in text(client, path), "nothing is simulated for the page"
    lived.deck.digest = bundled_scores().deck
    lived.deck.save()
    shown = text(client, path)
    card = lived.matadors[3].cards.get()
    assert f"An ear {per_cent(card.ear_1)}" in shown


def test_matadors_and_cards_have_chances_in_the_api(lived: World, client: Client) -> None:
    card = lived.matadors[0].cards.get()
    base = "/api/v1/circuits/leyendas"
    names = ("ear", "two_ears", "lap", "ears")
    due = {str(of): {name: getattr(card, f"{name}_{of}") for name in names} for of in (1, 2, 3)}
    assert client.get(f"{base}/matadors/matador-0/").json()["chances"] == due
    (listed,) = [
        row
        for row in client.get(f"{base}/matadors/").json()["results"]
        if row["slug"] == "matador-0"
    ]
    assert listed["chances"] == due
    rows = client.get(f"{base}/cards/?matador=matador-0").json()["results"]
    assert [row["chances"] for row in rows] == [due]
    without_chances()
    assert client.get(f"{base}/matadors/matador-0/").json()["chances"] is None
