"""Proofs of impossible results are compared with all hands that the smallest set allows."""

from __future__ import annotations

from itertools import product

import pytest

from tests.dominoes.oracle.bounds import (
    pips_are_impossible,
    tiles_are_impossible,
    totals_are_impossible,
)
from tests.dominoes.oracle.small_sets import all_endings
from tests.dominoes.oracle.tiles import Options, options, pips

TABLES = [
    (options(highest=2, hand_size=2), 2),
    (options(highest=2, hand_size=3), 2),
    (options(highest=2, hand_size=2), 3),
    (options(highest=2, hand_size=1, free_pass=True), 3),
    (options(highest=2, hand_size=2, boneyard="pass", lead="highest_double"), 2),
    (options(highest=2, hand_size=2, matadors="crosswise_open"), 2),
    (options(highest=2, hand_size=2, matadors="crosswise_on_blank"), 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "players"), TABLES, ids=str)
def test_possible_remaining_tiles_and_pips_are_never_proved_impossible(
    rules: Options, players: int
) -> None:
    for left, out in all_endings(rules, players):
        held = [pips(list(tiles)) for tiles in left]
        assert tiles_are_impossible(rules, left, out) is None
        assert pips_are_impossible(rules, held, out) is None


@pytest.mark.slow
def test_almost_all_impossible_pips_of_two_players_are_proved_impossible() -> None:
    rules = options(highest=2, hand_size=2)
    can = {(tuple(pips(list(t)) for t in left), out) for left, out in all_endings(rules, 2)}
    every = list(product(product(range(13), repeat=2), (None, 0, 1)))
    open_ones = [one for one in every if one not in can and not pips_are_impossible(rules, *one)]
    assert len(open_ones) <= 3


@pytest.mark.parametrize(
    ("totals", "stands"),
    [
        ([100, 99], True),
        ([100, 100], False),
        ([99, -1], False),
        ([0, 0], True),
        ([99 + 165, 0], True),
        ([99 + 166, 0], False),
    ],
)
def test_impossible_totals_of_a_match_are_proved_impossible(
    totals: list[int], stands: bool
) -> None:
    """Two players with a double-six set can hold all tiles except two in the boneyard and the one
    led, at most 165 pips. The last hand can add these to 99 points.
    """
    assert (totals_are_impossible(options(), totals) is None) == stands
