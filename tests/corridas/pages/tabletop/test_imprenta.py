"""The pages for printing the game: deck, matador cards, lists and rules."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from corridas.engine import Rules
from corridas.models import Matador, MatadorCard
from corridas.pages.tabletop.printed_rules import rulings_of
from corridas.pages.tabletop.printing import action_faces, sheets
from tests.corridas.pages.conftest import Counted
from tests.factories import CARD, World

PAGES = ("", "baraja/", "matadores/", "hoja/", "hoja/?log", "listas/", "glosario/", "reglas/")


@pytest.mark.parametrize("page", PAGES)
def test_every_printable_page_can_be_shown_in_both_languages(
    client: Client, world: World, page: str
) -> None:
    for language in ("en", "es"):
        answer = client.get(f"/imprenta/{page}", headers={"accept-language": language})
        assert answer.status_code == 200
        assert answer.content.decode().count("<h1") == 1


def test_the_deck_is_printed_completely_and_with_backs_on_request(
    client: Client, world: World
) -> None:
    page = client.get("/imprenta/baraja/").content.decode()
    assert page.count('class="imprenta-card imprenta-action"') == 70
    assert page.count('<section class="imprenta-sheet"') == 8
    assert page.count("<span>69</span>") == 1
    assert "is-backs" not in page
    assert client.get("/imprenta/baraja/?backs").content.decode().count("is-backs") == 8


def test_digits_6_and_9_are_underlined_on_printed_cards(client: Client, world: World) -> None:
    """There are seven cards of each number, and each shows it in the middle and in two corners."""
    page = client.get("/imprenta/baraja/").content.decode()
    for digit in range(10):
        underlined = page.count(f"<u>{digit}</u>")
        assert underlined == (21 if digit in {6, 9} else 0), digit
    assert page.count('<b class="num">8</b>') == 7


def test_every_template_that_prints_a_card_number_underlines_6_and_9() -> None:
    written = [
        (path.name, number)
        for path in (settings.BASE_DIR / "templates").rglob("*.html")
        for number in re.findall(r">\{\{ [a-z.]*face\.number[^}]*\}\}<", path.read_text())
    ]
    assert len(written) == 14
    assert {number.endswith("face.number|underlined }}<") for _, number in written} == {True}


def test_a_printed_card_shows_the_entries_of_the_card(world: World) -> None:
    deck = world.deck.engine_deck()
    for face, card in zip(action_faces(deck), deck.cards, strict=True):
        assert (face.place, face.number) == (card.place, card.number)
        assert [entry.words for entry in face.entries] == [
            card.first.name,
            card.second.name,
            card.third.name,
            card.bull.name,
            card.kill.name,
        ]
    assert [len(sheet) for sheet in sheets(deck.cards)] == [9] * 7 + [7]


def test_only_the_latest_cards_of_active_matadors_are_printed(client: Client, world: World) -> None:
    first = world.matadors[0]
    MatadorCard.objects.create(matador=first, printing=2, rating=77, since=2028, **CARD)
    world.matadors[1].state = Matador.State.RETIRED
    world.matadors[1].save()
    page = client.get("/imprenta/matadores/").content.decode()
    assert page.count('class="imprenta-card imprenta-man') == 3
    assert "<b>77</b>" in page
    assert "<b>90</b>" not in page
    new = client.get("/imprenta/matadores/?since=2028").content.decode()
    assert new.count('class="imprenta-card imprenta-man') == 1
    none = client.get("/imprenta/matadores/?since=1999").content.decode()
    assert "No printed card matches these filters." in none


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "When a card says BULL, read the BULL line of the same card."),
        (
            {"bull_reading": "next_card"},
            (
                "When a card says BULL, draw one more card and read only its BULL line. The "
                "second card is not a mark."
            ),
        ),
        (
            {"shuffle": "when_exhausted"},
            "One deck is used for the whole corrida. If a card is needed and none is left,",
        ),
        ({"bull_points": "against"}, "minus the bull’s"),
    ],
)
def test_the_printed_rules_are_those_of_the_circuit(
    client: Client, world: World, options: dict[str, str], words: str
) -> None:
    world.circuit.rules = options
    world.circuit.save()
    assert words in client.get("/imprenta/reglas/").content.decode()


def test_every_ruling_that_players_at_a_real_table_need_is_printed() -> None:
    said = {one.rulings for chapter in rulings_of(Rules()) for one in chapter.said}
    assert said == {f"I-{number}" for number in range(2, 19)}


def test_printable_pages_of_a_private_circuit_are_not_found_by_others(
    client: Client, world: World
) -> None:
    world.circuit.slug, world.circuit.public = "casa", False
    world.circuit.save()
    for page in PAGES:
        assert client.get(f"/circuitos/casa/imprenta/{page}").status_code == 404


@pytest.mark.slow
def test_printable_pages_need_as_many_queries_for_one_matador_as_for_three(
    world: World, counted: Counted
) -> None:
    three = {page: counted(f"/imprenta/{page}") for page in PAGES}
    Matador.objects.exclude(pk=world.matadors[0].pk).delete()
    assert {page: counted(f"/imprenta/{page}") for page in PAGES} == three
    assert max(three.values()) <= 4
