"""The train as it lies, from left to right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from dominoes.engine.moves import Kind, Move, Side
from dominoes.engine.rules import Rules
from dominoes.engine.tiles import domino_set

Lie = Literal["inline", "across", "stub"]


class LaidTile(NamedTuple):
    """A tile of the train.

    `left`, `right`: its halves from left to right, for a tile across the lower one first.
    `side`: the end at which it was played, `None` for the first tile. `lie`: in line, across
    with both halves level, or across as a `stub`, with its outward half in line (Ruling D-9).
    `number`: index of the move that laid it.
    """

    tile: int
    left: int
    right: int
    side: Side | None
    lie: Lie
    number: int

    def __str__(self) -> str:
        """Return the notation: `3|1`, across `2+5`, the first tile `[6|3]`."""
        between = "+" if self.lie == "across" else "|"
        halves = f"{self.left}{between}{self.right}"
        return f"[{halves}]" if self.side is None else halves


def lay_train(rules: Rules, moves: Iterable[Move]) -> tuple[LaidTile, ...]:
    """Return the train made by these legal moves, from left to right."""
    left: list[LaidTile] = []
    right: list[LaidTile] = []
    for number, move in enumerate(moves):
        if move.tile is not None:
            arm = left if move.side is Side.LEFT else right
            arm.append(_laid_tile(rules, move, number))
    return (*reversed(left), *right)


def _laid_tile(rules: Rules, move: Move, number: int) -> LaidTile:
    tiles = domino_set(rules.highest)
    assert move.tile is not None
    low, high = tiles.tiles[move.tile]
    if move.across:
        return LaidTile(move.tile, low, high, move.side, "across", number)
    if move.kind is Kind.LEAD:
        return LaidTile(move.tile, high, low, None, "inline", number)
    stub = rules.matadors == "crosswise_stub" and tiles.is_matador(move.tile)
    outward, inward = move.outward, move.inward
    assert outward is not None
    assert inward is not None
    halves = (outward, inward) if move.side is Side.LEFT else (inward, outward)
    return LaidTile(move.tile, *halves, move.side, "stub" if stub else "inline", number)
