"""The part of a hand of dominoes that a seat or a spectator may see, with the train of tiles.

Trains have a notation: `(4*) 3|1 [6|3] 4|4 (3*)` is a train from left to right. The numbers in
parentheses are needed at its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from dominoes.engine.fits import End, fits_of
from dominoes.engine.moves import MOVES, Move, MoveKind, Side
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import HandOutcome
from dominoes.engine.tiles import TILES, bit_set, bits, domino_set

Lie = Literal["inline", "across", "stub"]
NO_TRAIN: Final = "(any)"


class LaidTile(NamedTuple):
    """A tile in the train.

    `left`, `right`: its halves from left to right, or the lower half first if the tile lies across.
    `side`: the end at which it was played, `None` for the first tile. `lie`: `inline`, `across`
    with the train through its middle, or `stub`: across with only the outward half in line (Ruling
    D-9). `number`: index of the move that played the tile.
    """

    tile: int
    left: int
    right: int
    side: Side | None
    lie: Lie
    number: int

    def __str__(self) -> str:
        """Return the tile in notation:

        `3|1`, `2+5` if it lies across, `[6|3]` for the first tile.
        """
        between = "+" if self.lie == "across" else "|"
        halves = f"{self.left}{between}{self.right}"
        return f"[{halves}]" if self.side is None else halves


class Train(NamedTuple):
    """A train of dominoes: its tiles from left to right, and its ends (`None` if it is empty)."""

    laid: tuple[LaidTile, ...]
    ends: tuple[End, End] | None

    def __str__(self) -> str:
        """Return the train in notation.

        The first tile is in brackets. The numbers that the ends need are in parentheses.
        """
        if self.ends is None:
            return NO_TRAIN
        return " ".join([str(self.ends[0]), *map(str, self.laid), str(self.ends[1])])


def lay_train(rules: Rules, moves: Iterable[Move]) -> tuple[LaidTile, ...]:
    """Return the train that results from these legal moves, as tiles from left to right."""
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
    if move.kind is MoveKind.LEAD:
        return LaidTile(move.tile, high, low, None, "inline", number)
    stub = rules.matadors == "crosswise_stub" and tiles.is_matador(move.tile)
    outward, inward = move.outward, move.inward
    assert outward is not None
    assert inward is not None
    halves = (outward, inward) if move.side is Side.LEFT else (inward, outward)
    return LaidTile(move.tile, *halves, move.side, "stub" if stub else "inline", number)


class PublicMove(NamedTuple):
    """A move as all players saw it: the seat, the move, and the ends of the train before it.

    A draw shows no tile. `ends` is `None` before the first tile.
    """

    seat: int
    move: Move
    ends: tuple[End, End] | None


@dataclass(frozen=True, slots=True)
class View:
    """The part of a hand that a seat may see, or a spectator if `seat` is `None`.

    `held`: the seat's own tiles as a bit set, 0 for a spectator. `counts`: number of tiles by seat.
    `boneyard`: number of tiles in the boneyard. `can_draw`: True if the rules allow drawing now
    (Ruling D-5). `legal`: the legal moves, if it is this seat's turn. `totals`: points of each side
    in the match. `codes`: codes of all moves so far. `outcome`, `revealed` (every seat's tiles as
    bit sets): `None` until the hand is over.
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
    outcome: HandOutcome | None
    revealed: tuple[int, ...] | None

    @property
    def tiles(self) -> tuple[int, ...]:
        """The seat's own tiles by number, ascending."""
        return tuple(bits(self.held))

    @property
    def train(self) -> tuple[LaidTile, ...]:
        """The tiles of the train from left to right."""
        return lay_train(self.rules, (MOVES[code] for code in self.codes))

    @property
    def played(self) -> int:
        """The tiles of the train, as a bit set."""
        moves = (MOVES[code] for code in self.codes)
        return bit_set(move.tile for move in moves if move.tile is not None)

    @property
    def unseen(self) -> int:
        """The tiles that are in other hands or in the boneyard, as a bit set."""
        return domino_set(self.rules.highest).all & ~(self.held | self.played)

    @property
    def log(self) -> tuple[PublicMove, ...]:
        """All moves so far, each with its seat and the ends of the train before the move."""
        return tuple(_public_moves(self.rules, self.players, self.leader, self.codes))


def _public_moves(rules: Rules, players: int, seat: int, codes: Sequence[int]) -> list[PublicMove]:
    """Return the moves with their seats and the ends of the train before each move."""
    fits = fits_of(rules.highest, rules.matadors)
    moves: list[PublicMove] = []
    ends: tuple[End, End] | None = None
    for code in codes:
        move = MOVES[code]
        moves.append(PublicMove(seat, move, ends))
        if move.kind is MoveKind.LEAD:
            ends = fits.ends[TILES[move.tile or 0][1]], fits.ends[fits.after[code]]
        elif ends and move.tile is not None:
            new = fits.ends[fits.after[code]]
            ends = (new, ends[1]) if move.side is Side.LEFT else (ends[0], new)
        if move.kind is not MoveKind.DRAW:
            seat = (seat + 1) % players
    return moves
