"""Short ways to create a hand of dominoes for a test, with only the tiles that the test needs."""

from __future__ import annotations

from typing import Any

from dominoes.engine import Deal, Hand, Move, Rules, read_tile


def tiles(text: str) -> list[int]:
    """Return the numbers of these tiles, given in notation (such as `6|3 5|5`)."""
    return [read_tile(tile) for tile in text.split()]


def table(
    hands: str, moves: str = "", face_down: str = "", *, leader: int = 0, **options: Any
) -> Hand:
    """Return a hand in which the seats hold these tiles, after these moves.

    The hands are separated by slashes. `face_down` is the boneyard in drawing order.
    """
    dealt = Deal.of([tiles(held) for held in hands.split("/")], tiles(face_down), leader)
    hand = Hand(Rules(**options), dealt)
    for move in moves.split():
        hand.play(Move.read(move))
    return hand


def legal(hand: Hand) -> set[str]:
    """Return all legal moves in notation."""
    return {str(move) for move in hand.legal()}


def is_over(hand: Hand) -> bool:
    """Return whether the hand is over."""
    return hand.turn is None
