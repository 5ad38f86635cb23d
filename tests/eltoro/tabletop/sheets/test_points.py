"""Scoresheets with points by day: places, ties and limits of a day (Rulings E-1, E-4 and E-9)."""

from __future__ import annotations

import pytest

from eltoro.game import GAME
from eltoro.tabletop.sheets import SheetRules, ending_sentence, referee
from tests.eltoro.tabletop.sheets.paper import NAMES, objection_messages, points, read, town

PLACES = [
    pytest.param(["9 4", "3 3", "5 6"], (1, 2), id="most points"),
    pytest.param(["9 4", "3 3", "1 6"], (2, 1), id="level: the third day"),
    pytest.param(["9 9", "3 3", "5 5"], (1, 1), id="level on that day too"),
    pytest.param(["9 9 20", "3 3 2", "5 5 -1"], (2, 2, 1), id="two share the second place"),
    pytest.param(["9 5 1", "3 3 3", "1 5 9"], (3, 2, 1), id="three level, the third day"),
    pytest.param(["9 1 1", "3 3 3", "1 9 9"], (3, 1, 1), id="three level, two of them again"),
    pytest.param(["1 1", "-1 0", "0 0"], (2, 1), id="below zero"),
]


@pytest.mark.parametrize(("days", "places"), PLACES)
def test_ruling_e_9_places_follow_from_points_by_day(
    days: list[str], places: tuple[int, ...]
) -> None:
    reading = read(points(*days), len(places))
    assert objection_messages(reading) == []
    assert reading.ending is not None
    assert reading.ending.places == places


ENDINGS = [
    (["9 4", "3 3", "5 6"], "ana wins with 17 points."),
    (
        ["9 4", "3 3", "1 6"],
        "ana and blas are tied on 13 points; blas wins, having scored 6 on the last day.",
    ),
    (
        ["9 9", "3 3", "5 5"],
        (
            "ana and blas share the victory with 17 points each, having scored 5 each on the "
            "last day."
        ),
    ),
    (
        ["9 1 1", "3 3 3", "1 9 9"],
        (
            "ana, blas and carla are tied on 13 points; blas and carla share the victory, "
            "having scored 9 each on the last day."
        ),
    ),
]


@pytest.mark.parametrize(("days", "sentence"), ENDINGS)
def test_ruling_e_9_result_of_an_evening_is_described_in_a_sentence(
    days: list[str], sentence: str
) -> None:
    end = read(points(*days), len(days[0].split())).ending
    assert end is not None
    assert ending_sentence(end, NAMES) == sentence


def test_tie_in_an_evening_of_one_day_is_a_shared_victory() -> None:
    end = read(points("7 7"), days=1).ending
    assert end is not None
    assert (end.places, ending_sentence(end, NAMES)) == (
        (1, 1),
        "ana and blas share the victory with 7 points each.",
    )


BOUNDS = [(2, 0, (0, 66)), (3, 0, (0, 60)), (6, 0, (0, 48)), (2, 1, (-1, 81)), (6, 2, (-1, 63))]


@pytest.mark.parametrize(("players", "number", "bounds"), BOUNDS)
def test_points_of_a_day_have_a_lower_and_an_upper_limit(
    players: int, number: int, bounds: tuple[int, int]
) -> None:
    """A player gets the most points if all runners reach the best destination and the best card is
    played in every step.

    From the second day on, effects of the day before and the die of the Casino can add points.
    """
    assert SheetRules.of(town(), players).bounds(number) == bounds


REFUSED = [
    (
        ["67 0", "0 0", "0 0"],
        "Day 1, ana: a player can score at most 66 points in a day, but you entered 67 points.",
        "E-9",
    ),
    (
        ["0 -1", "0 0", "0 0"],
        (
            "Day 1, blas: a player’s score for a day must be at least 0 points, "
            "but you entered −1 point."
        ),
        "E-9",
    ),
    (
        ["0 0", "0 0", "0 -2"],
        (
            "Day 3, blas: a player’s score for a day must be at least −1 point, "
            "but you entered −2 points."
        ),
        "E-9",
    ),
    (["0 0"] * 4, "Under these rules, an evening has 3 days.", "E-9"),
    ([], "Nothing has been entered yet.", ""),
]


@pytest.mark.parametrize(("days", "sentence", "ruling"), REFUSED)
def test_impossible_points_are_rejected_with_message_and_ruling(
    days: list[str], sentence: str, ruling: str
) -> None:
    reading = read(points(*days))
    assert objection_messages(reading) == [sentence]
    assert reading.objections[0].ruling == ruling
    assert not reading.is_over


def test_incomplete_evening_has_no_result_and_no_objections() -> None:
    reading = read(points("4 5", "3 3"))
    assert (reading.objections, reading.is_over) == ((), False)


def test_referee_gives_leagues_points_places_and_objections_of_an_evening() -> None:
    judged = referee.judge(rules=town().options(), seats=2, sheet=points("9 4", "3 3", "1 6"))
    assert (judged.points, judged.places, judged.over) == ((13, 13), (2, 1), True)
    assert judged.evidence == "score"
    assert judged.lines[0] == "Day 1: seat 1 9, seat 2 4."
    wrong = referee.judge(rules=town().options(), seats=2, sheet=points("99 4", "3 3", "1 6"))
    assert [(found.path, found.ruling) for found in wrong.objections] == [("days/0/0", "E-9")]
    assert (wrong.over, wrong.places) == (False, ())


def test_invalid_rules_and_numbers_of_players_are_rejected() -> None:
    for rules in ({"days": 7}, {"board": "nowhere"}, {"colour": "red"}, None, 3):
        judged = referee.judge(rules=rules, seats=2, sheet=points("1 1"))
        assert (judged.over, judged.objections[0].path) == (False, "rules")
    judged = referee.judge(rules={}, seats=7, sheet=points("1 1"))
    assert judged.objections[0].sentence == "This game is for two to six players, not 7."


@pytest.mark.parametrize(("days", "said"), [
    (["20 20", "13 13", "10 9"], ""),
    (
        ["20 20", "13 14", "10 9"],
        "ana and blas are tied on 43 points; ana wins, having scored 10 on the last day.",
    ),
])  # fmt: skip
def test_match_page_explains_a_tie_decided_by_the_last_day(days: list[str], said: str) -> None:
    assert GAME.ended
    totals = [sum(int(day.split()[seat]) for day in days) for seat in (0, 1)]
    assert GAME.ended(town().options(), points(*days), NAMES[:2], totals) == said
