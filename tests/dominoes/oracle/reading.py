"""The oracle's own way of writing a hand down, for one-line tests.

`6|3` leads; `>4|5` plays 4 inward and 5 outward at the right end, `<5|4` the same tile at the left
end (as it lies); `>4+5` and `<5+4` lie across; `draw` and `pass`.
"""

from __future__ import annotations

import re

from tests.dominoes.oracle.hand import DRAW, LEFT, PASS, RIGHT, Hand, Move, legal_moves, make
from tests.dominoes.oracle.placing import Way
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, lying_flat

PLAYED = re.compile(r"([<>]?)(0|[1-9][0-9]?)([|+])(0|[1-9][0-9]?)", re.ASCII)


def tile(text: str) -> Tile:
    """`2|5`, lower half first."""
    low, high = text.replace("+", "|").split("|")
    return lying_flat((int(low), int(high)))


def tiles(text: str) -> list[Tile]:
    """`2|5 6|6`."""
    return [tile(part) for part in text.split()]


def move(text: str, rules: Options) -> Move:
    """One move of a hand under these rules: only a stub lies across with a half in line.

    Raises `ValueError` for what is no move.
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
    """A tile at an end; across, it has no half inward, save in a stub."""
    tile, side = lying_flat((first, second)), LEFT if sign == "<" else RIGHT
    if across and rules["matadors"] != "crosswise_stub":
        return Move("play", tile, side, Way(None, None, across))
    inward, outward = (first, second) if sign == ">" else (second, first)
    return Move("play", tile, side, Way(inward, outward, across))


def written(move: Move) -> str:
    """A move as text; what lies across without a half in line, lower half first."""
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
    """Which way the move points."""
    return "<" if move.side == LEFT else ">"


def dealt(rules: Options, hands: list[str], boneyard: str = "", turn: int = 0) -> Hand:
    """A hand just dealt: what the players hold, and how the boneyard begins."""
    held = [tiles(text) for text in hands]
    first = tiles(boneyard)
    used = first + [one for some in held for one in some]
    rest = [one for one in all_tiles(rules["highest"]) if one not in used]
    return Hand(rules, held, first + rest, turn)


def after(hand: Hand, moves: str) -> Hand:
    """The hand, gone on with."""
    for text in moves.split():
        make(hand, move(text, hand.rules))
    return hand


def choices(hand: Hand) -> str:
    """All legal moves, as text in order."""
    return " ".join(sorted(written(move) for move in legal_moves(hand)))
