"""The El Toro oracle from the score to the next morning, and at the end (Rulings E-7 to E-9)."""

from __future__ import annotations

import pytest

from tests.eltoro.oracle.course import end_evening, play
from tests.eltoro.oracle.draw_pile import deal, draw_one
from tests.eltoro.oracle.laying import (
    BANK,
    BOOKSTORE,
    CASINO,
    FESTIVAL,
    RESTAURANT,
    laid_out,
    played,
    ruling_against,
)
from tests.eltoro.oracle.morning import pay_effects
from tests.eltoro.oracle.town import places_by


def test_oracle_pays_effects_of_destinations_on_the_next_day() -> None:
    town = laid_out(faces=[5, 4]).town
    town.points = [[0, 0]]
    town.arrived = [[CASINO, BANK], [CASINO, RESTAURANT]]
    pay_effects(town)
    assert town.points == [[2, 4]]


def test_bookstores_add_up_and_a_larger_hand_is_not_reduced() -> None:
    town = laid_out().town
    town.arrived = [[BOOKSTORE, BOOKSTORE], []]
    town.hands = [[], ["elbow"] * 6]
    deal(town)
    assert [len(held) for held in town.hands] == [7, 6]


def test_discards_are_shuffled_only_when_a_card_is_needed_from_an_empty_deck() -> None:
    town = laid_out().town
    town.deck, town.discards = ["siesta"], ["crush", "elbow"]
    draw_one(town, 0)
    assert (town.deck, town.discards) == ([], ["crush", "elbow"])
    draw_one(town, 0)
    draw_one(town, 0)
    draw_one(town, 0)
    assert sorted(town.hands[0]) == ["crush", "elbow", "siesta"]


def test_card_being_played_is_not_shuffled_with_the_discards() -> None:
    course = laid_out()
    course.town.deck, course.town.discards = [], []
    town = played(course, "play churros")
    assert (town.hands[0], town.discards) == ([], ["churros"])


def test_player_at_the_festival_gets_the_token_before_the_deal() -> None:
    course = laid_out(players=4)
    course.town.first = 2
    course.town.arrived = [[FESTIVAL], [FESTIVAL], [], []]
    course.town.phase = "evening"
    course.town.deck = ["elbow"] * 19 + ["crush"]
    end_evening(course)
    assert course.town.first == 0
    assert "crush" in course.town.hands[0]


def test_oracle_lets_players_discard_only_held_cards() -> None:
    course = laid_out()
    course.town.phase = "evening"
    course.town.hands[0] = ["elbow", "elbow", "crush"]
    course.town.waiting = [0, 0]
    town = course.town
    assert ruling_against(town, "discard elbow elbow elbow") == "E-8"
    assert ruling_against(town, "discard scare") == "E-8"
    play(course, "discard crush elbow")
    assert town.hands[0] == ["elbow"]
    assert town.discards == ["crush", "elbow"]


@pytest.mark.parametrize(
    ("total", "last", "places"),
    [
        ([5, 9, 7], [0, 0, 0], [3, 1, 2]),
        ([9, 9, 7], [1, 2, 9], [2, 1, 3]),
        ([9, 9, 7], [2, 2, 9], [1, 1, 3]),
        ([-2, -1], [0, -9], [2, 1]),
    ],
)
def test_oracle_orders_players_by_total_and_then_by_the_last_day(
    total: list[int], last: list[int], places: list[int]
) -> None:
    assert places_by(total, last) == places
