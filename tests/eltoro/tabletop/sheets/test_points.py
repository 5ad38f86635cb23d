"""Points by day: places, ties, and what a day can bring (Rulings E-1, E-4, E-9)."""

from __future__ import annotations

import pytest

from eltoro.game import GAME
from eltoro.tabletop.sheets import SheetRules, ending_sentence, referee
from tests.eltoro.tabletop.sheets.paper import NAMES, points, read, told, town

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
def test_e_9_places(days: list[str], places: tuple[int, ...]) -> None:
    reading = read(points(*days), len(places))
    assert told(reading) == []
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
def test_e_9_the_end_in_words(days: list[str], sentence: str) -> None:
    end = read(points(*days), len(days[0].split())).ending
    assert end is not None
    assert ending_sentence(end, NAMES) == sentence


def test_one_day_ends_level_or_not() -> None:
    end = read(points("7 7"), days=1).ending
    assert end is not None
    assert (end.places, ending_sentence(end, NAMES)) == (
        (1, 1),
        "ana and blas share the victory with 7 points each.",
    )


BOUNDS = [(2, 0, (0, 66)), (3, 0, (0, 60)), (6, 0, (0, 48)), (2, 1, (-1, 81)), (6, 2, (-1, 63))]


@pytest.mark.parametrize(("players", "number", "bounds"), BOUNDS)
def test_what_a_day_can_bring(players: int, number: int, bounds: tuple[int, int]) -> None:
    """Runners at the best place, a card a step; from the second day on effects, and the die."""
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
def test_refused(days: list[str], sentence: str, ruling: str) -> None:
    reading = read(points(*days))
    assert told(reading) == [sentence]
    assert reading.objections[0].ruling == ruling
    assert not reading.over


def test_days_that_are_missing_end_nothing() -> None:
    reading = read(points("4 5", "3 3"))
    assert (reading.objections, reading.over) == ((), False)


def test_the_judgement_that_leagues_see() -> None:
    judged = referee.judge(rules=town().options(), seats=2, sheet=points("9 4", "3 3", "1 6"))
    assert (judged.points, judged.places, judged.over) == ((13, 13), (2, 1), True)
    assert judged.evidence == "score"
    assert judged.lines[0] == "Day 1: seat 1 9, seat 2 4."
    wrong = referee.judge(rules=town().options(), seats=2, sheet=points("99 4", "3 3", "1 6"))
    assert [(found.path, found.ruling) for found in wrong.objections] == [("days/0/0", "E-9")]
    assert (wrong.over, wrong.places) == (False, ())


def test_rules_that_are_none_and_tables_that_are_none() -> None:
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
def test_the_ticket_says_what_settled_a_tie(days: list[str], said: str) -> None:
    assert GAME.ended
    totals = [sum(int(day.split()[seat]) for day in days) for seat in (0, 1)]
    assert GAME.ended(town().options(), points(*days), NAMES[:2], totals) == said
