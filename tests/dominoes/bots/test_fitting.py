"""Lookup tables of the domino bots agree with the engine about which tiles fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.maestro import count_passes, options_of
from dominoes.bots.memory import Memory
from dominoes.bots.playout import Leaning, Player, Position
from dominoes.engine import Hand, MoveKind, Side
from tests.dominoes.bots.worlds import under_way
from tests.properties import examples


@given(under_way())
@settings(max_examples=examples(150), deadline=None)
def test_bot_tables_list_the_same_fitting_tiles_as_the_engine(hand: Hand) -> None:
    """For every rule set, each end of the train accepts the same tiles (Rulings D-4 and D-9)."""
    fitting = fit_masks_of(hand.rules)
    left, right = fitting.states(hand.ends)
    if left < 0:
        return
    held = hand.held_tiles(hand.turn or 0)
    expected = {
        (side, bit, after)
        for side, end in ((Side.LEFT, left), (Side.RIGHT, right))
        for bit, ways in fitting.ways[end].items()
        if bit & held
        for after in ways
    }
    played = [move for move in hand.legal() if move.kind is MoveKind.PLAY]
    found = set()
    for move in played:
        ends = fitting.ends_after(move, left, right)
        assert move.tile is not None
        assert move.side is not None
        found.add((move.side, 1 << move.tile, ends[0 if move.side is Side.LEFT else 1]))
    assert found == expected
    assert len(found) == len(played)


@pytest.mark.slow
@given(under_way())
@settings(max_examples=examples(150), deadline=None)
def test_bot_tables_give_the_same_ends_after_a_move_as_the_engine(hand: Hand) -> None:
    fitting = fit_masks_of(hand.rules)
    for move in hand.legal():
        after = hand.copy()
        after.play(move)
        ends = fitting.ends_after(move, *fitting.states(hand.ends))
        assert ends == fitting.states(after.ends)


@given(under_way())
@settings(max_examples=examples(100), deadline=None)
def test_bot_simulations_make_only_legal_moves(hand: Hand) -> None:
    """Each simulated turn is repeated in the engine, and both must end with the same hands (Rulings
    D-5 and D-6).
    """
    view = hand.view(hand.turn)
    for option in options_of(view):
        real, at = hand.copy(), imagined(hand)
        player = Player(hand.rules, hand.players, Leaning())
        goes_on = option.play_at(at, player.needed(at))
        real.play(option.move)
        while goes_on:
            before = at.copy()
            goes_on = player.turn(at)
            follow_turn(real, before, at)
        assert real.turn is None
        assert [real.held_tiles(seat) for seat in range(real.players)] == at.hands


def imagined(hand: Hand) -> Position:
    """Return the position that a bot would simulate if it guessed all hidden tiles correctly."""
    assert hand.turn is not None
    view = hand.view(hand.turn)
    left, right = fit_masks_of(hand.rules).states(hand.ends)
    return Position(
        [hand.held_tiles(seat) for seat in range(hand.players)],
        [1 << tile for tile in reversed(hand.boneyard)],
        left,
        right,
        hand.turn,
        count_passes(view),
        view.played,
        Memory(view).lacking[:],
    )


def follow_turn(hand: Hand, before: Position, at: Position) -> None:
    """Make the moves of one simulated turn in the engine.

    Raises `AssertionError` if no legal move has the same effect.
    """
    fitting = fit_masks_of(hand.rules)
    for _ in range(len(before.boneyard) - len(at.boneyard)):
        hand.play(next(move for move in hand.legal() if move.kind is MoveKind.DRAW))
    bit = at.played ^ before.played
    for move in hand.legal():
        ends = fitting.ends_after(move, before.left, before.right)
        tile = 0 if move.tile is None else 1 << move.tile
        if move.kind is not MoveKind.DRAW and tile == bit and ends == (at.left, at.right):
            hand.play(move)
            return
    raise AssertionError("No legal move does that.")
