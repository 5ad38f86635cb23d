"""Limits of every check of the domino referee: the last value accepted and the first rejected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dominoes.engine import FinalTiles, HandSheet, Rules, judge_hand
from tests.dominoes.engine.referee.test_objections import held

RULEBOOK = Rules()
BLOCK = Rules(boneyard="pass")
# Tiles of the double-two set: 0|0 0|1 1|1 0|2 1|2 2|2. They have 0 to 4 pips. In the cases of this
# set, two players are dealt two tiles each, and two tiles are in the boneyard.
TINY = Rules(highest=2, hand_size=2, boneyard="pass")
THREES = replace(TINY, hand_size=3)
OPEN = replace(TINY, free_pass=True)
DOUBLE = replace(TINY, lead="highest_double")
# The double-three set has ten tiles; its matadors (tiles that fit any end) are 0|0, 1|3 and 2|2.
SMALL = Rules(highest=3, hand_size=2, boneyard="pass")
# All tiles of the double-six set, in an order in which the last nine tiles make a train.
TILES = sorted(
    (f"{low}|{high}" for low in range(7) for high in range(low, 7)),
    key=lambda tile: tile in {"0|0", "1|6", "2|5", "3|4", "6|6", "1|1", "5|5", "2|2", "4|4"},
)


def some_tiles(count: int, first: int = 0) -> str:
    """Return `count` tiles of `TILES` from the position `first`, in notation."""
    return " ".join(TILES[first : first + count])


def faults(rules: Rules, players: int, written: HandSheet) -> list[tuple[str, str, str]]:
    """Return path, code and ruling of each objection of the referee to a hand."""
    reading = judge_hand(rules, players, written)
    assert (reading.outcome is None) or not reading.objections
    return [(fault.path, fault.code, fault.ruling) for fault in reading.objections]


COUNTS: list[Any] = [
    # Each case: the rules, the number of players, the seat that led, the seat that went out, what
    # each seat holds, and the expected objection of the referee.
    (BLOCK, 4, 1, 0, (None, some_tiles(6), 30, 30), ()),
    (BLOCK, 4, 1, 0, (None, some_tiles(7), 30, 30), ("held/1", "too_many_tiles", "D-5")),
    (BLOCK, 4, 0, 1, (some_tiles(6), None, 30, 30), ()),
    (BLOCK, 4, 0, 1, (some_tiles(7), None, 30, 30), ("held/0", "too_many_tiles", "D-5")),
    (BLOCK, 4, 2, 0, (None, some_tiles(7), 30, 30), ()),
    (BLOCK, 4, 2, 0, (None, some_tiles(8), 30, 30), ("held/1", "too_many_tiles", "D-5")),
    (BLOCK, 4, None, 0, (None, some_tiles(7), 30, 30), ()),
    # The set has 28 tiles, of which 14 are dealt. Two tiles must stay in the boneyard, so the
    # players can draw twelve.
    (RULEBOOK, 2, 0, 0, (None, some_tiles(19)), ()),
    (RULEBOOK, 2, 0, 0, (None, some_tiles(20)), ("held/1", "too_many_tiles", "D-5")),
    (RULEBOOK, 2, 1, 0, (None, some_tiles(18)), ()),
    (RULEBOOK, 2, 1, 0, (None, some_tiles(19)), ("held/1", "too_many_tiles", "D-5")),
    (BLOCK, 2, 0, 0, (None, some_tiles(7)), ()),
    (BLOCK, 2, 0, 0, (None, some_tiles(8)), ("held/1", "too_many_tiles", "D-5")),
    # Three players are dealt seven tiles each. One player went out, so the other two players
    # together can have drawn five tiles.
    (RULEBOOK, 3, 0, 0, (None, some_tiles(12), some_tiles(7, 12)), ()),
    (
        RULEBOOK,
        3,
        0,
        0,
        (None, some_tiles(13), some_tiles(7, 13)),
        ("held/1", "too_many_tiles", "D-5"),
    ),
    (RULEBOOK, 3, 0, 0, (None, some_tiles(10), some_tiles(9, 10)), ()),
    (
        RULEBOOK,
        3,
        0,
        0,
        (None, some_tiles(10), some_tiles(10, 10)),
        ("held", "too_many_drawn", "D-5"),
    ),
    (RULEBOOK, 3, 1, 0, (None, some_tiles(10), some_tiles(8, 10)), ()),
    (
        RULEBOOK,
        3,
        1,
        0,
        (None, some_tiles(10), some_tiles(9, 10)),
        ("held", "too_many_drawn", "D-5"),
    ),
    # If one player drew all five tiles, the other player has at most seven tiles, which have at
    # most 69 pips.
    (RULEBOOK, 3, 0, 0, (None, some_tiles(12), 69), ()),
    (RULEBOOK, 3, 0, 0, (None, some_tiles(12), 70), ("held/2", "pips_high", "D-10")),
    # Three players are dealt nine tiles each. The only tile in the boneyard cannot be drawn.
    (Rules(hand_size=9), 3, 0, 0, (None, some_tiles(9), 30), ()),
    (Rules(hand_size=9), 3, 0, 0, (None, some_tiles(10), 30), ("held/1", "too_many_tiles", "D-5")),
    # The boneyard has two tiles, so nobody can draw.
    (Rules(hand_size=13), 2, 0, 0, (None, some_tiles(13)), ()),
    (Rules(hand_size=13), 2, 0, 0, (None, some_tiles(14)), ("held/1", "too_many_tiles", "D-5")),
    # Two hands of twelve tiles leave four tiles in the boneyard, of which the players can draw two.
    (Rules(hand_size=12), 2, 0, 0, (None, some_tiles(14)), ()),
    (Rules(hand_size=12), 2, 0, 0, (None, some_tiles(15)), ("held/1", "too_many_tiles", "D-5")),
]


@pytest.mark.parametrize(("rules", "players", "leader", "out", "hands", "fault"), COUNTS)
def test_remaining_tiles_must_not_exceed_those_dealt_and_drawn(
    rules: Rules, players: int, leader: int | None, out: int, hands: Any, fault: Any
) -> None:
    """A player can hold the tiles dealt plus those drawn.

    The leader has led one of them (Rulings D-2 and D-5).
    """
    written = HandSheet(leader=leader, out=out, held=held(*hands))
    assert faults(rules, players, written) == ([fault] if fault else [])


FIGURES: list[Any] = [
    # Each case: the rules, the scoresheet of the hand, and the expected objection of the referee.
    (TINY, HandSheet(leader=0, out=0, held=held(None, 7)), ()),  # 2|2 and 1|2
    (TINY, HandSheet(leader=0, out=0, held=held(None, 8)), ("held/1", "pips_high", "D-10")),
    (TINY, HandSheet(leader=1, out=0, held=held(None, 4)), ()),  # the leader holds one tile at most
    (TINY, HandSheet(leader=1, out=0, held=held(None, 5)), ("held/1", "pips_high", "D-10")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, 0)), ()),
    (TINY, HandSheet(leader=0, out=0, held=held(None, -1)), ("held/1", "pips_negative", "D-7")),
    (TINY, HandSheet(leader=0, blocked=True, held=held("2|2", 5)), ()),
    (TINY, HandSheet(leader=0, blocked=True, held=held("2|2", 6)), ("held/1", "pips_high", "D-10")),
    (TINY, HandSheet(leader=1, blocked=True, held=held("0|1 1|2", 4)), ()),
    (TINY, HandSheet(leader=1, blocked=True, held=held("0|1 1|2", 3)),
     ("held/1", "pips_none", "D-10")),
    (TINY, HandSheet(leader=0, out=0, held=held(0, 3)), ()),
    (TINY, HandSheet(leader=0, out=0, held=held("", 3)), ()),
    (TINY, HandSheet(leader=0, out=0, held=held(1, 3)), ("held/0", "out_holds", "D-6")),
    (TINY, HandSheet(leader=0, out=0, held=held("0|0", 3)), ("held/0", "out_holds", "D-6")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, "")), ("held/1", "holds_none", "D-6")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, "0|0")), ()),
    (TINY, HandSheet(leader=0, out=0, held=held(None, "2|3")), ("held/1", "no_tile", "D-1")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, "0|3")), ("held/1", "no_tile", "D-1")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, "2|2 2|2")), ("held/1", "twice", "D-1")),
    (TINY, HandSheet(leader=0, blocked=True, held=held("2|2", "2|2")), ("held/1", "shared", "D-1")),
    (TINY, HandSheet(leader=0, blocked=True, held=held(0, 0)), ("held", "pips_together", "D-10")),
    (TINY, HandSheet(leader=0, blocked=True, held=held(0, 1)), ()),
    (TINY, HandSheet(leader=1, blocked=True, held=held(1, 1)), ("held", "pips_together", "D-10")),
    (TINY, HandSheet(leader=1, blocked=True, held=held(2, 2)), ()),  # 1|1 and 0|2
    (TINY, HandSheet(leader=1, blocked=True, held=held("1|1", 2)), ()),
    # Some player led, and therefore holds one tile fewer than dealt, even if the scoresheet does
    # not say who led (Ruling D-3).
    (TINY, HandSheet(blocked=True, held=held("0|1", "1|1 2|2")), ()),
    (TINY, HandSheet(blocked=True, held=held("1|1 2|2", "0|1")), ()),
    (TINY, HandSheet(blocked=True, held=held("0|1 0|2", "1|1 2|2")), ("held", "nobody_led", "D-3")),
    # The tiles that nobody holds must make a train (Ruling D-4). In a blocked hand, no player may
    # hold a tile that has to be played (Ruling D-6).
    (TINY, HandSheet(leader=1, out=1, held=held("1|1 1|2", "")), ()),
    (THREES, HandSheet(leader=1, out=1, held=held("1|1 1|2", "")), ("held", "no_train", "D-4")),
    (TINY, HandSheet(leader=0, blocked=True, held=held("2|2", "0|1 1|1")), ()),
    (TINY, HandSheet(leader=0, blocked=True, held=held("0|0", "0|1 1|1")),
     ("held", "no_block", "D-6")),
    (OPEN, HandSheet(leader=0, blocked=True, held=held("0|0", "0|1 1|1")), ()),
    # Nobody can draw, so the highest double of all dealt tiles must have been led (Ruling D-3).
    (DOUBLE, HandSheet(leader=0, out=0, held=held("", "1|1")), ()),
    (DOUBLE, HandSheet(leader=0, out=0, held=held("", "2|2")), ("held/1", "double_led", "D-3")),
    (replace(DOUBLE, boneyard="draw"), HandSheet(leader=0, out=0, held=held("", "2|2")), ()),
    # The following scoresheets name seats that do not exist, or their entries are missing or
    # contradictory.
    (TINY, HandSheet(leader=2, out=0, held=held(None, 3)), ("leader", "no_seat", "D-2")),
    (TINY, HandSheet(leader=1, out=1, held=held(3, None)), ()),
    (TINY, HandSheet(leader=0, out=2, held=held(3, 3)), ("out", "no_seat", "D-2")),
    (TINY, HandSheet(leader=0, out=-1, held=held(3, 3)), ("out", "no_seat", "D-2")),
    (TINY, HandSheet(leader=0, out=0, held=held(None)), ("held", "seats_held", "D-2")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, 3, 3)), ("held", "seats_held", "D-2")),
    (TINY, HandSheet(leader=0, out=0, blocked=True, held=held(None, 3)),
     ("out", "out_and_blocked", "D-6")),
    (TINY, HandSheet(leader=0, held=held(None, 3)), ("out", "who_out", "D-6")),
    (TINY, HandSheet(leader=0, out=0, held=held(None, None)), ("held/1", "held_unknown", "D-7")),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "written", "fault"), FIGURES)
def test_referee_checks_remaining_tiles_pips_and_seats_of_a_hand(
    rules: Rules, written: HandSheet, fault: Any
) -> None:
    assert faults(rules, 2, written) == ([fault] if fault else [])


@pytest.mark.parametrize(("players", "stands"), [(1, False), (2, True), (3, True), (4, False)])
def test_referee_accepts_only_as_many_players_as_can_be_dealt_a_hand(
    players: int, stands: bool
) -> None:
    """With nine tiles each, the double-six set is enough for at most three players (Ruling D-2)."""
    rules = Rules(hand_size=9)
    written = HandSheet(leader=0, out=0, held=held(None, *[30] * (players - 1)))
    assert faults(rules, players, written) == ([] if stands else [("players", "players", "D-2")])


@pytest.mark.parametrize(("pips", "stands"), [(7, True), (6, False), (8, False), (-1, False)])
def test_pips_must_be_the_sum_of_the_tiles_on_the_scoresheet(pips: int, stands: bool) -> None:
    hand = FinalTiles(tiles=("2|2", "1|2"), pips=pips)
    found = faults(TINY, 2, HandSheet(leader=0, out=0, held=(FinalTiles(), hand)))
    code = "pips_sum" if pips >= 0 else "pips_negative"
    assert found == ([] if stands else [("held/1", code, "D-7")])


def test_objection_names_the_smallest_group_of_seats_with_impossible_pips() -> None:
    written = HandSheet(out=0, held=held(None, 0, 9, 0))
    fault = judge_hand(RULEBOOK, 4, written).objections[0]
    assert fault.params["seats"] == (1, 3)


# Seat 0 leads 2|2 and goes out with 1|0. Seat 1 played 1|1 and holds 0|0, 0|2 or 1|2.
OUT = ("2|2", ">1|1", "<0|1")
# Seat 0 leads 3|0, and seat 1 makes both ends blank, so only matadors fit.
BLANK = ("3|0", "<0|1")
LOGS: list[Any] = [
    # Each case: the rules, the moves, the other entries of the scoresheet, and the expected
    # objection (None: the referee accepts the hand).
    (TINY, OUT, {"held": held(None, "0|2")}, None),
    (TINY, OUT, {"held": held(None, 3), "out": 0}, None),
    (TINY, OUT, {"held": held(None, "0|2"), "out": 1}, ("out", "log_out", "D-6")),
    (TINY, OUT, {"held": held(None, "0|2"), "blocked": True}, ("out", "log_out", "D-6")),
    (TINY, OUT, {"held": held("0|0", "0|2")}, ("held/0", "out_holds", "D-6")),
    (TINY, OUT, {"held": held(None, "")}, ("held/1", "holds_none", "D-6")),
    (TINY, OUT, {"held": held(None, "0|2 0|0")}, ("held/1", "count", "D-2")),
    (TINY, OUT, {"held": held(None, "1|0")}, ("held/1", "played_and_held", "D-1")),
    (TINY, OUT, {"held": held(None, 0)}, None),
    (TINY, OUT, {"held": held(None, 1)}, ("held/1", "pips_none", "D-10")),
    (TINY, OUT, {"held": held(None, 4)}, ("held/1", "pips_high", "D-10")),
    (TINY, OUT, {"held": held(None, None)}, ("held/1", "held_unknown", "D-7")),
    (TINY, (*OUT, "pass"), {"held": held(None, 3)}, ("moves/3", "went_on", "D-6")),
    (TINY, OUT[:2], {"held": held(None, None)}, ("moves/2", "log_open", "D-6")),
    (TINY, OUT[:2], {"held": held(None, None), "out": 1}, ("moves/2", "log_open", "D-6")),
    (TINY, OUT[1:], {"held": held(None, None)}, ("moves/0", "must_lead", "D-3")),
    (SMALL, (*BLANK, "pass", "pass"), {"held": held("3|3", "1|1")}, None),
    (SMALL, (*BLANK, "pass", "pass"), {"held": held("3|3", "1|1"), "blocked": True}, None),
    (SMALL, (*BLANK, "pass", "pass"), {"held": held("1|3", "0|0")}, None),  # matadors may wait
    (SMALL, (*BLANK, "pass", "pass"), {"held": held("3|3", "1|1"), "out": 0},
     ("out", "log_blocked", "D-6")),
    (SMALL, (*BLANK, "pass", "pass", "pass"), {"held": held("3|3", "1|1")},
     ("moves/4", "went_on", "D-6")),
    (SMALL, (*BLANK, "pass"), {"held": held("3|3", "1|1")}, ("moves/3", "log_open", "D-6")),
    (SMALL, (*BLANK, "pass"), {"held": held("3|3", "1|1"), "blocked": True}, None),
    # The scoresheet says that the hand was blocked, but the last passes were not written down. Then
    # no player can hold a tile that fits, not even a matador.
    (SMALL, BLANK, {"held": held("3|3", "1|1"), "blocked": True}, None),
    (SMALL, BLANK, {"held": held("3|3", "1|3"), "blocked": True}, ("out", "not_blocked", "D-6")),
    (SMALL, BLANK, {"held": held("0|0", "1|1"), "blocked": True}, ("out", "not_blocked", "D-6")),
    (SMALL, BLANK, {"held": held("3|3", 0), "blocked": True}, ("held/1", "pips_low", "D-10")),
    (replace(SMALL, boneyard="draw"), BLANK, {"held": held("3|3", "1|1"), "blocked": True},
     ("out", "log_drawing", "D-6")),
    (replace(SMALL, free_pass=True), BLANK, {"held": held("3|3", "1|3"), "blocked": True},
     ("out", "not_blocked", "D-6")),
    # Seat 1 passes although 3|0 needs a 1 at the left end, so it must not have held a tile with a 1
    # that is no matador (Ruling D-5).
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", "3|3 2|3")}, None),
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", "3|3 1|2")},
     ("moves/1", "could_play", "D-5")),
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", "3|3 1|3")}, None),  # 1|3: a matador
    (replace(SMALL, free_pass=True), ("3|0", "pass", "<1|1"), {"held": held("", "3|3 1|2")}, None),
    # Seat 1 cannot hold 0|1 or 1|2, which it would have had to play. Two of the other tiles have 2
    # to 11 pips.
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", 2)}, None),
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", 1)}, ("held/1", "pips_low", "D-10")),
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", 11)}, None),
    (SMALL, ("3|0", "pass", "<1|1"), {"held": held("", 12)}, ("held/1", "pips_high", "D-10")),
    (SMALL, ("3|0", "pass", "pass"), {"held": held("1|3", "3|3 2|3")}, None),
    (SMALL, ("3|0", "pass", "pass"), {"held": held("1|2", "3|3 2|3")},
     ("moves/2", "could_play", "D-5")),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "moves", "beside", "fault"), LOGS)
def test_referee_checks_moves_together_with_remaining_tiles_and_result(
    rules: Rules, moves: tuple[str, ...], beside: dict[str, Any], fault: Any
) -> None:
    found = faults(rules, 2, HandSheet(leader=0, moves=moves, **beside))
    assert found == ([fault] if fault else [])


DRAWING = Rules(highest=3, hand_size=2)  # four of the six undealt tiles can be drawn
DRAWS: list[Any] = [
    # Each case: the moves, what each seat holds, and the expected objection of the referee.
    (("3|0", "draw", "<1|1", "pass"), ("2|2", "3|3 3|2"), ("moves/3", "must_draw", "D-5")),
    (("3|0", "pass"), (None, None), ("moves/1", "must_draw", "D-5")),
    (("3|0", *["draw"] * 4, "pass"), (None, None), ("moves/6", "log_open", "D-6")),
    (("3|0", *["draw"] * 5), (None, None), ("moves/5", "boneyard_closed", "D-5")),
    (("3|0", *["draw"] * 3, "pass"), (None, None), ("moves/4", "must_draw", "D-5")),
    # Seat 1 drew four tiles and holds six.
    (("3|0", *["draw"] * 4, "pass", "pass"), ("2|2", "3|3 3|2 1|3 0|0 0|2"),
     ("held/1", "count", "D-2")),
    (("3|0", *["draw"] * 4, "pass", "pass"), ("2|2", "3|3 3|2 1|3 0|0 0|2 1|1"),
     ("moves/5", "could_play", "D-5")),
]  # fmt: skip


@pytest.mark.parametrize(("moves", "hands", "fault"), DRAWS)
def test_referee_checks_that_draws_follow_the_rules(
    moves: tuple[str, ...], hands: Any, fault: Any
) -> None:
    """Players must draw until they can play or until two tiles are left in the boneyard (Ruling
    D-5).
    """
    found = faults(DRAWING, 2, HandSheet(leader=0, moves=moves, held=held(*hands)))
    assert found == ([fault] if fault else [])


DOUBLES: list[Any] = [
    # Each case: the rules, the moves, what each seat holds, and the expected objection of the
    # referee. Seat 0 led the hand.
    ({"set_highest_double": True}, ("2|2", ">1|1"), ("0|0", "0|2"), None),
    ({"set_highest_double": True}, ("1|1", ">2|2"), ("0|0", "0|2"), None),
    ({"lead": "highest_double"}, ("1|1", ">2|2"), ("0|0", "0|2"), "highest_double_other"),
    ({"lead": "highest_double"}, ("1|1", ">2|1"), ("2|2", "0|2"), "highest_double"),
    ({"lead": "highest_double"}, ("2|2", ">1|1"), ("0|0", "0|2"), None),
    ({"set_highest_double": True}, ("1|1", ">2|1"), ("2|2", "0|2"), "highest_double"),
    ({"set_highest_double": True}, ("1|1", ">2|1"), ("0|0", "0|2"), None),
    ({"set_highest_double": True}, ("1|0", "<2|2"), ("0|0", "0|2"), "highest_double"),
    ({"set_highest_double": True}, ("1|0", "<2|2"), ("0|2", "0|0"), None),
    ({}, ("1|0", "<2|2"), ("0|0", "0|2"), None),
]


@pytest.mark.parametrize(("options", "moves", "hands", "code"), DOUBLES)
def test_referee_checks_that_the_highest_double_was_led(
    options: dict[str, Any], moves: tuple[str, ...], hands: Any, code: str | None
) -> None:
    """Ruling D-3 says when the leader must lead the highest double held."""
    rules = Rules(highest=2, hand_size=2, boneyard="pass", **options)
    found = judge_hand(rules, 2, HandSheet(leader=0, moves=moves, held=held(*hands))).contradictions
    said = [(fault.path, fault.code) for fault in found]
    assert said == ([] if code is None else [("moves/0", code)])


DEAL = (("2|2", "1|0"), ("1|1", "0|2"))
DEALS: list[Any] = [
    (DEAL, None),
    ((DEAL[1], DEAL[0]), ("deal", "not_dealt", "D-2")),
    ((DEAL[0], ("1|1", "1|2")), ("deal", "not_dealt", "D-2")),
    (DEAL[:1], ("deal", "bad_deal", "D-2")),
    ((*DEAL, ("0|0", "1|2")), ("deal", "bad_deal", "D-2")),
    ((DEAL[0], ("1|1",)), ("deal", "bad_deal", "D-2")),
    (((*DEAL[0], "0|2"), ("1|1",)), ("deal", "bad_deal", "D-2")),
    ((DEAL[0], ("1|1", "0|2", "1|2")), ("deal", "bad_deal", "D-2")),
    ((DEAL[0], ("1|1", "1|1")), ("deal", "bad_deal", "D-2")),
    ((DEAL[0], ("1|1", "2|2")), ("deal", "bad_deal", "D-2")),
    ((DEAL[0], ("1|1", "3|3")), ("deal", "bad_deal", "D-2")),
]


@pytest.mark.parametrize(("deal", "fault"), DEALS)
def test_referee_checks_that_a_written_deal_is_possible(deal: Any, fault: Any) -> None:
    written = HandSheet(leader=0, moves=OUT, held=held(None, "0|2"), deal=deal)
    assert faults(TINY, 2, written) == ([fault] if fault else [])


def test_remaining_tiles_follow_from_the_deal_and_the_moves() -> None:
    reading = judge_hand(TINY, 2, HandSheet(leader=0, moves=OUT, held=held(None, None), deal=DEAL))
    assert reading.outcome is not None
    assert (reading.outcome.points, reading.outcome.out) == ((2, 0), 0)
    assert [(line.path, line.code) for line in reading.lines] == [
        ("moves", "log"), ("out", "out"), ("held/1", "follows"),
    ]  # fmt: skip
    assert reading.lines[0].params == {"moves": 3, "laid": 3, "drawn": 0}
    assert reading.evidence == "log"


EVIDENCE: list[Any] = [
    (HandSheet(leader=0, moves=OUT, held=held(None, "0|2")), "log"),
    (HandSheet(leader=0, moves=OUT, held=held(None, 2)), "sheet"),
    (HandSheet(leader=0, out=0, held=held(None, "0|2")), "sheet"),
]


@pytest.mark.parametrize(("written", "evidence"), EVIDENCE)
def test_evidence_of_a_hand_is_log_only_if_all_remaining_tiles_are_known(
    written: HandSheet, evidence: str
) -> None:
    reading = judge_hand(TINY, 2, written)
    assert reading.complete
    assert reading.evidence == evidence


def test_referee_asks_who_led_only_if_the_result_depends_on_it() -> None:
    """If the scoresheet does not name the leader, the referee looks for a leader with whom the hand
    is possible.
    """
    one = judge_hand(TINY, 2, HandSheet(moves=OUT, held=held(None, "0|2")))
    assert one.complete
    assert (one.leader, one.outcome and one.outcome.out) == (0, 0)
    other = judge_hand(TINY, 2, HandSheet(moves=OUT, held=held("0|2", None)))
    assert (other.leader, other.outcome and other.outcome.out) == (1, 1)
    passes = ("3|0", "<0|1", "pass", "pass")
    both = judge_hand(SMALL, 2, HandSheet(moves=passes, held=held("3|3", "1|1")))
    assert both.complete, "the same tiles are left if the other player led"
    open_ = judge_hand(TINY, 2, HandSheet(moves=OUT, held=held(0, 0)))
    assert [fault.code for fault in open_.objections] == ["who_led"]
    assert (open_.outcome, open_.leader) == (None, None)
    none = judge_hand(TINY, 2, HandSheet(moves=("2|2", ">0|1"), held=held(None, "0|2")))
    assert none.contradictions[0].path == "moves/1"


@pytest.mark.parametrize(("last", "stands"), [("0|6", False), ("6|6", True)])
def test_blocked_hand_is_rejected_if_a_held_tile_must_fit_an_end(last: str, stands: bool) -> None:
    """The players hold tiles with all numbers, so both ends must be blank.

    Then all tiles with a blank must be held or played, which the referee checks without trying all
    trains.
    """
    hands = held("6|2 5|4", "5|1 1|0 6|3 0|0", "3|2 5|5 3|0 2|0", f"2|2 2|1 4|4 4|0 5|0 {last}")
    reading = judge_hand(Rules(), 4, HandSheet(blocked=True, held=hands))
    assert [fault.code for fault in reading.objections] == ([] if stands else ["no_block"])
