"""The expected points of a runner, as bots calculate them, are compared with all possible rolls."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eltoro.bots.streets import Streets, streets_of
from eltoro.engine import BOARDS, FACES, Board

WORTH = (3.0, 4.0, 1.0, 6.0, 2.0)


def hoped(
    board: Board, signs: set[tuple[int, int]], bulls: list[tuple[int, int]], space: int, face: int
) -> Fraction:
    """Return the mean points over all rolls of one die, calculated space by space (E-5, E-6)."""
    if not board.spaces[space].ways:
        return Fraction(WORTH[board.rows[-1].index(space)])
    there = place_below(board, signs, space, face)
    moved = [(place_below(board, set(), at, shown), shown) for at, shown in bulls]
    matching = {shown for at, shown in moved if at == there}
    if face not in matching:
        return hoped(board, signs, moved, there, face)
    safe = [new for new in range(1, 7) if new not in matching]
    return sum((hoped(board, signs, moved, there, new) for new in safe), Fraction(0)) / 6


def place_below(board: Board, signs: set[tuple[int, int]], space: int, face: int) -> int:
    ways = board.spaces[space].ways
    if len(ways) == 1:
        return ways[0]
    own = [parity for parity in (0, 1) if (space, parity) in signs]
    return ways[own[0]] if len(own) == 1 else ways[face % 2]


@st.composite
def towns(draw: st.DrawFn) -> tuple[Board, set[tuple[int, int]], list[tuple[int, int]], int]:
    board = draw(st.sampled_from(sorted(BOARDS.values(), key=lambda board: board.name)))
    signs = draw(st.sets(st.sampled_from(board.signs), max_size=3))
    row = draw(st.integers(0, board.steps - 1))
    bull = st.tuples(st.sampled_from(board.rows[row]), st.integers(1, 6))
    return board, signs, draw(st.lists(bull, min_size=5, max_size=10)), row


@given(towns())
def test_expected_points_of_a_runner_are_exact(
    town: tuple[Board, set[tuple[int, int]], list[tuple[int, int]], int],
) -> None:
    board, signs, bulls, row = town
    streets = streets_of(board)
    places = [streets.place_number(*bull) for bull in bulls]
    value = streets.prospects(streets.ways(signs), streets.threats(places), WORTH, row)
    for space in board.rows[row]:
        for face in range(1, 7):
            wanted = hoped(board, signs, bulls, space, face)
            assert value[streets.place_number(space, face)] == pytest.approx(float(wanted))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_space_and_face_has_its_own_place_number(board: Board) -> None:
    streets = Streets(board)
    found = [
        streets.place_number(space, face)
        for row in board.rows
        for space in row
        for face in range(1, 7)
    ]
    assert found == list(range(FACES * len(board.spaces)))


def test_board_with_spaces_listed_in_another_order_has_the_same_values() -> None:
    """Ruling E-2 allows a board to list its spaces in any order, so the order must not change any
    value.
    """
    from eltoro.engine import read_board

    text = BOARDS["el-toro"].text
    head, *lines = text.strip().splitlines()
    starts, rest = lines[:5], lines[5:]
    mixed = read_board("\n".join([head, *rest[:8], *starts, *rest[8:]]) + "\n", "mixed")
    plain = streets_of(BOARDS["el-toro"])
    assert values(Streets(mixed)) == values(plain)


def values(streets: Streets) -> Sequence[float]:
    bulls = [streets.place_number(streets.board.find_space(key), 3) for key in "23456"]
    return streets.prospects(streets.plain, streets.threats(bulls), WORTH, 0)
