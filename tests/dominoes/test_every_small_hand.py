"""The referee accepts the scoresheet of every possible hand with a double-two set."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import FinalTiles, HandSheet, judge_hand
from tests.dominoes.oracle.bare_pips import could_be_held
from tests.dominoes.oracle.hand import Hand, is_over, legal_moves, make_move
from tests.dominoes.oracle.score import score_hand
from tests.dominoes.oracle.sheets import in_ink
from tests.dominoes.oracle.test_open_log_is_exact import SMALL, deals
from tests.dominoes.oracle.tiles import Options, Tile, options, pips
from tests.dominoes.oracle.translation import engine_rules
from tests.properties import examples

Left = tuple[tuple[tuple[Tile, ...], ...], int | None]


def whole_hands(hand: Hand) -> Iterator[Hand]:
    """Yield every way to play this hand to its end."""
    if is_over(hand):
        yield hand
    for move in legal_moves(hand):
        make_move(further := deepcopy(hand), move)
        yield from whole_hands(further)


def everything_left(rules: Options) -> dict[Left, list[int]]:
    """Return the points for everything that can be left after a hand."""
    return {
        (tuple(tuple(sorted(held)) for held in over.hands), over.out): score_hand(over).points
        for dealt in deals(rules)
        for over in whole_hands(dealt)
    }


@pytest.mark.slow
@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_referee_accepts_the_remaining_tiles_of_every_possible_small_hand(rules: Options) -> None:
    """The scoresheet contains either the remaining tiles or only their pips (Ruling D-10), with and
    without the leader.

    The score must always be the same.
    """
    for (left, out), points in everything_left(rules).items():
        as_tiles = tuple(FinalTiles(tiles=in_ink(list(tiles))) for tiles in left)
        as_pips = tuple(FinalTiles(pips=pips(list(tiles))) for tiles in left)
        for leader, held in ((0, as_tiles), (None, as_tiles), (0, as_pips), (None, as_pips)):
            written = HandSheet(leader=leader, out=out, blocked=out is None, held=held)
            reading = judge_hand(engine_rules(rules), 2, written)
            assert reading.outcome, (rules, written, reading.objections)
            assert list(reading.outcome.points) == points


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(60))
@given(st.data(), st.integers(2, 6), st.sampled_from(["draw", "pass"]), st.booleans())
def test_referee_accepts_pips_exactly_as_ruling_d10_says(
    data: st.DataObject, highest: int, boneyard: str, somebody_out: bool
) -> None:
    size = data.draw(st.integers(1, min(7, (highest + 1) * (highest + 2) // 4)))
    rules = options(highest=highest, hand_size=size, boneyard=boneyard)
    figures = [data.draw(st.integers(0, 5 * highest)) for _ in range(2)]
    out = data.draw(st.integers(0, 1)) if somebody_out else None
    held = tuple(FinalTiles(pips=figure) for figure in figures)
    reading = judge_hand(engine_rules(rules), 2, HandSheet(out=out, blocked=out is None, held=held))
    assert reading.complete == could_be_held(rules, figures, out), (rules, figures, out)
