"""Moves and their notation."""

from __future__ import annotations

import pickle

import pytest

from dominoes.engine import MOVES, Kind, Move, NotationError, Side, read_tile

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
        ("draw", Move(Kind.DRAW)),
        ("pass", Move(Kind.PASS)),
    ],
)
def test_a_move_is_written_as_it_lies(text: str, move: Move) -> None:
    assert Move.read(text) == move
    assert str(move) == text


def test_inward_and_outward() -> None:
    assert (Move.read(">2|5").inward, Move.read(">2|5").outward) == (2, 5)
    assert (Move.read("<5|2").inward, Move.read("<5|2").outward) == (2, 5)
    assert Move.read(">4|4").inward == 4
    assert Move.read(">2+5").across
    assert Move.read(">2+5").inward is None


def test_across_neither_half_comes_first() -> None:
    assert Move.read(">5+2") == Move.read(">2+5")
    assert Move.read("<12+1") == Move.read("<1+12")


def test_every_move_there_can_be_is_written_read_and_numbered() -> None:
    for move in MOVES:
        assert Move.read(str(move)) == move
        assert MOVES[move.code] == move
        assert pickle.loads(pickle.dumps(move)) == move


def test_a_tile_is_only_played_with_a_half_it_has() -> None:
    with pytest.raises(ValueError, match="no half 4"):
        Move.play(FIVE_TWO, Side.LEFT, 4)


@pytest.mark.parametrize(
    "text",
    ["", "3|6", "6", "> 2|5", ">>2|5", ">19|1", "Pass", ">+", "6+1", "=2|5", ">2|5|1", "<+1"],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="no move"):
        Move.read(text)
