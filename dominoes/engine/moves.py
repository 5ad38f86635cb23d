"""Dominoes moves and their notation: the first tile, later tiles, drawing and passing."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from dominoes.engine.errors import NotationError
from dominoes.engine.tiles import MAX_DOUBLE, TILES, tile_number, write_tile


class MoveKind(StrEnum):
    """The kind of a move: first tile, later tile, draw or pass."""

    LEAD = "lead"
    PLAY = "play"
    DRAW = "draw"
    PASS = "pass"  # noqa: S105  a move, not a password


class Side(StrEnum):
    """The left or right end of the train."""

    LEFT = "left"
    RIGHT = "right"


class Move(NamedTuple):
    """A move of dominoes. A turn may consist of several draws and one other move.

    `tile`: the number of the tile played. `side`: the end at which it is played. `outward`: the
    half that points away from the train, `None` if the tile lies across (Ruling D-9). The same move
    can be legal in one hand and illegal in another.

    Notation: `6|3` plays the first tile (higher half to the left). `>2|5` plays a tile at the right
    end and `<5|2` at the left end, both with the 5 outward. `>2+5` lays the tile across. `draw`.
    `pass`.
    """

    kind: MoveKind
    tile: int | None = None
    side: Side | None = None
    outward: int | None = None
    across: bool = False

    @classmethod
    def lead(cls, tile: int) -> Move:
        """Return the move that plays this tile as the first tile."""
        return MOVES[LEAD_CODE + tile]

    @classmethod
    def play(cls, tile: int, side: Side, outward: int | None = None) -> Move:
        """Return the move that plays a tile at an end, with `outward` as its outer half or else
        across.

        Raises `ValueError` if the tile has no such half.
        """
        lie = _lie(tile, outward)
        return MOVES[(RIGHT_CODE if side is Side.RIGHT else LEFT_CODE) + 3 * tile + lie]

    @classmethod
    def read(cls, text: str) -> Move:
        """Parse a move in notation. Raises `NotationError`."""
        move = _BY_TEXT.get(_lower_first(text) if "+" in text else text)
        if move is None:
            raise NotationError(f"“{text}” is no move.")
        return move

    @property
    def code(self) -> int:
        """The index of the move in `MOVES`."""
        return _CODES[self]

    @property
    def inward(self) -> int | None:
        """The half of the tile that touches the train, or `None` if the move plays no tile in line
        with the train.
        """
        if self.tile is None or self.outward is None:
            return None
        low, high = TILES[self.tile]
        return low + high - self.outward

    def __str__(self) -> str:
        return _TEXTS[self.code]


PASS_CODE: Final = 0
DRAW_CODE: Final = 1
LEAD_CODE: Final = 2
LEFT_CODE: Final = LEAD_CODE + len(TILES)
RIGHT_CODE: Final = LEFT_CODE + 3 * len(TILES)
LOW_INWARD, HIGH_INWARD, ACROSS = range(3)


def _lie(tile: int, outward: int | None) -> int:
    """Return the way in which a tile lies if the half `outward` points away from the train: with
    its lower or its higher half inward, or across (None).
    """
    if outward is None:
        return ACROSS
    low, high = TILES[tile]
    if outward not in {low, high}:
        raise ValueError(f"The {write_tile(tile)} has no half {outward}.")
    return LOW_INWARD if outward == high else HIGH_INWARD


def _every_move() -> list[Move]:
    """Return all moves that are possible with any set, in the order of their codes."""
    tiles = range(len(TILES))
    moves = [
        Move(MoveKind.PASS),
        Move(MoveKind.DRAW),
        *(Move(MoveKind.LEAD, tile) for tile in tiles),
    ]
    for side in Side:
        for tile, (low, high) in enumerate(TILES):
            moves += [Move(MoveKind.PLAY, tile, side, half) for half in (high, low)]
            moves.append(Move(MoveKind.PLAY, tile, side, None, across=True))
    return moves


def _lower_first(text: str) -> str:
    """Return a move across with its lower half first, because both orders mean the same move."""
    halves = text[1:].split("+")
    return text[:1] + "+".join(sorted(halves, key=lambda half: (len(half), half)))


def _notation(move: Move) -> str:
    """Return the notation of a move, such as `>2|5`."""
    if move.tile is None:
        return str(move.kind.value)
    low, high = TILES[move.tile]
    if move.side is None:
        return f"{high}|{low}"
    if move.across:
        return f"{'<' if move.side is Side.LEFT else '>'}{low}+{high}"
    if move.side is Side.LEFT:
        return f"<{move.outward}|{move.inward}"
    return f">{move.inward}|{move.outward}"


# All moves that are possible with any set, by code.
MOVES: Final = tuple(_every_move())
# A double has two codes at an end, because its halves are equal. The first code is used.
_CODES: Final = {move: code for code, move in reversed(list(enumerate(MOVES)))}
_TEXTS: Final = tuple(map(_notation, MOVES))
_BY_TEXT: Final = {text: MOVES[_CODES[move]] for text, move in zip(_TEXTS, MOVES, strict=True)}
_HALVES: Final = re.compile(r"\s*(\d{1,2})\s*[|\-]\s*(\d{1,2})\s*", re.ASCII)


def read_tile(text: str) -> int:
    """Parse a tile such as `6|3` or `3-6` and return its number. Raises `NotationError`."""
    match = _HALVES.fullmatch(text)
    halves = [int(half) for half in match.groups()] if match else []
    if not halves or max(halves) > MAX_DOUBLE:
        raise NotationError(f"“{text}” is no tile.")
    return tile_number(*halves)
