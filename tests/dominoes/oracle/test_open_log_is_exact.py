"""The check of moves without known tiles is compared with all hands of a very small set."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import permutations

import pytest

from tests.dominoes.oracle.hand import (
    Hand,
    Move,
    is_dead,
    is_over,
    legal_moves,
    make_move,
    possible_leaders,
)
from tests.dominoes.oracle.open_log import could_be
from tests.dominoes.oracle.tiles import Options, all_tiles, options

Log = tuple[Move, ...]

SMALL = [
    options(highest=2, hand_size=2),
    options(highest=2, hand_size=1, set_highest_double=True),
    options(highest=2, hand_size=2, boneyard="pass", lead="highest_double"),
    options(highest=2, hand_size=2, matadors="crosswise_open"),
    options(highest=2, hand_size=2, matadors="crosswise_on_blank", boneyard="pass"),
    options(highest=2, hand_size=2, matadors="crosswise_stub", set_highest_double=True),
]


def deals(rules: Options) -> Iterator[Hand]:
    """Yield every deal to two players in which seat 0 may lead."""
    size = rules["hand_size"]
    for order in permutations(all_tiles(rules["highest"])):
        first, second = list(order[:size]), list(order[size : 2 * size])
        told_apart = first == sorted(first) and second == sorted(second)
        if told_apart and 0 in possible_leaders(rules, [first, second], [], None):
            yield Hand(rules, [first, second], list(order[2 * size :]), 0)


def whole_logs(hand: Hand) -> Iterator[Log]:
    """Yield the moves of every possible hand.

    A hand may also end as soon as no tile can be played or drawn (Ruling D-6).
    """
    if is_over(hand) or is_dead(hand):
        yield tuple(move for _, move in hand.log)
    for move in legal_moves(hand):
        further = deepcopy(hand)
        make_move(further, move)
        yield from whole_logs(further)


def near_misses(log: Log, moves: list[Move]) -> Iterator[Log]:
    """Yield the moves cut short, extended, and with one move left out, repeated or replaced."""
    for at in range(len(log)):
        yield log[:at]
        yield log[:at] + log[at + 1 :]
        yield log[: at + 1] + log[at:]
        for move in moves:
            yield (*log[:at], move, *log[at + 1 :])
    yield from ((*log, move) for move in moves)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_moves_are_accepted_exactly_if_they_are_legal_with_some_deal(rules: Options) -> None:
    legal = {log for hand in deals(rules) for log in whole_logs(hand)}
    moves = sorted({move for log in legal for move in log}, key=str)
    tried = {log for whole in sorted(legal, key=str)[::29] for log in near_misses(whole, moves)}
    assert all(could_be(rules, 2, 0, log) for log in legal)
    assert {log for log in tried if could_be(rules, 2, 0, log)} == tried & legal
    assert tried - legal
