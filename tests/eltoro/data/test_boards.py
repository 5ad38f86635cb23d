"""The shipped boards: their rows, forks and names, and where an undisturbed runner arrives."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import eltoro
from eltoro.engine import PROFILES, Board, Rules, read_board

DATA = Path(eltoro.__file__).parent / "data"
FILES = sorted((DATA / "boards").glob("*.csv"))
BOARDS = {path.stem: read_board(path.read_text("utf-8"), path.stem) for path in FILES}
FACES = (1, 2, 3, 4, 5, 6)
STARTS = (2, 3, 4, 5, 6)
FEWEST, MOST = Fraction(1, 10), Fraction(3, 10)

every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def way(board: Board, space: int, parity: int) -> int:
    """Return the space to which a die moves from this space.

    The parity is 0 for even and 1 for odd faces.
    """
    ways = board.spaces[space].ways
    return ways[parity] if len(ways) == 2 else ways[0]


def path(board: Board, start: int, parity: int) -> tuple[int, ...]:
    """Return all spaces that a die passes if its face never changes, from the start to its
    destination.
    """
    spaces = [board.find_space(str(start))]
    while board.spaces[spaces[-1]].ways:
        spaces.append(way(board, spaces[-1], parity))
    return tuple(spaces)


def every_path(board: Board, space: int) -> Iterator[tuple[int, ...]]:
    """Yield all paths down from this space, with any direction at each fork."""
    ways = board.spaces[space].ways
    if not ways:
        yield (space,)
    for below in ways:
        yield from ((space, *rest) for rest in every_path(board, below))


def shares(board: Board, began: Mapping[tuple[int, int], Fraction]) -> Mapping[int, Fraction]:
    """Return the probability of each destination, given those of starting spaces with parity."""
    arrived = dict.fromkeys(board.rows[-1], Fraction(0))
    for (start, parity), share in began.items():
        arrived[path(board, start, parity)[-1]] += share
    return arrived


def test_two_boards_are_shipped_with_four_and_five_steps() -> None:
    assert {key: board.steps for key, board in BOARDS.items()} == {"el-toro": 4, "la-cuesta": 5}
    assert Rules().board.text == BOARDS["el-toro"].text
    assert {"el-toro", "la-cuesta", "one-day"} <= set(PROFILES)


def test_el_toro_board_has_three_rows_of_roundabouts() -> None:
    board = BOARDS["el-toro"]
    inner = sum(map(len, board.rows[1:-1]))
    assert len(board.rows[1:-1]) == 3
    assert 12 <= inner <= 15
    assert sum(space.is_fork for space in board.spaces) >= 9


@every_board
def test_board_has_five_starts_and_destinations_and_at_most_42_spaces(board: Board) -> None:
    assert [board.spaces[space].key for space in board.rows[0]] == list(map(str, STARTS))
    assert len(board.rows[-1]) == 5
    assert len(board.spaces) <= 42


@every_board
def test_undisturbed_runner_has_10_to_30_percent_chance_of_each_destination(board: Board) -> None:
    """A runner starts on the space with the number it rolled.

    A 1 may start on any of the five (Ruling E-3).
    """
    began = {(face, face % 2): Fraction(1, 6) for face in STARTS}
    for start in STARTS:
        began[start, 1] = began.get((start, 1), Fraction(0)) + Fraction(1, 6) / len(STARTS)
    assert sum(began.values()) == 1
    assert all(FEWEST <= share <= MOST for share in shares(board, began).values())


@every_board
def test_each_destination_has_10_to_30_percent_if_start_and_face_are_independent(
    board: Board,
) -> None:
    """Start and face are independent after dice were exchanged or rolled again on the starting
    space.
    """
    began = {(start, parity): Fraction(1, 10) for start in STARTS for parity in (0, 1)}
    assert all(FEWEST <= share <= MOST for share in shares(board, began).values())


@every_board
def test_each_destination_has_10_to_30_percent_if_dice_are_rolled_at_every_fork(
    board: Board,
) -> None:
    """Among many bulls, runners are rolled again all the time.

    Even and odd faces are then equally likely at every fork.
    """
    here = dict.fromkeys(board.rows[0], Fraction(1, len(STARTS)))
    for _ in range(board.steps):
        below: dict[int, Fraction] = {}
        for space, share in here.items():
            for parity in (0, 1):
                to = way(board, space, parity)
                below[to] = below.get(to, Fraction(0)) + share / 2
        here = below
    assert set(here) == set(board.rows[-1])
    assert all(FEWEST <= share <= MOST for share in here.values())


@every_board
def test_runners_rolled_2_to_6_reach_five_different_destinations(board: Board) -> None:
    assert len({path(board, face, face % 2)[-1] for face in STARTS}) == 5


@every_board
def test_paths_of_a_board_separate_and_meet_again(board: Board) -> None:
    """From every start, several paths lead to the same destination, and many streets meet."""
    for start in board.rows[0]:
        ends = Counter(way_down[-1] for way_down in every_path(board, start))
        assert max(ends.values()) >= 2
    above = Counter(to for space in board.spaces for to in set(space.ways))
    assert sum(count > 1 for count in above.values()) >= len(board.spaces) // 3


@every_board
def test_at_least_three_destinations_can_be_reached_from_every_start(board: Board) -> None:
    within_reach = [
        len({way_down[-1] for way_down in every_path(board, start)}) for start in board.rows[0]
    ]
    assert min(within_reach) >= 3
    assert max(within_reach) == 5


@every_board
def test_streets_of_a_board_do_not_cross(board: Board) -> None:
    """If spaces are drawn row by row as listed, the streets of a space end beside those of the
    next.
    """
    for row in board.rows[:-1]:
        ways = [sorted(board.spaces[space].ways) for space in row]
        assert all(left[-1] <= right[0] for left, right in pairwise(ways))
        assert all(way[-1] - way[0] <= 1 for way in ways)


@every_board
def test_names_of_roundabouts_are_short_and_unique_on_a_board(board: Board) -> None:
    inner = [board.spaces[space] for row in board.rows[1:-1] for space in row]
    assert len({space.name for space in inner}) == len(inner)
    for space in inner:
        assert 3 <= len(space.name) <= 9
        plain = unicodedata.normalize("NFD", space.name.lower()).encode("ascii", "ignore")
        assert space.key == plain.decode()


def test_names_of_roundabouts_are_unique_across_boards() -> None:
    names = [space.name for board in BOARDS.values() for space in board.spaces if space.row]
    inner = [name for name in names if name]
    assert len(set(inner)) == len(inner)
