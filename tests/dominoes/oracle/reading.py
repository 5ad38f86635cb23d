"""A compact notation for hands of dominoes in tests of the oracle.

`6|3` leads. `>4|5` plays a tile at the right end with the 4 inward and the 5 outward. `<5|4` plays
the same tile at the left end. `>4+5` and `<5+4` lie across. The other moves are `draw` and `pass`.
"""

from __future__ import annotations

import re

from tests.dominoes.oracle.hand import DRAW, LEFT, PASS, RIGHT, Hand, Move, legal_moves, make_move
from tests.dominoes.oracle.placing import TilePlacement
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, lying_flat

PLAYED = re.compile(r"([<>]?)(0|[1-9][0-9]?)([|+])(0|[1-9][0-9]?)", re.ASCII)


def tile(text: str) -> Tile:
    """Parse a tile such as `5|2`; its lower half comes first in the result."""
    low, high = text.replace("+", "|").split("|")
    return lying_flat((int(low), int(high)))


def tiles(text: str) -> list[Tile]:
    """Parse tiles separated by spaces, such as `2|5 6|6`."""
    return [tile(part) for part in text.split()]


def move(text: str, rules: Options) -> Move:
    """Parse a move of a hand under these rules.

    Only under `crosswise_stub` does a tile across have a half in line. Raises `ValueError` for text
    that is not a move.
    """
    if text in ("draw", "pass"):
        return DRAW if text == "draw" else PASS
    parts = PLAYED.fullmatch(text)
    if not parts:
        raise ValueError(text)
    sign, first, mark, second = parts[1], int(parts[2]), parts[3], int(parts[4])
    if sign:
        return played(sign, first, second, across=mark == "+", rules=rules)
    if mark == "+":
        raise ValueError(text)
    return Move("lead", (first, second))


def played(sign: str, first: int, second: int, *, across: bool, rules: Options) -> Move:
    """Return the move that plays a tile at an end.

    A tile across has no inward half, except under `crosswise_stub`.
    """
    tile, side = lying_flat((first, second)), LEFT if sign == "<" else RIGHT
    if across and rules["matadors"] != "crosswise_stub":
        return Move("play", tile, side, TilePlacement(None, None, across))
    inward, outward = (first, second) if sign == ">" else (second, first)
    return Move("play", tile, side, TilePlacement(inward, outward, across))


def move_text(move: Move) -> str:
    """Return a move as text.

    A tile across without a half in line is written with its lower half first.
    """
    if move.tile is None:
        return move.kind
    if move.kind == "lead" or move.way is None:
        return f"{move.tile[0]}|{move.tile[1]}"
    inward, outward, across = move.way
    if inward is None or outward is None:
        return f"{sign(move)}{move.tile[0]}+{move.tile[1]}"
    first, second = (outward, inward) if move.side == LEFT else (inward, outward)
    return f"{sign(move)}{first}{'+' if across else '|'}{second}"


def sign(move: Move) -> str:
    """Return the sign of the end at which the tile is played: `<` for left, `>` for right."""
    return "<" if move.side == LEFT else ">"


def dealt(rules: Options, hands: list[str], boneyard: str = "", turn: int = 0) -> Hand:
    """Return a newly dealt hand: the tiles of each player, and the first tiles of the boneyard."""
    held = [tiles(text) for text in hands]
    first = tiles(boneyard)
    used = first + [one for some in held for one in some]
    rest = [one for one in all_tiles(rules["highest"]) if one not in used]
    return Hand(rules, held, first + rest, turn)


def hand_after(hand: Hand, moves: str) -> Hand:
    """Make these moves and return the hand."""
    for text in moves.split():
        make_move(hand, move(text, hand.rules))
    return hand


def choices(hand: Hand) -> str:
    """Return all legal moves as text in sorted order."""
    return " ".join(sorted(move_text(move) for move in legal_moves(hand)))
