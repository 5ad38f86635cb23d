"""The El Toro oracle is compared with the examples of the rulebook and with each ruling."""

from __future__ import annotations

import pytest

from fairness import Chance
from tests.eltoro.oracle.choices import legal_moves, legal_plays, legal_starts
from tests.eltoro.oracle.course import play, play_all
from tests.eltoro.oracle.laying import (
    BANK,
    CASINO,
    CHINA_SHOP,
    NIGHTCLUB,
    PIER,
    RESTAURANT,
    Loaded,
    course_with_card,
    dice_text,
    laid_out,
    ruling_against,
)
from tests.eltoro.oracle.morning import (
    lay_destinations,
    let_late_bulls_in,
    roll_runners,
    unplaced,
)
from tests.eltoro.oracle.papers import (
    neighbours,
    pack_of_cards,
    pack_of_destinations,
    read_board,
    read_cards,
    read_destinations,
    signs,
)
from tests.eltoro.oracle.shelf import BOARDS, CARDS, DESTINATIONS, shipped
from tests.eltoro.oracle.stacked import some_setting
from tests.eltoro.oracle.street import charge, move_bulls, move_runners, score_day
from tests.eltoro.oracle.strolling import stroll
from tests.eltoro.oracle.town import runners_of, totals


def test_oracle_reads_all_shipped_cards_destinations_and_signs() -> None:
    assert len(pack_of_cards(read_cards(CARDS))) == 52
    assert len(pack_of_destinations(read_destinations(DESTINATIONS))) == 10
    board = read_board(BOARDS["el-toro"])
    assert (board["steps"], len(signs(board))) == (4, 28)
    assert neighbours(board, "fuente") == ["mercado"]
    assert neighbours(board, "mercado") == ["fuente", "torre"]


# The following tests are examples of the rulebook.


def test_token_on_a_sign_sends_all_runners_of_its_colour_that_way() -> None:
    town = laid_out("b1@fuente:3 b2@fuente:4 a1@fuente:3 a2@fuente:4").town
    town.tokens = {"fuente/even": 1}
    move_runners(town)
    assert dice_text(town.runners) == "b1@molino:3 b2@molino:4 a1@naranjo:3 a2@molino:4"


def test_tokens_of_one_colour_on_both_signs_have_no_effect() -> None:
    town = laid_out("b1@fuente:3 b2@fuente:4").town
    town.tokens = {"fuente/even": 1, "fuente/odd": 1}
    move_runners(town)
    assert dice_text(town.runners) == "b1@naranjo:3 b2@molino:4"


def test_charge_of_bulls_with_a_2_and_a_4_follows_the_example_of_the_rulebook() -> None:
    town = laid_out(
        "a1@molino:2 a2@molino:2 a3@molino:5 b1@molino:2 b2@molino:4",
        "T1@molino:2 T2@molino:4",
        [4, 6, 2, 1],
    ).town
    charge(town)
    assert dice_text(town.runners) == "a2@molino:6 a3@molino:5 b2@molino:1"


def test_two_runners_at_restaurant_and_nightclub_each_bring_14_points() -> None:
    town = laid_out("a1@d2:1 a2@d2:3 a3@d4:6 a4@d4:6").town
    town.laid = [PIER, RESTAURANT, BANK, NIGHTCLUB, CASINO]
    before = totals(town)
    score_day(town)
    assert totals(town) == [before[0] + 14, before[1]]
    assert town.arrived == [[RESTAURANT, NIGHTCLUB], []]
    roll_wished = Loaded([2] * 17)
    town.dice = roll_wished
    roll_runners(town)
    assert [len(runners_of(town, seat)) for seat in (0, 1)] == [8, 9]


# Rulings E-1 and E-3: the morning.


@pytest.mark.parametrize(("players", "runners"), [(2, 9), (3, 8), (4, 6), (5, 6), (6, 6)])
def test_number_of_runners_depends_on_the_number_of_players(players: int, runners: int) -> None:
    town = shipped("el-toro", players, 1, bytes(32)).town
    assert [len(runners_of(town, seat)) for seat in range(players)] == [runners] * players


def test_player_always_has_at_least_one_runner() -> None:
    town = laid_out(faces=[2] * 20).town
    town.arrived[0] = [NIGHTCLUB] * 20
    roll_runners(town)
    assert len(runners_of(town, 0)) == 1


def test_five_bulls_enter_first_and_the_sixth_after_the_1s_are_placed() -> None:
    course = shipped("el-toro", 2, 1, bytes(32))
    assert [die.space for die in course.town.bulls.values()] == ["2", "3", "4", "5", "6"]
    assert course.town.phase == "morning"
    while course.town.phase == "morning":
        play(course, next(legal_starts(course.town)))
    assert str(course.town.bulls["T6"].face) == course.town.bulls["T6"].space
    assert (course.town.step, course.town.phase) == (1, "cards")


def test_late_bulls_are_rolled_again_after_a_1() -> None:
    town = laid_out(bulls="T1@2:1", faces=[1, 1, 3, 6, 1, 2]).town
    town.arrived = [[CHINA_SHOP], []]
    let_late_bulls_in(town)
    assert dice_text(town.bulls) == "T1@2:1 T6@3:3 T7@6:6 T8@2:2"


