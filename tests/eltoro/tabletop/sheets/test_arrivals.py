"""Scoresheets with arrived runners: points, effects on the next day, objections (E-1, E-3, E-7)."""

from __future__ import annotations

from typing import Any

import pytest

from eltoro.engine import Rules
from eltoro.tabletop.sheets import SheetRules, referee, tomorrow_lines
from tests.eltoro.tabletop.sheets.paper import NAMES, arrivals, day, objection_messages, read, town


def test_scoring_example_of_the_rulebook() -> None:
    """Two runners at the Restaurant and two at the Nightclub score 14 points and cost a runner on
    the next day.
    """
    reading = read(arrivals(day("22...", ".....")))
    first = reading.days[0]
    assert first.points == (14, 0)
    assert [morning.runners for morning in first.tomorrow] == [8, 9]
    again = read(arrivals(day("22...", "....."), day("9....", ".....")))
    assert objection_messages(again) == [
        ("Day 2: ana had 8 runners, so the number that reached a destination can’t be 9.")
    ]
    third = read(arrivals(day("22...", "....."), day("1....", "....."), day("9....", "9....")))
    assert objection_messages(third) == []  # the effect lasts one day only


def test_ruling_e_7_effect_of_a_destination_counts_once_and_on_the_next_day() -> None:
    """The Bank gives points and the Casino a die, however many runners arrived."""
    reading = read(arrivals(day("...4.", "..5.."), day(".....", ".....", dice="- 3")))
    assert [one.points for one in reading.days] == [(4, 5), (3, -1)]
    even = read(arrivals(day("...1.", "..1.."), day(".....", ".....", dice="- 6")))
    assert even.days[1].points == (3, 6)
    assert even.days[1].by_effects == (3, 6)


def test_ruling_e_7_effects_of_two_equal_destinations_add_up() -> None:
    laid = ("bookstore", "bookstore", "festival", "china-shop", "bank")
    law = SheetRules.of(town(), 2)
    reading = read(arrivals(day("12..1", "..11.", laid=laid)))
    assert [morning.cards for morning in reading.days[0].tomorrow] == [7, 5]
    assert tomorrow_lines(law, reading.days[0].tomorrow, NAMES[:2]) == [
        "ana: hand topped up to 7 cards, +3 points immediately.",
        "blas takes the first-player token.",
        "7 bulls run.",
    ]


def test_ruling_e_7_bulls_of_several_players_add_up_to_ten_at_most() -> None:
    laid = ("restaurant", "nightclub", "festival", "china-shop", "pier")
    six = read(arrivals(day(*["..121"] * 6, laid=laid)), 6).days[0].tomorrow
    law = SheetRules.of(town(), 6)
    assert law.bulls(six) == 10
    assert law.bulls(six[:2]) == 8
    said = tomorrow_lines(law, six[:2], NAMES[:2])
    assert said[:2] == ["ana: 7 runners.", "blas: 7 runners."]
    assert said[2].startswith("The first-player token goes to the first of these players")
    assert said[3] == "8 bulls run."


def test_ruling_e_1_player_never_has_fewer_than_one_runner() -> None:
    text = "destination,count,points,effect,amount,name,name_es\nden,10,4,runner,-9,Den,Cueva\n"
    law = SheetRules.of(Rules(destinations=text), 6)
    assert law.morning([law.kinds["den"]] * 5).runners == 1


def test_whole_evening_is_accepted_with_points_and_places() -> None:
    sheet = arrivals(
        day("22...", "..31.", gained="0 2"),
        day("1...1", "4...1", dice="- 4"),
        day("....9", "..9..", gained="1 0"),
    )
    reading = read(sheet)
    assert objection_messages(reading) == []
    assert [one.points for one in reading.days] == [(14, 6), (5, 21), (19, 9)]
    judged = referee.judge(rules=town().options(), seats=2, sheet=sheet)
    assert (judged.points, judged.places, judged.evidence) == ((38, 36), (1, 2), "sheet")
    assert reading.days[1].trampled == (6, 4)


