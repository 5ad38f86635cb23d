"""The view of one seat or a watcher, and the train in it with its notation.

`(4*) 3|1 [6|3] 4|4 (3*)` is a train from left to right, with the needs of its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from dominoes.engine.fits import End, fits_of
from dominoes.engine.moves import MOVES, Kind, Move, Side
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import Outcome
from dominoes.engine.tiles import TILES, bit_set, bits, domino_set

Lie = Literal["inline", "across", "stub"]
NO_TRAIN: Final = "(any)"


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


class Train(NamedTuple):
    """A train: its tiles from left to right, and its ends, `None` if it is empty."""

    laid: tuple[LaidTile, ...]
    ends: tuple[End, End] | None

    def __str__(self) -> str:
        """Return the notation: first tile in brackets, needs of the ends in parentheses."""
        if self.ends is None:
            return NO_TRAIN
        return " ".join([str(self.ends[0]), *map(str, self.laid), str(self.ends[1])])


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


class PublicMove(NamedTuple):
    """A move as all players saw it: the seat, the move and the ends before it.

    A draw shows no tile. `ends` are `None` before the first tile.
    """

    seat: int
    move: Move
    ends: tuple[End, End] | None


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat may see, or a watcher if `seat` is `None`.

    `held`: the own tiles as a bit set, 0 for a watcher. `counts`: number of tiles by seat.
    `boneyard`: number of tiles there. `can_draw`: one may be drawn (Ruling D-5). `legal`: the
    legal moves, if it is this seat's turn. `totals`: points of each side so far. `codes`:
    every move so far, by code. `outcome`, `revealed` (every seat's tiles as bit sets, face up
    for counting): only when the hand is over.
    """

    rules: Rules
    players: int
    seat: int | None
    leader: int
    turn: int | None
    held: int
    counts: tuple[int, ...]
    boneyard: int
    can_draw: bool
    ends: tuple[End, End] | None
    legal: tuple[Move, ...]
    codes: tuple[int, ...]
    totals: tuple[int, ...]
    outcome: Outcome | None
    revealed: tuple[int, ...] | None

    @property
    def tiles(self) -> tuple[int, ...]:
        """The own tiles by number, ascending."""
        return tuple(bits(self.held))

    @property
    def train(self) -> tuple[LaidTile, ...]:
        """The train as it lies, from left to right."""
        return lay_train(self.rules, (MOVES[code] for code in self.codes))

    @property
    def played(self) -> int:
        """The tiles of the train, as a bit set."""
        moves = (MOVES[code] for code in self.codes)
        return bit_set(move.tile for move in moves if move.tile is not None)

    @property
    def unseen(self) -> int:
        """The tiles in other hands or in the boneyard, as a bit set."""
        return domino_set(self.rules.highest).all & ~(self.held | self.played)

    @property
    def log(self) -> tuple[PublicMove, ...]:
        """Every move so far with its seat and the ends it was made at."""
        return tuple(_public_moves(self.rules, self.players, self.leader, self.codes))


def _public_moves(rules: Rules, players: int, seat: int, codes: Sequence[int]) -> list[PublicMove]:
    """Return the moves with their seats and the ends before them."""
    fits = fits_of(rules.highest, rules.matadors)
    moves: list[PublicMove] = []
    ends: tuple[End, End] | None = None
    for code in codes:
        move = MOVES[code]
        moves.append(PublicMove(seat, move, ends))
        if move.kind is Kind.LEAD:
            ends = fits.ends[TILES[move.tile or 0][1]], fits.ends[fits.after[code]]
        elif ends and move.tile is not None:
            new = fits.ends[fits.after[code]]
            ends = (new, ends[1]) if move.side is Side.LEFT else (ends[0], new)
        if move.kind is not Kind.DRAW:
            seat = (seat + 1) % players
    return moves
