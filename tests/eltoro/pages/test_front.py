"""The start page of El Toro, its rules, the empty scoresheet and the drawings of action cards."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from eltoro.engine import DECK, DESTINATIONS, PROFILES, Effect
from eltoro.pages.views import list_boards, list_cards, list_destinations

pytestmark = pytest.mark.django_db


def test_el_toro_start_page_links_to_play_rules_and_scoresheet() -> None:
    page = Client().get("/eltoro/").content.decode()
    for address in ("play_now", "eltoro_rules", "eltoro_scoresheet", "tables"):
        assert reverse(address) in page
    assert page.count('class="elt-card-face') == len(DECK)
    assert all(one.name in page.replace("&#x27;", "'") for one in DESTINATIONS)
    assert "elt-map" in page
    assert re.search(r'aria-current="page" lang="es">\s*El Toro', page)


def test_el_toro_start_page_needs_at_most_20_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    Client().get("/eltoro/")
    with django_assert_max_num_queries(20):
        Client().get("/eltoro/")


def test_el_toro_rules_page_lists_every_ruling() -> None:
    page = Client().get("/eltoro/rules/").content.decode()
    assert all(f"<dt>E-{number}</dt>" in page for number in range(1, 11))


@pytest.mark.parametrize("effect", list(Effect))
def test_every_card_effect_has_a_drawing(effect: Effect) -> None:
    drawn = render_to_string(f"eltoro/_card_art.html#{effect.value}")
    assert drawn.lstrip().startswith('<svg viewBox="0 0 108 72" aria-hidden="true">')


def test_list_of_cards_shows_the_shipped_deck() -> None:
    rules = PROFILES["el-toro"]
    assert sum(card.count for card in list_cards(rules)) == 52
    assert sum(one.count for one in list_destinations(rules)) == 10
    assert (list_boards()[0].name, list_boards()[0].steps) == ("El Toro", 4)
    assert [card.bull for card in list_cards(rules)] == [card.bull for card in DECK]


def test_card_drawn_without_a_count_does_not_mention_the_deck() -> None:
    drawn = render_to_string(
        "eltoro/_cards.html#card",
        {"card": {"name": "Churros", "sentence": "Draw 2 cards.", "effect": Effect.DRAW}},
    )
    assert "in the deck" not in drawn
    assert "elt-card-bull" not in drawn