def test_bulls_of_several_players_add_up_to_ten_at_most() -> None:
    town = laid_out(faces=[2] * 9, players=6).town
    town.arrived = [[CHINA_SHOP]] * 6
    let_late_bulls_in(town)
    assert list(town.bulls) == ["T6", "T7", "T8", "T9", "T10"]


@pytest.mark.parametrize(
    ("text", "ruling"),
    [
        ("start a1>2 a4>6", None),
        ("start a4>6 a1>6", None),
        ("start a1>2", "E-3"),
        ("start a1>2 a4>6 a4>6", "E-3"),
        ("start a1>2 a4>fuente", "E-3"),
        ("start a1>2 a4>1", "E-3"),
        ("start a1>2 b1>3", "E-3"),
        ("start", "E-3"),
        ("play", "E-4"),
        ("discard", "E-4"),
        ("Start a1>2 a4>6", "notation"),
        ("start a1>2  a4>6", None),
        ("start a1> 2 a4>6", "E-3"),
    ],
)
def test_own_1s_must_be_placed_on_starting_spaces_in_one_move(
    text: str, ruling: str | None
) -> None:
    town = laid_out("a1@:1 a2@3:3 a4@:1 b1@:1").town
    for die in town.runners.values():
        die.space = die.space or None
    town.phase, town.waiting = "morning", [0]
    assert unplaced(town, 0) == ["a1", "a4"]
    assert ruling_against(town, text) == ruling


# Rulings E-4, E-5 and E-6: one step of a day.


def test_oracle_lets_bulls_ignore_direction_tokens() -> None:
    town = laid_out(bulls="T1@fuente:3").town
    town.tokens = {"fuente/even": 0}
    move_bulls(town)
    assert dice_text(town.bulls) == "T1@naranjo:3"


def test_tokens_of_two_players_on_both_signs_send_each_players_runners() -> None:
    town = laid_out("a1@fuente:3 b1@fuente:4 a2@2:3").town
    town.tokens = {"fuente/even": 0, "fuente/odd": 1}
    move_runners(town)
    assert dice_text(town.runners) == "a1@molino:3 b1@naranjo:4 a2@fuente:3"


def test_matching_runners_are_rolled_once_in_the_order_of_the_board() -> None:
    town = laid_out(
        "a1@molino:5 b2@fuente:2 a9@fuente:2 a2@fuente:2 b1@molino:5",
        "T1@molino:5 T2@fuente:2 T3@fuente:1",
        [1, 3, 4, 5, 2],
    ).town
    town.first = 1
    charge(town)
    # The runners must be rolled in this order: b2, a2 and a9 on the space fuente, then b1 and a1 on
    # the space molino.
    assert dice_text(town.runners) == "a1@molino:2 a9@fuente:4 a2@fuente:3"


def test_steps_without_cards_need_no_decision_and_pass_the_token_on() -> None:
    course = shipped("el-toro", 3, 1, bytes(32))
    while course.town.phase == "morning":
        play(course, next(legal_starts(course.town)))
    course.town.hands = [[], ["lottery"], []]
    course.town.waiting = [1]
    play(course, "play lottery")
    assert (course.town.phase, course.town.first, course.town.waiting) == ("over", 1, [])
    assert [name for name, _ in course.pictures[-5:]] == [
        "runners", "bulls", "charge", "token", "score",
    ]  # fmt: skip
    assert ruling_against(course.town, "play lottery") == "E-9"


# Whole games.


def test_destinations_are_laid_out_from_the_end_of_the_pile() -> None:
    town = laid_out().town
    town.dice = Chance(bytes(32), "day/2")
    pile = Chance(bytes(32), "day/2").shuffled(pack_of_destinations(town.destinations))
    lay_destinations(town)
    assert town.laid == pile[:-6:-1]


def test_game_replayed_from_its_moves_is_the_same() -> None:
    chance = Chance(bytes(32), "whole games")
    for _ in range(6):
        setting = some_setting(chance)
        course, again = setting.begin(), setting.begin()
        moves = stroll(course, chance)
        assert play_all(again, moves) is None
        assert again.pictures == course.pictures
        town = course.town
        cards = [card for held in [*town.hands, town.deck, town.discards] for card in held]
        assert sorted(cards) == sorted(pack_of_cards(town.cards))


def test_enumeration_finds_every_legal_way_to_place_and_play() -> None:
    course = laid_out("a1@fuente:1 a2@fuente:6 b1@torre:3", "T1@fuente:6")
    assert len(list(legal_plays(course_with_card(course, "second-wind").town, "second-wind"))) == 5
    assert len(list(legal_plays(course_with_card(course, "sidestep").town, "sidestep"))) == 3
    assert (
        len(list(legal_plays(course_with_card(course, "swapped-hats").town, "swapped-hats"))) == 3
    )
    assert len(list(legal_plays(course_with_card(course, "stray").town, "stray"))) == 5
    assert list(legal_plays(course_with_card(course, "siesta").town, "siesta")) == ["play siesta"]
    assert len(legal_moves(course.town)) == 17
