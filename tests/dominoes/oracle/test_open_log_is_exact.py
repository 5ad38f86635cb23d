"""The judge of open logs against every hand there can be, with a set small enough to try all."""

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
    make,
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
    """Every deal to two players, seat 0 to lead where the rules let it."""
    size = rules["hand_size"]
    for order in permutations(all_tiles(rules["highest"])):
        first, second = list(order[:size]), list(order[size : 2 * size])
        told_apart = first == sorted(first) and second == sorted(second)
        if told_apart and 0 in possible_leaders(rules, [first, second], [], None):
            yield Hand(rules, [first, second], list(order[2 * size :]), 0)


def whole_logs(hand: Hand) -> Iterator[Log]:
    """Every way this hand can go, and where it may be called blocked at once (Ruling D-6)."""
    if is_over(hand) or is_dead(hand):
        yield tuple(move for _, move in hand.log)
    for move in legal_moves(hand):
        further = deepcopy(hand)
        make(further, move)
        yield from whole_logs(further)


def near_misses(log: Log, moves: list[Move]) -> Iterator[Log]:
    """The log cut short, gone on with, and with one move left out, doubled or replaced."""
    for at in range(len(log)):
        yield log[:at]
        yield log[:at] + log[at + 1 :]
        yield log[: at + 1] + log[at:]
        for move in moves:
            yield (*log[:at], move, *log[at + 1 :])
    yield from ((*log, move) for move in moves)


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_a_log_stands_just_when_some_deal_makes_it_legal(rules: Options) -> None:
    legal = {log for hand in deals(rules) for log in whole_logs(hand)}
    moves = sorted({move for log in legal for move in log}, key=str)
    tried = {log for whole in sorted(legal, key=str)[::29] for log in near_misses(whole, moves)}
    assert all(could_be(rules, 2, 0, log) for log in legal)
    assert {log for log in tried if could_be(rules, 2, 0, log)} == tried & legal
    assert tried - legal
