"""The 52 shipped action cards and the ten destination cards (Ruling E-10)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import eltoro
from eltoro.engine import Card, Effect, read_cards, read_destinations

DATA = Path(eltoro.__file__).parent / "data"
CARDS = read_cards((DATA / "cards.csv").read_text("utf-8"), "cards.csv")
DESTINATIONS = read_destinations((DATA / "destinations.csv").read_text("utf-8"), "destinations.csv")
SINGLE = [line.split(",") for line in (DATA / "destinations.csv").read_text("utf-8").splitlines()]
COUNTS = {cells[0]: int(cells[1]) for cells in SINGLE[1:]}
KINDS = {destination.key: destination for destination in DESTINATIONS}


def copies(effects: str) -> int:
    """Return how many of the 52 cards have an effect whose name begins with this text."""
    return sum(card.count for card in CARDS if card.effect.startswith(effects))


def test_deck_has_52_cards_with_at_least_16_effects() -> None:
    assert sum(card.count for card in CARDS) == 52
    assert {card.effect for card in CARDS} == set(Effect)
    assert len(Effect) >= 16


def test_deck_contains_every_kind_of_card_in_the_rulebook() -> None:
    """They roll runners, influence bulls, place and remove tokens, draw cards or give points."""
    for effects in ("roll", "bull", "sign", "unsign", "draw", "points"):
        assert copies(effects) > 0


def test_fewer_than_half_of_the_cards_roll_dice() -> None:
    assert copies("roll") + copies("bull-roll") < 26


def test_no_card_occurs_more_than_five_times() -> None:
    assert max(card.count for card in CARDS) <= 5


def test_cards_that_affect_bulls_show_a_bull() -> None:
    def speaks_of_bulls(card: Card) -> bool:
        return card.effect.startswith("bull")

    assert [card for card in CARDS if card.bull] == [
        card for card in CARDS if speaks_of_bulls(card)
    ]


def test_names_of_cards_are_short_and_unique_in_both_languages() -> None:
    for names in ([card.name for card in CARDS], [card.name_es for card in CARDS]):
        assert len(set(names)) == len(names)
        assert all(3 <= len(name) <= 24 for name in names)


def test_restaurant_and_nightclub_have_the_values_of_the_rulebook() -> None:
    restaurant, nightclub = KINDS["restaurant"], KINDS["nightclub"]
    assert (restaurant.points, restaurant.effect, COUNTS["restaurant"]) == (3, None, 2)
    assert (nightclub.points, nightclub.effect, nightclub.amount) == (4, "runner", -1)


def test_ten_destination_cards_include_two_restaurants_and_two_bookstores() -> None:
    assert sum(COUNTS.values()) == 10
    assert {key for key, count in COUNTS.items() if count == 2} == {"restaurant", "bookstore"}
    assert len(KINDS) == 8


def test_destinations_are_worth_one_to_six_points() -> None:
    points = [destination.points for destination in DESTINATIONS]
    assert (min(points), max(points)) == (1, 6)


def test_every_effect_of_destinations_occurs() -> None:
    effects = Counter(destination.effect for destination in DESTINATIONS)
    assert effects == {
        None: 1,
        "runner": 2,
        "card": 1,
        "bull": 1,
        "first": 1,
        "die": 1,
        "points": 1,
    }
    assert KINDS["pier"].amount == 1
    assert KINDS["china-shop"].amount >= 1


def test_destinations_have_names_in_both_languages() -> None:
    for destination in DESTINATIONS:
        assert destination.name
        assert destination.name_es


def test_design_document_lists_every_shipped_card_and_destination() -> None:
    page = (Path(eltoro.__file__).parent.parent / "docs/eltoro-design.md").read_text("utf-8")
    for card in CARDS:
        assert f"| `{card.key}` | {card.name}, *{card.name_es}* | {card.count} |" in page
    for one in DESTINATIONS:
        named = f"| {one.name}, *{one.name_es}* | {COUNTS[one.key]} | {one.points} |"
        assert named in page
