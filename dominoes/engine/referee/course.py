"""The public course of a hand: every move, but no hidden tile.

A player who laid a tile held it, so a move can be checked against the train alone. What
depends on the hands (whether somebody had to play) is left to `knowledge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from dominoes.engine.errors import IllegalMove, NotationError
from dominoes.engine.fits import End, fits_of
from dominoes.engine.hand import reason_against
from dominoes.engine.moves import MOVES, Kind, Move, Side
from dominoes.engine.referee.reading import Objection
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.tiles import TILES, bits, domino_set, write_tile

if TYPE_CHECKING:
    from dominoes.engine.hand import Hand


class Event(NamedTuple):
    """A move with its player and what was known before it.

    `number`: index of the move in the hand. `plain`: the fitting tiles other than matadors
    that were not laid yet. `draws`: how many tiles this seat had drawn before. `dead`: not a
    move, but the point where the hand was declared blocked, so that nobody held a fitting
    tile (`plain`: all of them).
    """

    number: int
    seat: int
    move: Move
    plain: int
    draws: int
    dead: bool = False


class Course:
    """The public state of a hand, from its moves alone.

    `turn`: the seat to move, None when the hand is over. `counts`: tiles each seat holds.
    `drawn`: tiles each has drawn. `boneyard`: tiles left there. `played`: the tiles of the
    train, as a bit set. `events`: the accepted moves. `out`: the seat without tiles.
    """

    def __init__(self, rules: Rules, players: int, leader: int) -> None:
        self.rules = rules
        self.players = players
        self.leader = leader
        self.tiles = domino_set(rules.highest)
        self.turn: int | None = leader
        self.counts = [rules.hand_size] * players
        self.drawn = [0] * players
        self.boneyard = len(self.tiles) - rules.hand_size * players
        self.played = 0
        self.events: list[Event] = []
        self.out: int | None = None
        self._fits = fits_of(rules.highest, rules.matadors)
        self._left = self._right = -1
        self._passes = 0

    @property
    def ends(self) -> tuple[End, End] | None:
        """Return the left and the right end, or None before the first tile."""
        if self._left < 0:
            return None
        return self._fits.ends[self._left], self._fits.ends[self._right]

    @property
    def over(self) -> Literal["out", "blocked"] | None:
        """Return how the hand ended, or None while it goes on (Ruling D-6)."""
        if self.turn is not None:
            return None
        return "blocked" if self.out is None else "out"

    @property
    def can_draw(self) -> bool:
        """Return True if the rules allow drawing now (Ruling D-5)."""
        return self.rules.boneyard == "draw" and self.boneyard > BONEYARD_RESERVE

    @property
    def plain(self) -> int:
        """Return the fitting tiles other than matadors, as a bit set."""
        if self._left < 0:
            return 0
        return self._fits.plain[self._left] | self._fits.plain[self._right]

    def made(self, seat: int) -> list[Event]:
        """Return the moves of one seat."""
        return [event for event in self.events if event.seat == seat]

    def held(self, _seat: int) -> int:
        """Return what a seat may hold according to the train: every tile not yet laid."""
        return self.tiles.all & ~self.played

    def plays(self, among: int | None = None) -> list[Move]:
        """Return the moves that fit now, of these tiles or of all not yet laid."""
        if self.turn is None:
            return []
        free = self.held(self.turn) if among is None else self.held(self.turn) & among
        if self._left < 0:
            return [Move.lead(tile) for tile in bits(free)]
        left, right = self._fits.left[self._left], self._fits.right[self._right]
        fits = self._fits.fits
        codes = left[free & fits[self._left]] + right[free & fits[self._right]]
        return [MOVES[code] for code in codes]

    def waits(self) -> list[Move]:
        """Return drawing and passing as far as the train allows them (Ruling D-5)."""
        if self.turn is None or self._left < 0:
            return []
        draw, passing = Move(Kind.DRAW), Move(Kind.PASS)
        if self.rules.free_pass and self.can_draw:
            return [draw, passing]
        return [draw] if self.can_draw else [passing]

    def block(self) -> None:
        """End the hand, because nobody could ever play again (Ruling D-6)."""
        fits = self._fits.fits[self._left] | self._fits.fits[self._right]
        number, passing = len(self.events), Move(Kind.PASS)
        for seat in range(self.players):
            free = fits & self.held(seat)
            self.events.append(Event(number, seat, passing, free, self.drawn[seat], dead=True))
        self.turn = None

    def add(self, text: str) -> Objection | None:
        """Apply a move in notation, or return the objection against it."""
        path = f"moves/{len(self.events)}"
        try:
            move = Move.read(text)
        except NotationError:
            return Objection(path, "no_move", {"move": text[:40]})
        if self.turn is None:
            return Objection(path, "went_on", {"move": str(move)})
        fault = self._fault(move)
        if fault is not None:
            return Objection(path, fault.code, {"seat": self.turn, **self._told(move, fault)})
        self._make(move)
        return None

    def _told(self, move: Move, fault: IllegalMove) -> dict[str, str | int]:
        """Return the params of the objection: the move, its end, and those of the reason."""
        side = {} if move.side is None else {"end_side": move.side.value}
        return {"move": str(move), **side, **fault.params}

    def _fault(self, move: Move) -> IllegalMove | None:
        """Return the reason why the train does not allow a move."""
        if move.tile is not None:
            return self._fault_of_tile(move, move.tile)
        if self._left < 0:
            return IllegalMove("must_lead")
        if move in self.waits():
            return None
        if move.kind is Kind.PASS:
            return IllegalMove("must_draw")
        code = "no_drawing" if self.rules.boneyard == "pass" else "boneyard_closed"
        return IllegalMove(code)

    def _fault_of_tile(self, move: Move, tile: int) -> IllegalMove | None:
        if tile >= len(self.tiles):
            return IllegalMove("no_tile", tile=write_tile(tile))
        if self.played >> tile & 1:
            return _TileTwiceError(write_tile(tile))
        if move in self.plays(1 << tile):
            return None
        # the engine asks a hand for its rules, turn, ends and tiles: the train tells them all
        return reason_against(cast("Hand", self), move)

    def _make(self, move: Move) -> None:
        seat = self.turn
        assert seat is not None
        plain = self.plain & self.held(seat)
        event = Event(len(self.events), seat, move, plain, self.drawn[seat])
        self.events.append(event)
        if move.kind is Kind.DRAW:
            self.counts[seat] += 1
            self.drawn[seat] += 1
            self.boneyard -= 1
            return
        self.turn = (seat + 1) % self.players
        if move.kind is Kind.PASS:
            self._passes += 1
            self.turn = None if self._passes == self.players else self.turn
            return
        self._lay(seat, move)

    def _lay(self, seat: int, move: Move) -> None:
        assert move.tile is not None
        self.played |= 1 << move.tile
        self._passes = 0
        self.counts[seat] -= 1
        if move.side is None:
            self._right, self._left = TILES[move.tile]
        elif move.side is Side.LEFT:
            self._left = self._fits.after[move.code]
        else:
            self._right = self._fits.after[move.code]
        if not self.counts[seat]:
            self.turn, self.out = None, seat


class _TileTwiceError(IllegalMove):
    """A tile is already in the train (Ruling D-1)."""

    def __init__(self, tile: str) -> None:
        super().__init__("no_tile", tile=tile)
        self.code = "played_twice"


def follow_moves(
    rules: Rules, players: int, leader: int, moves: Sequence[str]
) -> tuple[Course, Objection | None]:
    """Follow moves until one is wrong. Return the course and the objection."""
    course = Course(rules, players, leader)
    for text in moves:
        fault = course.add(text)
        if fault is not None:
            return course, fault
    return course, None
