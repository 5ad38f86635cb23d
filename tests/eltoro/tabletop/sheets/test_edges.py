"""Limits of every check of El Toro scoresheets: the last value accepted and the first rejected."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from eltoro.engine import Game, Rules, random_move
from eltoro.tabletop.sheets import SheetRules, read_evening, referee
from eltoro.tabletop.sheets.parser import read_sheet, sheet_schema, write_day
from eltoro.tabletop.sheets.reading import ScoresheetReading
from eltoro.tabletop.sheets.sheet_rules import DestinationKind, Morning, die_points
from fairness import Seed
from tests.eltoro.tabletop.sheets.paper import arrivals, day, points, read, town

NOTHING = "....."
LAID = ("restaurant", "nightclub", "casino", "bank", "pier")


def faults(reading: ScoresheetReading) -> list[tuple[str, str, str]]:
    """Return path, code and ruling of all objections."""
    return [(found.path, found.code, found.ruling) for found in reading.objections]


RUNNERS = [(2, 9), (3, 8), (4, 6), (5, 6), (6, 6)]


@pytest.mark.parametrize(("players", "most"), RUNNERS)
def test_ruling_e_1_more_runners_than_a_player_has_cannot_arrive(players: int, most: int) -> None:
    none = [NOTHING] * (players - 1)
    full = read(arrivals(day(*none, f"{most - 1}1...")), players)
    assert faults(full) == []
    assert full.days[0].trampled == (*[most] * (players - 1), 0)
    more = read(arrivals(day(*none, f"{most}1...")), players)
    assert faults(more) == [(f"days/0/arrived/{players - 1}", "runners", "E-1")]


REACHED = [
    # Each case: the destinations of the runners on the first day, and the number of runners on the
    # second day.
    ("1....", 9),
    (".1...", 8),
    (".9...", 8),  # an effect counts once (Ruling E-7)
    ("....1", 10),
    (".1..1", 9),
    ("..1..", 9),
]


@pytest.mark.parametrize(("row", "runners"), REACHED)
def test_ruling_e_7_number_of_runners_follows_from_the_previous_day(row: str, runners: int) -> None:
    dice = "4 -" if row == "..1.." else ""
    first = day(row, NOTHING, laid=LAID)
    for arrived, stands in ((runners, True), (runners + 1, False)):
        counts = f"{min(9, arrived)}{arrived - min(9, arrived)}..."
        found = faults(read(arrivals(first, day(counts, NOTHING, dice=dice, laid=LAID))))
        assert found == ([] if stands else [("days/1/arrived/0", "runners", "E-1")])
    later = read(arrivals(first, day(NOTHING, NOTHING, dice=dice), day("9....", NOTHING)))
    assert faults(later) == [], "it works for one day"


DAYS: list[Any] = [
    # Each case: what is changed on the first day of the scoresheet, and the expected objections of
    # the referee.
    ({}, []),
    ({"gained": [6, 0]}, []),
    ({"gained": [3, 3]}, []),
    ({"gained": [7, 0]}, [("days", "deck_points", "E-8")]),
    ({"gained": [5, 2]}, [("days", "deck_points", "E-8")]),
    ({"gained": [12, 0]}, [("days", "deck_points", "E-8")]),  # four steps with 3 points each
    ({"gained": [13, 0]}, [("days/0/gained/0", "gained_high", "E-4")]),
    ({"gained": [0, 13]}, [("days/0/gained/1", "gained_high", "E-4")]),
    ({"gained": [0, -1]}, [("days/0/gained/1", "negative", "")]),
    ({"arrived": [[0, -1, 0, 0, 0], [0] * 5]}, [("days/0/arrived/0/1", "negative", "")]),
    ({"arrived": [[10, -1, 0, 0, 0], [0] * 5]}, [("days/0/arrived/0/1", "negative", "")]),
    ({"arrived": [[0] * 5, [11, -1, 0, 0, 0]]},
     [("days/0/arrived/1/1", "negative", ""), ("days/0/arrived/1", "runners", "E-1")]),
    ({"dice": [1, None]}, [("days/0/dice/0", "die_undue", "E-7")]),
    ({"dice": [None, [1, 2]]}, [("days/0/dice/1", "die_undue", "E-7")]),
    ({"destinations": ["restaurant", "restaurant", "pier", "bank", "casino"]}, []),
    ({"destinations": ["restaurant", "pier", "restaurant", "restaurant", "restaurant"]},
     [("days/0/destinations/3", "too_often", "E-10")]),
    ({"destinations": ["bank", "pier", "casino", "festival", "bank"]},
     [("days/0/destinations/4", "too_often", "E-10")]),
    ({"destinations": ["bank", "pier", "casino", "festival", "moon"]},
     [("days/0/destinations/4", "no_destination", "E-10")]),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "objections"), DAYS)
def test_points_dice_runners_and_destinations_of_a_day_are_checked(
    changed: dict[str, Any], objections: Any
) -> None:
    reading = read(arrivals({**day(NOTHING, NOTHING, laid=LAID), **changed}))
    assert faults(reading) == objections


DICE = [
    # Each case: the faces entered for the die of a casino, and the expected error code.
    ([1], ""),
    ([6], ""),
    ([0], "die_face"),
    ([7], "die_face"),
    ([], "die_missing"),
    ([3, 3], "die_undue"),
]


@pytest.mark.parametrize(("faces", "code"), DICE)
def test_ruling_e_7_exactly_one_die_is_expected_for_a_casino(faces: list[int], code: str) -> None:
    second = {**day(NOTHING, NOTHING), "dice": [None, faces]}
    found = faults(read(arrivals(day(NOTHING, "..2.."), second)))
    ruling = "" if code == "die_missing" else "E-7"
    assert found == ([("days/1/dice/1", code, ruling)] if code else [])


def test_ruling_e_7_even_casino_die_gives_points_and_odd_one_costs_a_point() -> None:
    assert [die_points(face) for face in range(1, 7)] == [-1, 2, -1, 4, -1, 6]
    second = day(NOTHING, NOTHING, dice="- 6")
    reading = read(arrivals(day("...1.", "..1.."), second))
    assert (reading.days[1].points, reading.days[1].by_effects) == ((3, 6), (3, 6))


def test_two_destinations_with_a_die_require_two_dice() -> None:
    text = (
        "destination,count,points,effect,amount,name,name_es\n"
        "casino,5,1,die,,Casino,Casino\nbank,5,1,points,-2,Bank,Banco\n"
    )
    rules = Rules(destinations=text)
    laid = ("casino", "casino", "bank", "bank", "bank")
    first = day("11...", "..1..", laid=laid)
    for faces, code in (([4, 3], ""), ([4], "die_missing"), ([4, 3, 2], "die_undue")):
        second = {**day(NOTHING, NOTHING, laid=laid), "dice": [faces, None]}
        reading = read_evening(rules, 2, arrivals(first, second))
        assert [found.code for found in reading.objections] == ([code] if code else [])
        if not code:
            assert reading.days[1].points == (3, -2)
    assert SheetRules.of(rules, 2).bounds(1) == (-5 - 10, 9 + 12 + 30)


def test_points_of_a_day_are_the_sum_of_runners_cards_and_effects() -> None:
    reading = read(arrivals(day("21..1", "...3.", gained="3 0", laid=LAID)))
    found = reading.days[0]
    assert found.at_destinations == (2 * 3 + 4 + 2, 3)
    assert (found.by_cards, found.by_effects, found.points) == ((3, 0), (0, 0), (15, 3))
    assert (found.arrived, found.trampled) == ((4, 3), (5, 6))


@pytest.mark.parametrize(("days", "code"), [(2, None), (3, None), (4, "too_many_days")])
def test_ruling_e_9_evening_is_over_after_three_days(days: int, code: str | None) -> None:
    for sheet in (arrivals(*[day(NOTHING, NOTHING)] * days), points(*["0 0"] * days)):
        reading = read(sheet)
        assert faults(reading) == ([("days", code, "E-9")] if code else [])
        assert reading.is_over == (days == 3)


@pytest.mark.parametrize(("players", "stands"), [(1, False), (2, True), (6, True), (7, False)])
def test_ruling_e_1_scoresheet_needs_two_to_six_players(players: int, stands: bool) -> None:
    reading = read(points(*[" ".join(["0"] * players)] * 3), players)
    assert faults(reading) == ([] if stands else [("players", "players", "E-1")])


POINTS = [
    # Each case: the number of players, the day, the points, and the expected error code.
    (2, 0, 60, ""),  # nine runners with six points each, and the cards
    (2, 0, 61, "points_none"),
    (2, 0, 66, "points_none"),
    (2, 0, 67, "points_high"),
    (2, 0, -1, "points_low"),
    (2, 1, 60, ""),  # the day before had no effects
    (2, 1, 61, "points_none"),
    (2, 1, 81, "points_none"),
    (2, 1, 82, "points_high"),
    (2, 1, -1, "points_none"),
    (2, 1, -2, "points_low"),
    (2, 2, 60, ""),
    (2, 2, 61, "points_none"),
    (2, 2, 82, "points_high"),
    (3, 0, 54, ""),
    (3, 0, 55, "points_none"),
    (3, 0, 61, "points_high"),
    (6, 2, 42, ""),
    (6, 2, 43, "points_none"),
    (6, 2, 64, "points_high"),
]


@pytest.mark.parametrize(("players", "number", "total", "code"), POINTS)
def test_ruling_e_9_points_of_a_day_are_limited(
    players: int, number: int, total: int, code: str
) -> None:
    for seat in (0, players - 1):
        days = [[0] * players for _day in range(3)]
        days[number][seat] = total
        found = faults(read({"kind": "points", "days": days}, players))
        assert found == ([(f"days/{number}/{seat}", code, "E-9")] if code else [])


def test_ruling_e_1_runners_and_bulls_of_a_morning_follow_from_the_destinations() -> None:
    law = SheetRules.of(town(), 2)
    kinds = law.kinds
    assert law.morning() == Morning(runners=9)
    every = law.morning(kinds.values())
    assert every == Morning(runners=9, cards=6, points=3, dice=1, bulls=1, first=True)
    assert law.morning([kinds["restaurant"]]) == Morning(runners=9)
    assert law.morning([kinds["nightclub"]] * 8).runners == 1
    assert law.morning([kinds["nightclub"]] * 9).runners == 1
    for bulls, herd in ((0, 6), (3, 9), (4, 10), (5, 10), (-5, 1), (-6, 1)):
        assert law.bulls([Morning(runners=9, bulls=bulls), Morning(runners=9)]) == herd


def test_ruling_e_8_number_of_cards_never_falls_below_zero() -> None:
    text = "destination,count,points,effect,amount,name,name_es\nden,10,4,card,-2,Den,Cueva\n"
    law = SheetRules.of(Rules(destinations=text), 2)
    den: DestinationKind = law.kinds["den"]
    assert [law.morning([den] * count).cards for count in range(5)] == [5, 3, 1, 0, 0]


def objections_to(*faces: str) -> list[tuple[str, str]]:
    """Return path and code of all objections to these moves of an evening of one day."""
    content = {"kind": "log", "seed": "00" * 32, "moves": list(faces)}
    found = read_evening(Rules(days=1), 2, content)
    return [(fault.path, fault.code) for fault in found.objections]


def moves_of_an_evening() -> list[str]:
    """Return the moves of a random evening of one day."""
    seed = Seed(bytes(32))
    game, chance, found = Game.new(Rules(days=1), 2, seed), seed.chance("moves"), []
    while not game.is_over:
        move = random_move(game.view(game.turn), chance)
        found.append(str(move))
        game.play(move)
    return found


def test_recorded_moves_must_end_with_the_last_move_of_the_evening() -> None:
    moves = moves_of_an_evening()
    assert objections_to(*moves) == []
    content = {"kind": "log", "seed": "00" * 32, "moves": moves}
    over = referee.judge(rules={"days": 1}, seats=2, sheet=content)
    assert (over.over, over.evidence, len(over.places)) == (True, "log", 2)
    assert objections_to(*moves[:-1]) == []
    short = referee.judge(rules={"days": 1}, seats=2, sheet={**content, "moves": moves[:-1]})
    assert (short.over, short.places) == (False, ())
    assert objections_to(*moves, moves[-1]) == [(f"moves/{len(moves)}", "went_on")]
    assert objections_to(moves[0], "jump") == [("moves/1", "no_move")]
    assert objections_to(*moves, "jump") == [(f"moves/{len(moves)}", "went_on")]


@pytest.mark.parametrize(
    ("seed", "stands"),
    [
        ("00" * 32, True),
        ("00" * 31, False),
        ("00" * 33, False),
        ("0" * 63, False),
        ("zz" * 32, False),
    ],
)
def test_seed_of_recorded_moves_must_have_32_bytes(seed: str, stands: bool) -> None:
    found = read_evening(Rules(days=1), 2, {"kind": "log", "seed": seed, "moves": []})
    assert [fault.path for fault in found.objections] == ([] if stands else ["seed"])


DAY = day(NOTHING, NOTHING)
SHAPES: list[Any] = [
    # Each case: the scoresheet as JSON, and the path of the part that cannot be read (None:
    # everything can be read).
    (points("0 0"), None),
    ({"kind": "points", "days": [[0, 0]] * 12}, None),
    ({"kind": "points", "days": [[0, 0]] * 13}, "days"),
    ({"kind": "points", "days": [[0, 0, 0]]}, "days/0"),
    ({"kind": "points", "days": [[0, 0], [0]]}, "days/1"),
    ({"kind": "points", "days": [[0, False]]}, "days/0/1"),
    ({"kind": "points", "days": [[0, 1.0]]}, "days/0/1"),
    ({"kind": "points", "days": [None]}, "days/0"),
    ({"kind": "points", "days": None}, "days"),
    ({"kind": "arrivals", "days": [DAY] * 12}, None),
    ({"kind": "arrivals", "days": [DAY] * 13}, "days"),
    ({"kind": "arrivals", "days": None}, "days"),
    ({"kind": "arrivals", "days": [[]]}, "days/0"),
    ({"kind": "arrivals", "days": [{**DAY, "destinations": [3, "bank"]}]}, "days/0/destinations/0"),
    ({"kind": "arrivals", "days": [{**DAY, "destinations": ["bank"] * 13}]}, "days/0/destinations"),
    ({"kind": "arrivals", "days": [{**DAY, "arrived": [[0] * 5]}]}, "days/0/arrived"),
    ({"kind": "arrivals", "days": [{**DAY, "arrived": [[0] * 5] * 3}]}, "days/0/arrived"),
    ({"kind": "arrivals", "days": [{**DAY, "arrived": [[0] * 5, [0] * 6]}]}, "days/0/arrived/1"),
    ({"kind": "arrivals", "days": [{**DAY, "gained": [0]}]}, "days/0/gained"),
    ({"kind": "arrivals", "days": [{**DAY, "gained": [0, None]}]}, "days/0/gained/1"),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [None]}]}, "days/0/dice"),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [None, True]}]}, "days/0/dice/1/0"),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [None, [1] * 13]}]}, "days/0/dice/1"),
    ({"kind": "arrivals", "days": [{**DAY, "aside": ["a1>molino", "b12>5"]}]}, None),
    ({"kind": "arrivals", "days": [{**DAY, "aside": None}]}, "days/0/aside"),
    ({"kind": "arrivals", "days": [{**DAY, "aside": ["a1>5", "c1>5"]}]}, "days/0/aside/1"),
    ({"kind": "arrivals", "days": [{**DAY, "aside": ["T1>5"]}]}, "days/0/aside/0"),
    ({"kind": "arrivals", "days": [{**DAY, "aside": ["a1>5 b"]}]}, "days/0/aside/0"),
    ({"kind": "log", "seed": "", "moves": ["x"] * 2000}, None),
    ({"kind": "log", "seed": "", "moves": ["x"] * 2001}, "moves"),
    ({"kind": "log", "seed": "", "moves": None}, "moves"),
    ({"kind": "log", "seed": None, "moves": []}, "seed"),
    ({"kind": ["points"]}, "kind"),
]


@pytest.mark.parametrize(("sheet", "path"), SHAPES)
def test_unreadable_part_of_an_el_toro_scoresheet_is_reported_with_its_path(
    sheet: Any, path: str | None
) -> None:
    found = [(fault.path, fault.code) for fault in read_sheet(sheet, 2).faults]
    assert found == ([] if path is None else [(path, "unreadable")])


def test_all_unreadable_parts_of_an_el_toro_scoresheet_are_reported_together() -> None:
    odd = {"destinations": [3, "bank"], "arrived": [[0], [0, None]], "dice": [None, [1, True]]}
    days = [odd, None, {**DAY, "gained": [0], "aside": ["a1>5", "T1>5", 5]}]
    found = read_sheet({"kind": "arrivals", "days": days}, 2).faults
    assert [fault.path for fault in found] == [
        *("days/0/destinations/0", "days/0/dice/1/1", "days/1"),
        *("days/2/gained", "days/2/aside/1", "days/2/aside/2"),
    ]


LOG = {"kind": "log", "seed": "00" * 32, "moves": ["x"]}
SCHEMA_OF_SHEETS: list[Any] = [
    # Each case: the scoresheet as JSON, and whether the published JSON schema allows it.
    (points("0 0"), True),
    ({"kind": "points", "days": [[0] * 6] * 20}, True),
    ({"kind": "points", "days": [[0]]}, False),
    ({"kind": "points", "days": [[0] * 7]}, False),
    ({"kind": "points"}, False),
    (arrivals(DAY, DAY), True),
    ({"kind": "arrivals", "days": [{"destinations": [], "arrived": [[], []]}]}, True),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [[1, 2], 6]}]}, True),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [0, None]}]}, False),
    ({"kind": "arrivals", "days": [{**DAY, "dice": [None, [7]]}]}, False),
    ({"kind": "arrivals", "days": [{**DAY, "destinations": ["bank"] * 6}]}, False),
    ({"kind": "arrivals", "days": [{**DAY, "gained": None}]}, False),
    ({"kind": "arrivals", "days": [{"arrived": [[0], [0]]}]}, False),
    (LOG, True),
    ({**LOG, "seed": "00"}, False),
    ({**LOG, "moves": ["x"] * 2001}, False),
    ({**LOG, "kind": "points"}, False),
    ({"kind": "evening", "days": []}, False),
    ([], False),
]


@pytest.mark.parametrize(("sheet", "valid"), SCHEMA_OF_SHEETS)
def test_json_schema_of_el_toro_scoresheets_accepts_valid_ones_only(
    sheet: Any, valid: bool
) -> None:
    assert Draft202012Validator(sheet_schema()).is_valid(sheet) is valid


def test_missing_points_and_dice_of_a_day_have_defaults_and_long_values_are_cut() -> None:
    bare = {"destinations": ["x" * 121], "arrived": [[10**101], [-(10**9)]]}
    found = read_sheet({"kind": "arrivals", "days": [bare]}, 2).days[0]
    assert found.destinations == ("x" * 119 + "…",)
    assert found.arrived == ((10**100,), (-(10**9),))
    assert (found.gained, found.dice) == ((0, 0), ((), ()))


def test_written_day_is_read_back_unchanged() -> None:
    for dice in ([None, None], [3, None], [[3, 4], 6]):
        written = {**day("12...", "...1.", gained="0 3"), "dice": dice}
        found = read_sheet({"kind": "arrivals", "days": [written]}, 2).days[0]
        assert write_day(found) == written
