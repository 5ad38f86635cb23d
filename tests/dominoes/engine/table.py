"""Hands laid out for a test: tiles in notation, no more of the set than the case needs."""

from __future__ import annotations

from typing import Any

from dominoes.engine import Deal, Hand, Move, Rules, read_tile


def tiles(text: str) -> list[int]:
    """Tiles in notation, by number."""
    return [read_tile(tile) for tile in text.split()]


def table(
    hands: str, moves: str = "", face_down: str = "", *, leader: int = 0, **options: Any
) -> Hand:
    """A hand in which the seats hold these tiles, with these moves played.

    `face_down` is the boneyard, in the order in which it is drawn.
    """
    dealt = Deal.of([tiles(held) for held in hands.split("/")], tiles(face_down), leader)
    hand = Hand(Rules(**options), dealt)
    for move in moves.split():
        hand.play(Move.read(move))
    return hand


def legal(hand: Hand) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in hand.legal()}


def over(hand: Hand) -> bool:
    """Whether the hand is over."""
    return hand.turn is None
