"""Legal moves during a hand of dominoes, and when the hand ends (Rulings D-3, D-5 and D-6)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from dominoes.engine import Deal, Hand, Move, Rules
from tests.dominoes.engine.table import is_over, legal, table, tiles

BLOCK, FREE = {"boneyard": "pass"}, {"free_pass": True}
ON_BLANK = {"matadors": "crosswise_on_blank"}
OPEN = {"matadors": "crosswise_open"}


class Case(NamedTuple):
    """A test case: what the seats hold, the moves made so far, and the moves that are legal now."""

    name: str
    hands: str
    moves: str
    legal: str
    boneyard: str = ""
    options: dict[str, Any] = {}


CASES = [
    Case("D-3 the leader sets any tile", "6|3 5|5 0|0 / 1|1", "", "6|3 5|5 0|0"),
    Case(
        "D-3 the leader must set the highest double", "6|3 5|5 4|4 / 6|6", "", "5|5",
        options={"set_highest_double": True},
    ),
    Case(
        "D-3 also when it is a matador", "6|3 0|0 / 1|1", "", "0|0",
        options={"set_highest_double": True},
    ),
    Case(
        "D-3 any tile without a double", "6|3 5|4 / 1|1", "", "6|3 5|4",
        options={"set_highest_double": True},
    ),
    Case(
        "D-3 who leads with the highest double", "6|3 5|5 1|1 / 4|4", "", "5|5",
        options={"lead": "highest_double"},
    ),
    Case(
        "D-3 nobody holds a double", "6|3 5|4 / 4|1", "", "6|3 5|4",
        options={"lead": "highest_double"},
    ),
    Case("D-3 the leader always sets a tile", "6|3 / 1|1", "", "6|3", "1|0 2|0 3|0", FREE),
    Case("D-4 a tile fits where it adds up", "6|3 6|6 / 4|1 2|2", "6|3", "<4|1 >4|1"),
    Case("D-4 a tile fits one way at one end", "6|3 6|6 / 1|0 2|2", "6|3", "<0|1"),
    Case("D-4 equal ends are two ends", "5|5 6|6 / 2|1 3|3", "5|5", "<1|2 >2|1"),
    Case(
        "D-4 a matador fits every end, either way", "6|3 6|6 / 5|2 2|2", "6|3",
        "<5|2 <2|5 >5|2 >2|5 pass",
    ),
    Case("D-4 the 0-0 has one way", "6|3 6|6 / 0|0 2|2", "6|3", "<0|0 >0|0 pass"),
    Case("D-4 at a blank only matadors fit", "6|0 6|6 / 3|0 6|2", "6|0", "pass"),
    Case("D-5 who cannot play draws", "6|3 6|6 / 2|2", "6|3", "draw", "5|0 2|0 3|0"),
    Case("D-5 until able", "6|3 6|6 / 2|2", "6|3 draw", "<3|1", "3|1 2|0 3|0 4|0"),
    Case("D-5 again and again", "6|3 6|6 / 2|2", "6|3 draw", "draw", "5|0 2|0 3|0 4|0"),
    Case("D-5 two tiles stay", "6|3 6|6 / 2|2", "6|3", "pass", "1|1 4|4"),
    Case("D-5 until two are left", "6|3 6|6 / 2|2", "6|3 draw", "pass", "5|0 1|1 4|4"),
    Case("D-5 who can play must", "6|3 6|6 / 1|1", "6|3", "<1|1", "2|0 3|0 4|0"),
    Case(
        "D-5 a matador need not be played", "6|3 6|6 / 5|2", "6|3",
        "<5|2 <2|5 >5|2 >2|5 draw", "2|0 3|0 5|0",
    ),
    Case(
        "D-5 with nothing to draw one passes instead", "6|3 6|6 / 5|2", "6|3",
        "<5|2 <2|5 >5|2 >2|5 pass", "2|0 3|0",
    ),
    Case(
        "D-5 who holds another tile must play, if it be the matador", "6|3 6|6 / 5|2 1|1", "6|3",
        "<5|2 <2|5 >5|2 >2|5 <1|1", "2|0 3|0 5|0",
    ),
    Case(
        "D-5 who draws plays as soon as a tile fits", "6|3 6|6 / 5|2", "6|3 draw",
        "<5|2 <2|5 >5|2 >2|5 <1|1", "1|1 3|0 5|0 2|0",
    ),
    Case(
        "D-5 who draws may play a matador at any time", "6|3 6|6 / 5|2", "6|3 draw",
        "<5|2 <2|5 >5|2 >2|5 draw", "2|2 3|0 5|0 2|0",
    ),
    Case(
        "D-5 a matador drawn may wait", "6|3 6|6 / 2|2", "6|3 draw",
        "<5|2 <2|5 >5|2 >2|5 draw", "5|2 3|0 5|0 2|0",
    ),
    Case("D-5 no drawing at all", "6|3 6|6 / 2|2", "6|3", "pass", "1|1 4|4 5|0", BLOCK),
    Case("D-5 free: pass or draw", "6|3 6|6 / 1|1", "6|3", "<1|1 draw pass", "2|0 3|0 5|0", FREE),
    Case(
        "D-5 free: still after a draw", "6|3 6|6 / 1|1", "6|3 draw", "<1|1 draw pass",
        "2|0 3|0 5|0 4|0", FREE,
    ),
    Case("D-5 free: two tiles stay", "6|3 6|6 / 1|1", "6|3", "<1|1 pass", "2|0 3|0", FREE),
    Case(
        "D-5 free: no drawing", "6|3 6|6 / 1|1", "6|3", "<1|1 pass", "2|0 3|0 5|0",
        {**FREE, **BLOCK},
    ),
    Case(
        "D-9 across or in line, as one likes", "6|3 6|6 / 5|2", "6|3",
        "<5|2 <2|5 <2+5 >5|2 >2|5 >2+5 pass", options=OPEN,
    ),
    Case(
        "D-9 either half is open", "6|3 6|6 / 5|2 6|2 / 5|4 2|2 6|5", "6|3 >2+5",
        ">2|2 >5|4 >5|6", options=OPEN,
    ),
    Case(
        "D-9 the next matador lies in line", "6|3 6|6 / 5|2 6|2 / 4|3", "6|3 >2+5",
        "<3|4 <4|3 <3+4 >3|4 >4|3 pass", options=OPEN,
    ),
    Case(
        "D-9 the 0-0 across: then only matadors", "6|3 6|6 / 0|0 6|2 / 5|2 5|5 4|4", "6|3 >0+0",
        "<5|2 <2|5 <2+5 >5|2 >2|5 pass", options=OPEN,
    ),
    Case(
        "D-9 on a blank a matador must lie across", "6|0 6|6 / 5|2", "6|0",
        "<5|2 <2|5 >2+5 pass", options=ON_BLANK,
    ),
    Case(
        "D-9 the next tile has a blank inward", "6|0 6|6 / 5|2 5|5 / 3|0 5|4 2|2", "6|0 >2+5",
        ">0|3", options=ON_BLANK,
    ),
    Case(
        "D-9 no other matador does", "6|0 6|6 / 5|2 5|5 / 4|3", "6|0 >2+5", "<3|4 <4|3 pass",
        options=ON_BLANK,
    ),
    Case(
        "D-9 the 0-0 fits there and need not be played", "6|0 6|6 / 5|2 5|5 / 0|0", "6|0 >2+5",
        "<0|0 >0|0 pass", options=ON_BLANK,
    ),
    Case(
        "D-9 a stub plays as inline", "6|0 6|6 / 5|2", "6|0", "<5|2 <2|5 >5|2 >2|5 pass",
        options={"matadors": "crosswise_stub"},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_legal_moves_are_those_expected(case: Case) -> None:
    hand = table(case.hands, case.moves, case.boneyard, **case.options)
    assert legal(hand) == set(case.legal.split())
    assert len(hand.legal()) == len(case.legal.split())


def test_ruling_d_2_turn_passes_to_the_left_but_not_after_a_draw() -> None:
    hand = table("6|3 6|6 / 2|2 / 1|1 5|5", face_down="5|0 2|0 3|0 4|0", leader=0)
    turns = []
    for move in ("6|3", "draw", "draw", "pass", "<1|1"):
        turns.append(hand.turn)
        hand.play(Move.read(move))
    assert [*turns, hand.turn] == [0, 1, 1, 1, 2, 0]


def test_ruling_d_6_hand_ends_when_a_player_has_no_tile_left() -> None:
    hand = table("6|3 / 1|1 5|5", "6|3")
    assert (hand.turn, hand.seat_out, legal(hand)) == (None, 0, set())
    assert hand.outcome is not None
    assert hand.outcome.ended_by == "out"


def test_ruling_d_6_hand_ends_when_all_players_have_passed_in_turn() -> None:
    hand = table("6|3 2|2 / 5|5 / 2|0", "6|3 pass pass")
    assert hand.turn == 0
    hand.play(Move.read("pass"))
    assert is_over(hand)
    assert hand.outcome is not None
    assert (hand.outcome.ended_by, hand.outcome.out) == ("blocked", None)


def test_ruling_d_6_played_tile_resets_the_count_of_passes() -> None:
    hand = table("6|3 2|2 / 5|5 / 1|1 0|2", "6|3 pass <1|1 pass pass")
    assert hand.turn == 2
    hand.play(Move.read("pass"))
    assert is_over(hand)


def test_ruling_d_6_draw_before_a_pass_does_not_change_the_count_of_passes() -> None:
    hand = table("6|3 2|2 / 5|5 / 2|0", "6|3 draw pass pass pass", face_down="3|3 5|0 5|3")
    assert hand.turn is None
    assert [str(move) for move in hand.log[-4:]] == ["draw", "pass", "pass", "pass"]


def test_ruling_d_6_hand_is_not_blocked_while_tiles_can_be_drawn() -> None:
    hand = table("6|0 2|2 / 5|5", "6|0", face_down="3|3 5|0 5|3 2|0")
    moves = []
    while hand.turn is not None:
        (move,) = hand.legal()
        moves.append(str(move))
        hand.play(move)
    assert moves == ["draw", "draw", "pass", "pass"]
    assert hand.pips == (4, 10 + 6 + 5)


def test_ruling_d_5_no_player_draws_if_all_28_tiles_are_dealt() -> None:
    hands = " / ".join(
        ("6|6 6|5 6|4 6|3 6|2 6|1 6|0", "5|5 5|4 5|3 5|2 5|1 5|0 4|4",
         "4|3 4|2 4|1 4|0 3|3 3|2 3|1", "3|0 2|2 2|1 2|0 1|1 1|0 0|0")
    )  # fmt: skip
    hand = table(hands, "6|6")
    assert not hand.can_draw
    assert legal(hand) == {"<5|1", ">1|5", "<2|5", "<5|2", ">2|5", ">5|2"}


def test_moves_in_a_copied_hand_do_not_change_the_original() -> None:
    hand = table("6|3 6|6 / 2|2 1|1", "6|3", face_down="5|0 2|0 3|0 4|0")
    twin = hand.copy()
    twin.play(Move.read("<1|1"))
    assert (hand.turn, hand.held_tiles(1).bit_count(), len(hand.log)) == (1, 2, 1)
    assert (twin.turn, twin.held_tiles(1).bit_count(), len(twin.log)) == (0, 1, 2)
    hand.play(Move.read("<1|1"))
    assert hand.view(0) == twin.view(0)


def test_tiles_are_drawn_from_the_beginning_of_the_boneyard() -> None:
    dealt = Deal.of([tiles("6|3 6|6"), tiles("2|2")], tiles("5|0 2|0 3|0 4|0"), 0)
    hand = Hand(Rules(), dealt)
    hand.play(Move.read("6|3"))
    hand.play(Move.read("draw"))
    assert hand.boneyard == tuple(tiles("2|0 3|0 4|0"))
    assert hand.held_tiles(1) == sum(1 << tile for tile in tiles("2|2 5|0"))