LAID = ("restaurant", "restaurant", "restaurant", "bank", "pier")
FIRST = day(".....", "..1..")
OBJECTIONS: list[Any] = [
    pytest.param(
        [day("82...", ".....")],
        "Day 1: ana had 9 runners, so the number that reached a destination can’t be 10.",
        "days/0/arrived/0",
        "E-1",
        id="more than ran",
    ),
    pytest.param(
        [day("1....", ".....", laid=LAID)],
        "Day 1: there are only 2 cards for Restaurant, but 3 have been laid out.",
        "days/0/destinations/2",
        "E-10",
        id="laid too often",
    ),
    pytest.param(
        [day(".....", ".....", laid=("bank", "bank", "casino", "pier", "festival"))],
        "Day 1: there is only one card for Bank, but it has been laid out 2 times.",
        "days/0/destinations/1",
        "E-10",
        id="one card, laid twice",
    ),
    pytest.param(
        [day(".....", ".....", laid=("zoo", "bank", "casino", "pier", "festival"))],
        "Day 1: the game has no destination “zoo”.",
        "days/0/destinations/0",
        "E-10",
        id="no destination",
    ),
    pytest.param(
        [day("....", "....", laid=("bank", "casino", "pier", "festival"))],
        "Day 1: five destinations must be laid out, not 4. Which ones were they?",
        "days/0/destinations",
        "",
        id="four laid out",
    ),
    pytest.param(
        [
            day(
                "......",
                "......",
                laid=("bank", "casino", "pier", "festival", "nightclub", "china-shop"),
            )
        ],
        "Day 1: five destinations must be laid out, not 6.",
        "days/0/destinations",
        "E-3",
        id="six laid out",
    ),
    pytest.param(
        [FIRST, day(".....", ".....")],
        "Day 2: blas had reached a destination that gives a die. What did the die show?",
        "days/1/dice/1",
        "",
        id="die missing",
    ),
    pytest.param(
        [FIRST, day(".....", ".....", dice="2 2")],
        "Day 2: ana had no die to roll, because none of their runners had reached a "
        "destination that gives one.",
        "days/1/dice/0",
        "E-7",
        id="die not due",
    ),
    pytest.param(
        [day(".....", ".....", dice="2 -")],
        "Day 1: ana had no die to roll, because none of their runners had reached a "
        "destination that gives one.",
        "days/0/dice/0",
        "E-7",
        id="no die on the first day",
    ),
    pytest.param(
        [FIRST, day(".....", ".....", dice="- 7")],
        "Day 2, blas: a die can’t show 7.",
        "days/1/dice/1",
        "E-7",
        id="no such face",
    ),
    pytest.param(
        [{**day(".....", "....."), "arrived": [[0, 0, -2, 0, 0], [0] * 5]}],
        "Day 1, ana: the number can’t be below 0, so it can’t be -2.",
        "days/0/arrived/0/2",
        "",
        id="less than none arrived",
    ),
    pytest.param(
        [day(".....", ".....", gained="0 -1")],
        "Day 1, blas: the number can’t be below 0, so it can’t be -1.",
        "days/0/gained/1",
        "",
        id="less than no points from cards",
    ),
    pytest.param(
        [day(".....", ".....", gained="13 0")],
        "Day 1, ana: cards can earn at most 12 points in a day, not 13 points.",
        "days/0/gained/0",
        "E-4",
        id="more than cards bring",
    ),
]


@pytest.mark.parametrize(("days", "sentence", "path", "ruling"), OBJECTIONS)
def test_impossible_arrivals_are_rejected_with_message_and_ruling(
    days: list[Any], sentence: str, path: str, ruling: str
) -> None:
    reading = read(arrivals(*days))
    assert objection_messages(reading) == [sentence]
    assert (reading.objections[0].path, reading.objections[0].ruling) == (path, ruling)
    assert not reading.is_over


def test_days_after_a_wrong_day_are_checked_too() -> None:
    reading = read(arrivals(day("93...", "....."), day("9....", "..1..")))
    assert objection_messages(reading) == [
        "Day 1: ana had 9 runners, so the number that reached a destination can’t be 12.",
        "Day 2: ana had 8 runners, so the number that reached a destination can’t be 9.",
    ]


UNREADABLE: list[Any] = [
    (None, "kind"),
    ([], "kind"),
    ({}, "kind"),
    ({"kind": "riddle"}, "kind"),
    ({"kind": "points"}, "days"),
    ({"kind": "points", "days": [[1]]}, "days/0"),
    ({"kind": "points", "days": [[1, "2"]]}, "days/0/1"),
    ({"kind": "points", "days": [[True, 2]]}, "days/0/0"),
    ({"kind": "points", "days": [[1] * 2] * 99}, "days"),
    ({"kind": "arrivals", "days": [3]}, "days/0"),
    (
        {"kind": "arrivals", "days": [{"destinations": "bank", "arrived": [[1], [1]]}]},
        "days/0/destinations",
    ),
    (
        {"kind": "arrivals", "days": [{"destinations": ["bank"], "arrived": [[1]]}]},
        "days/0/arrived",
    ),
    (
        {"kind": "arrivals", "days": [{"destinations": ["bank"], "arrived": [[1], [1, 2]]}]},
        "days/0/arrived/1",
    ),
    ({"kind": "arrivals", "days": [{**FIRST, "dice": [None, "6"]}]}, "days/0/dice/1/0"),
    ({"kind": "log", "seed": 3, "moves": []}, "seed"),
    ({"kind": "log", "seed": "", "moves": [1]}, "moves/0"),
]


@pytest.mark.parametrize(("sheet", "path"), UNREADABLE)
def test_unreadable_el_toro_scoresheet_is_rejected_with_the_path_of_the_error(
    sheet: Any, path: str
) -> None:
    reading = read(sheet)
    assert objection_messages(reading) == ["The data sent can’t be read as a scoresheet."]
    assert reading.objections[0].path == path


def test_all_unreadable_parts_of_a_scoresheet_are_reported() -> None:
    reading = read({"kind": "arrivals", "days": [{"destinations": "bank"}, 3]})
    paths = [objection.path for objection in reading.objections]
    assert paths == ["days/0/destinations", "days/0/arrived", "days/1"]
    assert set(objection_messages(reading)) == {"The data sent can’t be read as a scoresheet."}
