"""Moves of dominoes and their notation, such as `>2|5` or `draw`."""

from __future__ import annotations

import pickle

import pytest

from dominoes.engine import MOVES, Move, MoveKind, NotationError, Side, read_tile

FIVE_TWO = read_tile("5|2")


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("6|3", Move.lead(read_tile("6|3"))),
        ("5|5", Move.lead(read_tile("5|5"))),
        (">2|5", Move.play(FIVE_TWO, Side.RIGHT, 5)),
        (">5|2", Move.play(FIVE_TWO, Side.RIGHT, 2)),
        ("<5|2", Move.play(FIVE_TWO, Side.LEFT, 5)),
        ("<2|5", Move.play(FIVE_TWO, Side.LEFT, 2)),
        (">2+5", Move.play(FIVE_TWO, Side.RIGHT)),
        ("<2+5", Move.play(FIVE_TWO, Side.LEFT)),
        (">18|17", Move.play(read_tile("18|17"), Side.RIGHT, 17)),
        ("draw", Move(MoveKind.DRAW)),
        ("pass", Move(MoveKind.PASS)),
    ],
)
def test_move_is_written_with_its_halves_from_left_to_right(text: str, move: Move) -> None:
    assert Move.read(text) == move
    assert str(move) == text


def test_move_knows_its_inward_and_its_outward_half() -> None:
    assert (Move.read(">2|5").inward, Move.read(">2|5").outward) == (2, 5)
    assert (Move.read("<5|2").inward, Move.read("<5|2").outward) == (2, 5)
    assert Move.read(">4|4").inward == 4
    assert Move.read(">2+5").across
    assert Move.read(">2+5").inward is None


def test_halves_of_a_tile_across_may_be_written_in_any_order() -> None:
    assert Move.read(">5+2") == Move.read(">2+5")
    assert Move.read("<12+1") == Move.read("<1+12")


def test_every_possible_move_can_be_written_read_and_numbered() -> None:
    for move in MOVES:
        assert Move.read(str(move)) == move
        assert MOVES[move.code] == move
        assert pickle.loads(pickle.dumps(move)) == move


def test_move_is_rejected_if_the_tile_does_not_have_the_given_half() -> None:
    with pytest.raises(ValueError, match="no half 4"):
        Move.play(FIVE_TWO, Side.LEFT, 4)


@pytest.mark.parametrize(
    "text",
    ["", "3|6", "6", "> 2|5", ">>2|5", ">19|1", "Pass", ">+", "6+1", "=2|5", ">2|5|1", "<+1"],
)
def test_invalid_text_is_rejected_as_a_move(text: str) -> None:
    with pytest.raises(NotationError, match="no move"):
        Move.read(text)
