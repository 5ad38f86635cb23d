"""Why the domino engine rejects a move: a message, a stable code and the deciding ruling."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import pytest

from dominoes.engine import MOVES, REASONS, IllegalMove, Move
from tests.dominoes.engine.table import legal, table
from tests.dominoes.notation import write_hand

ON_BLANK, OPEN = {"matadors": "crosswise_on_blank"}, {"matadors": "crosswise_open"}
FULL = "2|0 3|0 5|0"


class Case(NamedTuple):
    """A test case: a position, an illegal move in it, and the expected error code and message."""

    code: str
    sentence: str
    hands: str
    moves: str
    move: str
    boneyard: str = ""
    options: dict[str, Any] = {}


CASES = [
    Case("over", "The hand is over.", "6|3 / 1|1", "6|3", "<1|1"),
    Case(
        "no_tile", "This domino set does not include the chosen tile.",
        "6|3 1|0 / 1|1", "6|3", ">7|4",
    ),
    Case("not_held", "You don’t have the 4|4 in your hand.", "6|3 1|0 / 1|1", "6|3", ">4|4"),
    Case("must_lead", "The player who leads must lay the first tile.", "6|3 / 1|1", "", "pass"),
    Case("must_lead", "The player who leads must lay the first tile.", "6|3 / 1|1", "", ">6|3"),
    Case(
        "must_lead", "The player who leads must lay the first tile.",
        "6|3 / 1|1", "", "draw", FULL,
    ),
    Case("led", "The first tile has already been laid.", "6|3 1|0 / 1|1", "6|3", "1|1"),
    Case(
        "highest_double", "The player who leads must lay the 5|5, the highest double in the hand.",
        "6|3 5|5 / 1|1", "", "6|3", options={"set_highest_double": True},
    ),
    Case(
        "no_sum", "The 4|1 does not fit: 4 and 6 do not add up to 7.",
        "6|3 1|0 / 4|1", "6|3", "<1|4",
    ),
    Case("blank", "Only matadors fit next to a blank.", "6|0 1|0 / 3|0", "6|0", ">0|3"),
    Case(
        "no_sum_across",
        "The 3|1 does not fit: 3 does not add up to 7 with either half of the crosswise matador.",
        "6|3 1|0 / 5|2 2|2 / 3|1", "6|3 >2+5", ">3|1", options=OPEN,
    ),
    Case(
        "matador_only", "Only matadors fit next to a crosswise 0-0.",
        "6|3 1|0 / 0|0 2|2 / 3|1", "6|3 >0+0", ">3|1", options=OPEN,
    ),
    Case(
        "blank_inward", "A tile laid next to a crosswise matador must touch it with its blank.",
        "6|0 1|0 / 5|2 2|2 / 4|3", "6|0 >2+5", ">4|3", options=ON_BLANK,
    ),
    Case(
        "only_matadors_across", "Only a matador may be laid crosswise in the train.",
        "6|3 1|0 / 4|4", "6|3", ">4+4", options=OPEN,
    ),
    Case(
        "never_across", "Under these rules, the 5|2 must be laid in line here.",
        "6|3 1|0 / 5|2", "6|3", ">2+5",
    ),
    Case(
        "inline_after_across", "A tile laid next to a crosswise matador must be in line.",
        "6|3 1|0 / 5|2 2|2 / 4|3", "6|3 >2+5", ">3+4", options=OPEN,
    ),
    Case(
        "must_lie_across", "A matador laid next to a blank must be placed crosswise.",
        "6|0 1|0 / 5|2", "6|0", ">2|5", options=ON_BLANK,
    ),
    Case(
        "must_play", "You must play: the 4|4 fits and is not a matador.",
        "6|3 1|0 / 4|4 5|2", "6|3", "draw", FULL,
    ),
    Case(
        "must_play", "You must play: the 4|4 fits and is not a matador.",
        "6|3 1|0 / 4|4 5|2", "6|3", "pass",
    ),
    Case(
        "must_draw", "You can’t pass while you can still draw a tile.",
        "6|3 1|0 / 5|2", "6|3", "pass", FULL,
    ),
    Case(
        "no_drawing", "These rules don’t allow drawing tiles.",
        "6|3 1|0 / 5|2", "6|3", "draw", FULL, {"boneyard": "pass"},
    ),
    Case(
        "boneyard_closed", "You can’t draw any more tiles: the last two must stay in the boneyard.",
        "6|3 1|0 / 5|2", "6|3", "draw", "2|0 3|0",
    ),
    Case(
        "boneyard_closed", "You can’t draw any more tiles: the last two must stay in the boneyard.",
        "6|3 1|0 / 4|4", "6|3", "draw", "2|0 3|0", {"free_pass": True},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[f"{case.code} {case.move}" for case in CASES])
def test_illegal_move_is_rejected_with_code_message_and_ruling(case: Case) -> None:
    hand = table(case.hands, case.moves, case.boneyard, **case.options)
    before = write_hand(hand)
    with pytest.raises(IllegalMove) as refused:
        hand.play(Move.read(case.move))
    reason = refused.value
    assert (reason.code, reason.sentence) == (case.code, case.sentence)
    assert reason.ruling == REASONS[case.code][0]
    assert reason.sentence == REASONS[case.code][1] % reason.params
    assert str(reason) == f"{case.sentence} (Ruling {reason.ruling})"
    assert write_hand(hand) == before


def test_move_out_of_turn_is_rejected() -> None:
    hand = table("6|3 1|0 / 4|4", "6|3")
    with pytest.raises(IllegalMove, match="It is not your turn") as refused:
        hand.play(Move.read("<0|1"), seat=0)
    assert (refused.value.code, refused.value.ruling) == ("not_your_turn", "D-2")
    hand.play(Move.read(">4|4"), seat=1)
    assert hand.turn is None


def test_every_rejection_reason_is_tested_by_a_case() -> None:
    assert {case.code for case in CASES} | {"not_your_turn"} == set(REASONS)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.code} {case.move}" for case in CASES])
def test_every_move_that_is_not_legal_is_rejected(case: Case) -> None:
    hand = table(case.hands, case.moves, case.boneyard, **case.options)
    allowed = legal(hand)
    for move in MOVES:
        if str(move) not in allowed:
            with pytest.raises(IllegalMove):
                hand.play(move)


def test_rejection_reason_can_be_pickled() -> None:
    reason = IllegalMove("no_sum", tile="4|1", inward=4, end=6, sum=7)
    again = pickle.loads(pickle.dumps(reason))
    assert (again.code, again.params, again.ruling, str(again)) == (
        reason.code, reason.params, reason.ruling, str(reason),
    )  # fmt: skip


def test_unknown_move_number_raises_index_error() -> None:
    with pytest.raises(IndexError):
        table("6|3 / 1|1").play_code(len(MOVES))
