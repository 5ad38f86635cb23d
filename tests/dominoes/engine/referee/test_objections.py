"""Every objection of the domino referee, with a scoresheet that causes it and the cited ruling."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dominoes.engine import FinalTiles, HandSheet, Rules, judge_hand
from dominoes.tabletop.sheets import line_sentence, objection_sentence
from tests.dominoes.engine.referee.games import log_of, played

RULEBOOK = Rules()
BLOCK = Rules(boneyard="pass")
FOUR = ["north", "ana", "guest 3", "south"]


def held(*hands: str | int | None) -> tuple[FinalTiles, ...]:
    """Return what the seats hold: a text is tiles, a number is pips, `None` is not written down.

    Example: `held("3|5 1|2", 12, None, "")`. The empty text means that the seat holds nothing.
    """
    found = []
    for hand in hands:
        if hand is None:
            found.append(FinalTiles())
        elif isinstance(hand, int):
            found.append(FinalTiles(pips=hand))
        else:
            found.append(FinalTiles(tiles=tuple(hand.split())))
    return tuple(found)


CASES = [
    # Each case: the entries of the scoresheet, then path, code and ruling of the expected
    # objection.
    (
        HandSheet(out=0, held=held(None, "3|5 1|2 0|6", "2|6 3|5", "0|4")),
        "held/2",
        "shared",
        "D-1",
    ),
    (HandSheet(out=0, held=held(None, "3|5 5|3", 8, 9)), "held/1", "twice", "D-1"),
    (HandSheet(out=0, held=held(None, "7|1", 8, 9)), "held/1", "no_tile", "D-1"),
    (HandSheet(out=0, held=held(None, "bull", 8, 9)), "held/1", "no_tile", "D-1"),
    (HandSheet(out=0, held=held(None, -1, 8, 9)), "held/1", "pips_negative", "D-7"),
    (HandSheet(out=0, held=held(None, 900, 8, 9)), "held/1", "pips_high", "D-10"),
    (HandSheet(out=0, held=held(None, 0, 0, 9)), "held", "pips_together", "D-10"),
    (HandSheet(out=0, held=held(None, 1, 1, 1)), "held", "pips_together", "D-10"),
    (HandSheet(out=0, held=held("6|6", 1, 2, 9)), "held/0", "out_holds", "D-6"),
    (HandSheet(out=0, held=held(None, "", 2, 9)), "held/1", "holds_none", "D-6"),
    (HandSheet(blocked=True, held=held(3, "", 2, 9)), "held/1", "holds_none", "D-6"),
    (
        HandSheet(out=1, blocked=True, held=held(3, None, 2, 9)),
        "out",
        "out_and_blocked",
        "D-6",
    ),
    (HandSheet(out=4, held=held(3, 4, 2, 9)), "out", "no_seat", "D-2"),
    (HandSheet(leader=-1, out=0, held=held(0, 4, 2, 9)), "leader", "no_seat", "D-2"),
    (HandSheet(out=0, held=held(0, 4)), "held", "seats_held", "D-2"),
    (HandSheet(held=held(1, 4, 2, 9)), "out", "who_out", "D-6"),
    (HandSheet(out=0, held=held(None, 4, None, 9)), "held/2", "held_unknown", "D-7"),
]


@pytest.mark.parametrize(("written", "path", "code", "ruling"), CASES)
def test_objection_names_path_code_and_ruling_of_the_error(
    written: HandSheet, path: str, code: str, ruling: str
) -> None:
    reading = judge_hand(RULEBOOK, 4, written)
    found = [(fault.path, fault.code, fault.ruling) for fault in reading.objections]
    assert (path, code, ruling) in found
    assert reading.outcome is None
    assert all(objection_sentence(fault, FOUR) for fault in reading.objections)


LOGS = [
    # Each case: the recorded moves, then path, code and ruling of the expected objection.
    ("6|3 >5|5", "moves/1", "no_sum", "D-4"),  # 5 and 3 do not make 7
    ("6|0 >5|5", "moves/1", "blank", "D-4"),
    ("6|3 >4|4 6|6", "moves/2", "led", "D-3"),
    ("pass", "moves/0", "must_lead", "D-3"),
    ("6|3 >4|4 >3|3 >4|4", "moves/3", "played_twice", "D-1"),
    ("6|3 >4+3", "moves/1", "never_across", "D-9"),
    ("6|3 >4+4", "moves/1", "only_matadors_across", "D-9"),
    ("6|3 draw", "moves/1", "no_drawing", "D-5"),
    ("6|3 jump", "moves/1", "no_move", "D-4"),
    ("9|3", "moves/0", "no_tile", "D-1"),
    ("6|3 pass pass pass pass >4|4", "moves/5", "went_on", "D-6"),
]


@pytest.mark.parametrize(("moves", "path", "code", "ruling"), LOGS)
def test_illegal_move_on_a_scoresheet_is_reported_with_its_ruling(
    moves: str, path: str, code: str, ruling: str
) -> None:
    written = HandSheet(leader=0, moves=tuple(moves.split()), held=held(*[None] * 4))
    reading = judge_hand(BLOCK, 4, written)
    found = [(fault.path, fault.code, fault.ruling) for fault in reading.objections]
    assert (path, code, ruling) in found
    assert all(objection_sentence(fault, FOUR) for fault in reading.objections)


def test_pass_is_rejected_if_the_player_held_a_fitting_tile() -> None:
    """A player with a playable tile that is not a matador must play it (Ruling D-5)."""
    rules = Rules(boneyard="pass", hand_size=2)
    fits = HandSheet(leader=0, moves=("6|3", "pass", ">4|5"), held=held("", "4|4 6|6"))
    fault = judge_hand(rules, 2, fits).contradictions[0]
    assert (fault.path, fault.code, fault.params["tile"]) == ("moves/1", "could_play", "4|4")
    assert objection_sentence(fault, ["ana", "iker"]).startswith("Move 2: iker held 4-4")
    matador = HandSheet(leader=0, moves=("6|3", "pass", ">4|5"), held=held("", "4|3 6|6"))
    assert judge_hand(rules, 2, matador).complete
    assert judge_hand(Rules(boneyard="pass", hand_size=2, free_pass=True), 2, fits).complete


def test_lead_is_rejected_if_the_leader_held_a_higher_double() -> None:
    """With the option `set_highest_double`, the leader must lead the highest double held (Ruling
    D-3).
    """
    rules = Rules(boneyard="pass", hand_size=2, set_highest_double=True)
    written = HandSheet(leader=0, moves=("6|3", ">4|5", "pass", "pass"), held=held("4|4", "6|6"))
    fault = judge_hand(rules, 2, written).contradictions[0]
    assert (fault.code, fault.ruling, fault.params["tile"]) == ("highest_double", "D-3", "4|4")


def test_pass_is_accepted_if_the_fitting_tile_can_have_been_drawn_later() -> None:
    """A tile that the player may have drawn after the pass does not prove that the pass was
    illegal.
    """
    rules = Rules(hand_size=2, highest=3)
    moves = ("3|3", "draw", ">1|1", ">3|2")
    written = HandSheet(leader=0, moves=moves, held=held("", "2|2 0|0"))
    assert judge_hand(rules, 2, written).complete
    # The player drew only one tile, but holds two tiles that would have fitted before the draw. At
    # least one of them was already in the hand, so the draw was not allowed.
    early = HandSheet(leader=0, moves=moves, held=held("", "1|2 0|0"))
    assert [fault.code for fault in judge_hand(rules, 2, early).contradictions] == ["could_play"]


def test_player_with_only_the_double_blank_wins_a_blocked_hand() -> None:
    """Nobody went out, so the message must not mention a tie with the player who went out."""
    reading = judge_hand(BLOCK, 2, HandSheet(blocked=True, held=held("0|0", "6|4")))
    assert reading.outcome is not None
    assert reading.outcome.points == (10, 0)
    told = [line_sentence(line, FOUR) for line in reading.lines]
    assert "north: only the 0-0 is left, which counts zero." in told
    assert not [sentence for sentence in told if "tie" in sentence]


def test_player_with_only_the_double_blank_ties_with_the_player_who_went_out() -> None:
    """Both have zero pips (Ruling D-7)."""
    written = HandSheet(out=0, held=held(None, "0|0", 12, 9))
    reading = judge_hand(RULEBOOK, 4, written)
    assert reading.outcome is not None
    assert reading.outcome.winner is None
    assert [line.code for line in reading.lines] == ["out", "only_blank", "pips", "pips"]
    bare = judge_hand(RULEBOOK, 4, HandSheet(out=0, held=held(None, 0, 12, 9)))
    assert [line.code for line in bare.lines][1] == "only_blank"
    assert line_sentence(reading.lines[1], FOUR) == "ana: only the 0-0 is left, which counts zero."
    wins = judge_hand(Rules(out_wins=True), 4, written)
    assert wins.outcome is not None
    assert wins.outcome.points == (21, 0, 0, 0)


def test_player_who_goes_out_scores_all_pips_of_the_others() -> None:
    """The others hold 17, 18 and 6 pips, which makes 41 points."""
    written = HandSheet(out=0, held=held(None, "3|5 1|2 0|6", "2|6 5|5", "0|4 1|1"))
    reading = judge_hand(RULEBOOK, 4, written)
    assert reading.outcome is not None
    assert reading.outcome.points == (41, 0, 0, 0)
    assert line_sentence(reading.lines[1], FOUR) == "ana: 2-1, 5-3, 6-0, with 17 pips in total."


def test_unknown_tiles_are_deduced_if_all_other_tiles_are_known() -> None:
    """Nothing is left in the boneyard, so the last player holds all tiles that were neither played
    nor written down for the others.
    """
    rules = Rules(highest=2, hand_size=3, boneyard="pass")
    hands = (played(rules, 2, f"follows/{number}") for number in range(100))
    hand = next(hand for hand in hands if hand.seat_out is None)
    log = log_of(hand)
    reading = judge_hand(rules, 2, replace(log, held=(log.held[0], FinalTiles())))
    assert (reading.complete, reading.outcome) == (True, hand.outcome)
    assert reading.evidence == "log"
    assert [line.code for line in reading.lines][-1] == "follows"


def test_unfinished_moves_are_reported_as_incomplete_and_not_as_wrong() -> None:
    written = HandSheet(leader=0, moves=("6|3", ">4|4"), held=held(*[None] * 4))
    reading = judge_hand(BLOCK, 4, written)
    assert reading.contradictions == ()
    assert [fault.code for fault in reading.objections] == ["log_open"]
