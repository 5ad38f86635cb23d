"""Limits for domino matches: totals, target, leaders, scoresheets as JSON (D-2, D-3, D-8)."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dominoes.engine import FinalTiles, HandSheet, Rules, judge_match
from dominoes.tabletop.sheets.parser import read_sheet, sheet_schema, write_hand
from dominoes.tabletop.sheets.referee import referee
from tests.dominoes.engine.referee.test_objections import held

# Two players are dealt two tiles each of the double-three set, and at least one of the four is
# played. The other three have at most 15 pips: 3|3, 2|3 and either 1|3 or 2|2.
TO_20 = Rules(highest=3, hand_size=2, boneyard="pass", target=20)
PARTNERS = Rules(partners=True)

TOTALS: list[Any] = [
    # Each case: the rules, the totals, whether the match was stopped early, the expected
    # objections, and the expected places.
    (TO_20, (20, 19), False, [], (1, 2)),
    (TO_20, (19, 20), False, [], (2, 1)),
    (TO_20, (19, 19), False, [], ()),
    (TO_20, (19, 19), True, [], (1, 1)),
    (TO_20, (19, 18), True, [], (1, 2)),
    (TO_20, (20, 20), False, [("totals", "two_winners", "D-8")], ()),
    (TO_20, (20, 20), True, [("totals", "two_winners", "D-8")], ()),
    (TO_20, (34, 0), False, [], (1, 2)),  # 19 points, then a last hand with 15
    (TO_20, (35, 0), False, [("totals/0", "total_absurd", "D-8")], ()),
    (TO_20, (20, -1), False, [("totals/1", "total_absurd", "D-8")], ()),
    (TO_20, (20,), False, [("totals", "seats_held", "D-2")], ()),
    (TO_20, (20, 0, 0), False, [("totals", "seats_held", "D-2")], ()),
    (TO_20, None, False, [("hands", "nothing", "D-8")], ()),
    (TO_20, None, True, [("hands", "nothing", "D-8")], ()),
    (PARTNERS, (100, 40, 100, 40), False, [], (1, 2, 1, 2)),
    (PARTNERS, (40, 100, 40, 100), False, [], (2, 1, 2, 1)),
    (PARTNERS, (100, 40, 99, 40), False, [("totals/2", "totals_side", "D-2")], ()),
    (PARTNERS, (100, 40, 100, 41), False, [("totals/3", "totals_side", "D-2")], ()),
    (Rules(), (100, 3, 4, 3), False, [], (1, 3, 2, 3)),
]


@pytest.mark.parametrize(("rules", "totals", "stopped", "objections", "places"), TOTALS)
def test_referee_checks_totals_of_matches_without_hands(
    rules: Rules, totals: Any, stopped: bool, objections: list[Any], places: tuple[int, ...]
) -> None:
    players = 2 if rules is TO_20 else 4
    reading = judge_match(rules, players, (), totals, stopped)
    assert [(found.path, found.code, found.ruling) for found in reading.objections] == objections
    assert reading.places == places
    assert reading.evidence == "score"
    if not objections:
        assert reading.points == totals
        assert reading.over == bool(places)


@pytest.mark.parametrize("players", [100, 190])
def test_scoresheet_can_list_as_many_players_as_the_rules_allow(players: int) -> None:
    rules = Rules(highest=18, hand_size=1, target=20).options()
    totals = {"totals": [20, *[3] * (players - 1)]}
    judged = referee.judge(rules=rules, seats=players, sheet=totals)
    assert (judged.objections, judged.places[:2]) == ((), (1, 2))
    hand = {"out": 0, "held": [None, *[{"tiles": ["6|3"]}] * (players - 1)]}
    judged = referee.judge(rules=rules, seats=players, sheet={"hands": [hand]})
    assert {found.ruling for found in judged.objections} == {"D-1"}


def won(seat: int, pips: int, leader: int | None = None) -> HandSheet:
    """Return a hand in which this seat went out and the other seat is left with this many pips."""
    hands = (None, pips) if seat == 0 else (pips, None)
    return HandSheet(leader=leader, out=seat, held=held(*hands))


TIED = HandSheet(leader=1, blocked=True, held=held(3, "1|2"))
MATCHES: list[Any] = [
    # Each case: the options of the rules, the hands, the totals on the scoresheet, the expected
    # objections, the totals and the winner.
    ({}, [won(0, 8), won(1, 5)], None, [], (8, 5), None),
    ({}, [won(0, 8), won(1, 5)], (8, 5), [], (8, 5), None),
    ({}, [won(0, 8), won(1, 5)], (8, 4), [("totals", "totals_differ", "D-8")], (8, 5), None),
    ({}, [won(0, 8), won(1, 5)], (5, 8), [("totals", "totals_differ", "D-8")], (8, 5), None),
    ({}, [won(0, 8), won(0, 8), won(0, 3)], None, [], (19, 0), None),
    ({}, [won(0, 8), won(0, 8), won(0, 4)], None, [], (20, 0), 0),
    ({}, [won(0, 8), won(0, 8), won(0, 3), won(1, 1)], None, [], (19, 1), None),
    ({}, [won(1, 8), won(1, 8), won(1, 4), won(0, 1)], None,
     [("hands/3", "after_target", "D-8")], (0, 20), 1),
    ({}, [won(0, 8), won(0, 80)], None, [("hands/1/held/1", "pips_high", "D-10")], (8, 0), None),
    ({}, [won(0, 8, leader=2)], None, [("hands/0/leader", "no_seat", "D-2")], (0, 0), None),
    ({}, [won(0, 8), won(1, 5, leader=1)], None, [], (8, 5), None),
    # With the option lead=winner, the winner of a hand leads the next one (Ruling D-3).
    ({"lead": "winner"}, [won(0, 5, leader=1), won(1, 5, leader=0)], None, [], (5, 5), None),
    ({"lead": "winner"}, [won(0, 8), won(1, 5, leader=1)], None,
     [("hands/1/leader", "leader_winner", "D-3")], (8, 5), None),
    ({"lead": "winner"}, [won(1, 8), won(1, 5, leader=1)], None, [], (0, 13), None),
    ({"lead": "winner"}, [won(0, 8), TIED, won(1, 5, leader=1)], None,
     [("hands/1/leader", "leader_winner", "D-3")], (8, 5), None),
    ({"lead": "winner"}, [won(1, 8), TIED, won(1, 5, leader=0)], None, [], (0, 13), None),
    ({"lead": "winner"}, [won(0, 80), won(1, 5, leader=1)], None,
     [("hands/0/held/1", "pips_high", "D-10")], (0, 5), None),
]  # fmt: skip


@pytest.mark.parametrize(("options", "hands", "written", "objections", "totals", "winner"), MATCHES)
def test_referee_adds_up_hands_and_checks_totals_and_leaders(
    options: Any, hands: list[HandSheet], written: Any, objections: Any, totals: Any, winner: Any
) -> None:
    rules = Rules(highest=3, hand_size=2, boneyard="pass", target=20, **options)
    reading = judge_match(rules, 2, hands, written)
    assert [(found.path, found.code, found.ruling) for found in reading.objections] == objections
    assert (reading.totals, reading.winner) == (totals, winner)
    assert reading.over == (winner is not None)
    assert bool(reading.places) == (winner is not None and not objections)
    assert len(reading.hands) == len(reading.before) == len(hands)
    assert reading.before[0] == (0, 0)
    assert reading.evidence == "sheet"


def test_players_of_a_match_stopped_early_get_places() -> None:
    hands = [won(0, 8), won(1, 5)]
    assert judge_match(TO_20, 2, hands, None, stopped=True).places == (1, 2)
    assert judge_match(TO_20, 2, [won(0, 5), won(1, 5)], None, stopped=True).places == (1, 1)
    assert judge_match(TO_20, 2, hands, (8, 4), stopped=True).places == ()
    assert judge_match(TO_20, 2, hands).before == ((0, 0), (8, 0))


def test_totals_of_partners_are_those_of_their_side() -> None:
    hand = HandSheet(leader=0, out=1, held=held(30, None, 30, 9))
    for totals, stands in (((0, 51, 0, 51), True), ((0, 51, 0, 50), False), ((51, 0), False)):
        reading = judge_match(PARTNERS, 4, [hand], totals)
        assert (not reading.objections) == stands
        assert reading.points == (0, 51, 0, 51)


def test_evidence_of_a_match_is_log_only_if_every_hand_has_its_moves_recorded() -> None:
    moves = ("3|0", "<0|1", "pass", "pass")
    log = HandSheet(leader=0, moves=moves, held=held("3|3", "1|1"))
    assert judge_match(TO_20, 2, [log, log]).evidence == "log"
    assert judge_match(TO_20, 2, [log, won(0, 3)]).evidence == "sheet"


@pytest.mark.parametrize(("players", "stands"), [(1, False), (2, True), (5, True), (6, False)])
def test_match_is_rejected_if_the_set_has_too_few_tiles_for_its_players(
    players: int, stands: bool
) -> None:
    reading = judge_match(TO_20, players, (), (0,) * players, stopped=True)
    assert [found.code for found in reading.objections] == ([] if stands else ["players"])


HAND: dict[str, Any] = {"out": 0, "held": [None, {"pips": 4}]}
UNREADABLE: list[Any] = [
    # Each case: the scoresheet as JSON, and the path of the part that cannot be read (None:
    # everything can be read).
    ({"hands": [HAND]}, None),
    ([], "hands"),
    (None, "hands"),
    ({"hands": 3}, "hands"),
    ({"hands": None}, None),
    ({"hands": {}}, None),
    ({"hands": [HAND] * 500}, None),
    ({"hands": [HAND] * 501}, "hands"),
    ({"hands": [3]}, "hands/0"),
    ({"hands": [HAND, None]}, "hands/1"),
    ({"totals": 3}, "totals"),
    ({"totals": [1] * 190}, None),
    ({"totals": [1] * 191}, "totals"),
    ({"totals": [1, None]}, "totals"),
    ({"totals": [1, True]}, "totals"),
    ({"totals": [1, 1.0]}, "totals"),
    ({"stopped": 1}, "stopped"),
    ({"stopped": None}, None),
    ({"hands": [{**HAND, "leader": "0"}]}, "hands/0/leader"),
    ({"hands": [{**HAND, "leader": True}]}, "hands/0/leader"),
    ({"hands": [{**HAND, "out": 0.5}]}, "hands/0/out"),
    ({"hands": [{**HAND, "blocked": 1}]}, "hands/0/out"),
    ({"hands": [{**HAND, "held": {}}]}, "hands/0/held"),
    ({"hands": [{**HAND, "held": [None] * 190}]}, None),
    ({"hands": [{**HAND, "held": [None] * 191}]}, "hands/0/held"),
    ({"hands": [{**HAND, "held": [None, 3]}]}, "hands/0/held/1"),
    ({"hands": [{**HAND, "held": [None, {"pips": "3"}]}]}, "hands/0/held/1"),
    ({"hands": [{**HAND, "held": [None, {"tiles": "3|3"}]}]}, "hands/0/held/1"),
    ({"hands": [{**HAND, "held": [None, {"tiles": [3]}]}]}, "hands/0/held/1"),
    ({"hands": [{**HAND, "held": [None, {"tiles": ["3|3"] * 200}]}]}, None),
    ({"hands": [{**HAND, "held": [None, {"tiles": ["3|3"] * 201}]}]}, "hands/0/held/1"),
    ({"hands": [{**HAND, "moves": "pass"}]}, "hands/0/moves"),
    ({"hands": [{**HAND, "moves": ["pass"] * 1001}]}, None),
    ({"hands": [{**HAND, "moves": ["pass"] * 1002}]}, "hands/0/moves"),
    ({"hands": [{**HAND, "moves": [None]}]}, "hands/0/moves"),
    ({"hands": [{**HAND, "deal": 3}]}, "hands/0/deal"),
    ({"hands": [{**HAND, "deal": [3]}]}, "hands/0/deal"),
    ({"hands": [{**HAND, "deal": [["3|3"] * 200] * 190}]}, None),
    ({"hands": [{**HAND, "deal": [["3|3"] * 201]}]}, "hands/0/deal"),
    ({"hands": [{**HAND, "deal": [[]] * 191}]}, "hands/0/deal"),
]


@pytest.mark.parametrize(("sheet", "path"), UNREADABLE)
def test_unreadable_parts_of_a_domino_scoresheet_are_reported_with_their_path(
    sheet: Any, path: str | None
) -> None:
    read = read_sheet(sheet, 2)
    found = [(fault.path, fault.code) for fault in read.faults]
    assert found == ([] if path is None else [(path, "unreadable")])


def test_all_unreadable_parts_of_a_domino_scoresheet_are_reported_together() -> None:
    hand = {"leader": "0", "blocked": 1, "held": [3, None, {"tiles": [3, 4]}], "moves": [1, 2]}
    sheet = {"hands": [HAND, hand, None], "totals": [None, None], "stopped": 1}
    assert [fault.path for fault in read_sheet(sheet, 2).faults] == [
        *("hands/1/leader", "hands/1/out", "hands/1/held/0", "hands/1/held/2", "hands/1/moves"),
        *("hands/2", "totals", "stopped"),
    ]
    assert len(read_sheet({"hands": [None] * 500}, 2).faults) == 100


SCHEMA_OF_SHEETS: list[Any] = [
    # Each case: the scoresheet as JSON, and whether the published JSON schema allows it.
    ({}, True),
    ({"hands": [HAND], "totals": [10, 0], "stopped": False}, True),
    ({"hands": [{"leader": 1, "out": None, "moves": ["6|3"], "seed": "00"}]}, True),
    ({"hands": [{"held": [{"tiles": ["6|3"]}, {"pips": 3}, None]}]}, True),
    ({"hands": [{"deal": [["6|3"], []]}]}, True),
    ([], False),
    ({"hands": None}, False),
    ({"hands": [{"leader": None}]}, False),
    ({"hands": [{"leader": 6}]}, False),
    ({"hands": [{"out": -1}]}, False),
    ({"hands": [{"held": [{}]}]}, False),
    ({"hands": [{"held": [{"tiles": ["6|3"], "pips": 3}]}]}, False),
    ({"hands": [{"held": [{"tiles": ["6-3"]}]}]}, False),
    ({"hands": [{"held": [{"pips": -1}]}]}, False),
    ({"hands": [{"moves": ["pass"] * 1002}]}, False),
    ({"hands": [{}] * 501}, False),
    ({"totals": ["3"]}, False),
    ({"stopped": None}, False),
]


@pytest.mark.parametrize(("sheet", "valid"), SCHEMA_OF_SHEETS)
def test_json_schema_of_domino_scoresheets_accepts_valid_ones_only(sheet: Any, valid: bool) -> None:
    assert Draft202012Validator(sheet_schema()).is_valid(sheet) is valid


def test_scoresheet_reader_shortens_long_moves_and_limits_large_numbers() -> None:
    read = read_sheet(
        {"hands": [{"leader": 10**9, "moves": ["x" * 40, "x" * 41]}], "stopped": True}, 3
    )
    hand = read.hands[0]
    assert (hand.leader, hand.out, hand.blocked) == (10**9, None, False)
    assert hand.held == (FinalTiles(), FinalTiles(), FinalTiles())
    assert hand.moves == ("x" * 40, "x" * 39 + "…")
    assert (read.stopped, read.totals) == (True, None)
    assert read_sheet({"totals": [-(10**9), 7]}, 2).totals == (-(10**9), 7)
    assert read_sheet({"totals": [-(10**101), 10**99]}, 2).totals == (-(10**100), 10**99)


WRITTEN = [
    HandSheet(leader=0, out=1, held=(FinalTiles(tiles=("3|3",)), FinalTiles())),
    HandSheet(blocked=True, held=(FinalTiles(pips=0), FinalTiles(tiles=()))),
    HandSheet(leader=1, held=(FinalTiles(),), moves=("3|0", "draw"), deal=(("3|0",), ())),
]


@pytest.mark.parametrize("written", WRITTEN)
def test_written_hand_is_read_back_unchanged(written: HandSheet) -> None:
    content = {"hands": [write_hand(written)]}
    assert read_sheet(content, 2).hands == (written,)


def test_referee_gives_leagues_points_places_and_objections_of_a_match() -> None:
    rules = TO_20.options()
    content = {"hands": [write_hand(won(0, 8)), write_hand(won(1, 5))], "stopped": True}
    judged = referee.judge(rules=rules, seats=2, sheet=content)
    assert (judged.points, judged.places, judged.over) == ((8, 5), (1, 2), True)
    assert (judged.evidence, judged.objections) == ("sheet", ())
    assert len(judged.lines) == 6
    going = referee.judge(rules=rules, seats=2, sheet={"hands": content["hands"]})
    assert (going.points, going.places, going.over) == ((8, 5), (), False)
    wrong = referee.judge(rules=rules, seats=2, sheet={**content, "totals": [8, 4]})
    assert [(found.path, found.ruling) for found in wrong.objections] == [("totals", "D-8")]
    assert (wrong.over, wrong.places) == (False, ())
    for bad in ({"target": 0}, {"colour": "red"}, None, 7):
        refused = referee.judge(rules=bad, seats=3, sheet=content)
        assert (refused.over, refused.points) == (False, (0, 0, 0))
        assert [found.path for found in refused.objections] == ["rules"]
