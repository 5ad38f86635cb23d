"""A player's view of a hand, without any reference to hidden tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dominoes.engine.fits import End, fits_of
from dominoes.engine.moves import MOVES, Kind, Move, Side
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import Outcome
from dominoes.engine.tiles import TILES, bit_set, bits, domino_set
from dominoes.engine.train import LaidTile, lay_train


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
    told: list[PublicMove] = []
    ends: tuple[End, End] | None = None
    for code in codes:
        move = MOVES[code]
        told.append(PublicMove(seat, move, ends))
        if move.kind is Kind.LEAD:
            ends = fits.ends[TILES[move.tile or 0][1]], fits.ends[fits.after[code]]
        elif ends and move.tile is not None:
            new = fits.ends[fits.after[code]]
            ends = (new, ends[1]) if move.side is Side.LEFT else (ends[0], new)
        if move.kind is not Kind.DRAW:
            seat = (seat + 1) % players
    return told
