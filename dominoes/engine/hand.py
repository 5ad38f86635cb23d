"""One hand of dominoes from the deal to its end. This is the mutable core of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from dominoes.engine.deal import Deal, deal_tiles, must_lead_with
from dominoes.engine.errors import IllegalMove
from dominoes.engine.fits import End, fits_of, reason_against_laying
from dominoes.engine.moves import (
    DRAW_CODE,
    LEAD_CODE,
    LEFT_CODE,
    MOVES,
    PASS_CODE,
    RIGHT_CODE,
    Move,
    MoveKind,
    Side,
)
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.scoring import HandOutcome, score_hand
from dominoes.engine.tiles import TILES, bits, domino_set, write_tile
from dominoes.engine.view import View

if TYPE_CHECKING:
    from fairness import Chance

BIT_OF: Final = tuple(0 if move.tile is None else 1 << move.tile for move in MOVES)


@cache
def _next_seats(players: int) -> tuple[int, ...]:
    """Return, for each seat, the seat that plays after it. Play goes to the left (Ruling D-2)."""
    return tuple((seat + 1) % players for seat in range(players))


class Hand:
    """A hand of dominoes in progress. It knows all tiles, so players only get a `view`.

    `rules`, `players`, `dealt`: the starting point. `turn`: the seat whose turn it is, `None` when
    the hand is over. `codes`: the moves so far as codes (`log` has them as `Move` objects).
    """

    __slots__ = (
        "_boneyard",
        "_free",
        "_held",
        "_leaves",
        "_left",
        "_legal",
        "_next",
        "_passes",
        "_right",
        "_spots",
        "_waiting",
        "codes",
        "dealt",
        "players",
        "rules",
        "turn",
    )

    def __init__(self, rules: Rules, dealt: Deal) -> None:
        fits = fits_of(rules.highest, rules.matadors)
        self.rules = rules
        self.dealt = dealt
        self.players = len(dealt.hands)
        self.turn: int | None = dealt.leader
        self.codes: list[int] = []
        self._held = list(dealt.hands)
        self._boneyard = list(dealt.boneyard[::-1])
        self._left = self._right = fits.nowhere
        self._spots, self._leaves = fits.spots, fits.leaves
        self._next = _next_seats(self.players)
        self._passes = 0
        self._free = rules.free_pass
        self._waiting = self._how_to_wait()
        self._legal: tuple[int, ...] | None = self._leads()

    @classmethod
    def deal(
        cls,
        rules: Rules,
        players: int,
        chance: Chance,
        leader: int | Sequence[int] | None = None,
    ) -> Hand:
        """Deal a new hand. See `deal_tiles` for the leader and errors."""
        return cls(rules, deal_tiles(rules, players, chance, leader))

    def copy(self) -> Hand:
        """Return an independent copy of the hand."""
        twin = Hand.__new__(Hand)
        for name in Hand.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.codes, twin._held = self.codes.copy(), self._held.copy()
        twin._boneyard = self._boneyard.copy()
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling the hand: its deal and its moves."""
        return _play_codes, (self.rules, self.dealt, tuple(self.codes))

    @property
    def log(self) -> tuple[Move, ...]:
        """The moves of the hand so far, as `Move` objects."""
        return tuple(MOVES[code] for code in self.codes)

    @property
    def ends(self) -> tuple[End, End] | None:
        """Return the left and the right end of the train, or `None` before the first tile."""
        return (self._left.end, self._right.end) if self.codes else None

    def held_tiles(self, seat: int) -> int:
        """Return a seat's tiles as a bit set.

        Only for referees and replays: pages must not show them.
        """
        return self._held[seat]

    @property
    def boneyard(self) -> tuple[int, ...]:
        """The tiles left to draw, in order.

        Only for referees and replays: pages must not show them.
        """
        return tuple(self._boneyard[::-1])

    @property
    def can_draw(self) -> bool:
        """Return True if the rules allow drawing and more than two tiles are left (Ruling D-5)."""
        return len(self._boneyard) > BONEYARD_RESERVE and self.rules.boneyard == "draw"

    def _how_to_wait(self) -> tuple[int, ...]:
        """Return the codes of the moves `draw` and `pass`, as far as the boneyard allows them
        (Ruling D-5).
        """
        if self.rules.free_pass:
            return (DRAW_CODE, PASS_CODE) if self.can_draw else (PASS_CODE,)
        return (DRAW_CODE,) if self.can_draw else (PASS_CODE,)

    def _leads(self) -> tuple[int, ...]:
        """Return the codes of the moves with which the hand may begin (Ruling D-3)."""
        tiles = bits(must_lead_with(self.rules, self._held[self.dealt.leader]))
        return tuple([LEAD_CODE + tile for tile in tiles])

    def legal(self) -> list[Move]:
        """Return all legal moves. Empty if the hand is over."""
        return [MOVES[code] for code in self.legal_codes()]

    def legal_codes(self) -> tuple[int, ...]:
        """Return the codes of all legal moves, in the same order as `legal` (Ruling D-5).

        Plays at the left end come first, then plays at the right end, drawing and passing.
        """
        if self._legal is not None:
            return self._legal
        if self.turn is None:
            return ()
        held, left, right = self._held[self.turn], self._left, self._right
        codes = left.left[held & left.fits] + right.right[held & right.fits]
        if self._free or not held & (left.plain | right.plain):
            codes += self._waiting
        self._legal = codes
        return codes

    def play(self, move: Move, seat: int | None = None) -> None:
        """Play a move for the seat whose turn it is.

        Raises `IllegalMove` with the reason and its ruling. The hand is then unchanged. `seat` is
        the player who makes the move: if it is given, the turn is checked too.
        """
        if seat is not None and self.turn is not None and seat != self.turn:
            raise IllegalMove("not_your_turn")
        self.play_code(move.code)

    def play_code(self, code: int) -> None:
        """Play a move by code. Raises `IndexError` for an unknown code."""
        if code not in (self._legal or self.legal_codes()):
            raise reason_against(self, MOVES[code])
        turn: int = self.turn  # type: ignore[assignment]  # not None while a move is legal
        self.codes.append(code)
        self._legal = None
        if code >= LEFT_CODE:
            if code >= RIGHT_CODE:
                self._right = self._leaves[code]
            else:
                self._left = self._leaves[code]
            self._passes = 0
            self._held[turn] = held = self._held[turn] ^ BIT_OF[code]
            self.turn = self._next[turn] if held else None
        elif code == PASS_CODE:
            self._passes += 1
            self.turn = None if self._passes == self.players else self._next[turn]
        elif code == DRAW_CODE:
            self._draw(turn)
        else:
            self._lead(turn, code)

    def _draw(self, turn: int) -> None:
        """Draw a tile for the seat whose turn it is.

        A player cannot draw if only two tiles are left in the boneyard.
        """
        self._held[turn] |= 1 << self._boneyard.pop()
        if len(self._boneyard) == BONEYARD_RESERVE:
            self._waiting = self._how_to_wait()

    def _lead(self, turn: int, code: int) -> None:
        """Play the first tile of a hand. Both its halves become ends of the train (Ruling D-4)."""
        self._right = self._leaves[code]
        self._left = self._spots[TILES[code - LEAD_CODE][1]]
        self._held[turn] = held = self._held[turn] ^ BIT_OF[code]
        self.turn = self._next[turn] if held else None

    @property
    def seat_out(self) -> int | None:
        """The seat that has no tiles left, or `None` (Ruling D-6)."""
        return self._held.index(0) if 0 in self._held else None

    @property
    def pips(self) -> tuple[int, ...]:
        """The pips that each seat holds (Ruling D-7).

        Before the end of the hand only for referees and replays, because pips are hidden from
        players.
        """
        tiles = domino_set(self.rules.highest)
        return tuple(map(tiles.pips, self._held))

    @property
    def outcome(self) -> HandOutcome | None:
        """The result of the hand, or `None` while the hand is not over."""
        if self.turn is not None:
            return None
        return score_hand(self.rules, self.pips, self.seat_out)

    def view(self, seat: int | None, totals: Sequence[int] = ()) -> View:
        """Return the part of the hand that a seat may see, or a spectator if `seat` is `None`.

        `totals` are the points of each side in the match so far. They are only displayed.
        """
        if seat is not None and not 0 <= seat < self.players:
            raise ValueError(f"There is no seat {seat}.")
        hands = tuple(self.held_tiles(other) for other in range(self.players))
        return View(
            rules=self.rules,
            players=self.players,
            seat=seat,
            leader=self.dealt.leader,
            turn=self.turn,
            held=0 if seat is None else hands[seat],
            counts=tuple(tiles.bit_count() for tiles in hands),
            boneyard=len(self.boneyard),
            can_draw=self.can_draw,
            ends=self.ends,
            legal=tuple(self.legal()) if seat is not None and seat == self.turn else (),
            codes=tuple(self.codes),
            totals=tuple(totals) or (0,) * len(self.rules.sides(self.players)),
            outcome=self.outcome,
            revealed=hands if self.turn is None else None,
        )

    def play_out(self, random: Callable[[], float]) -> None:
        """Play random legal moves to the end of the hand.

        `random` returns numbers from 0 to below 1. All moves are added to the log. For estimates,
        `random` may be a fast generator (Ruling F-3).
        """
        if not self.codes:
            leads = self.legal_codes()
            self.play_code(leads[int(random() * len(leads))])
        if self.turn is not None:
            self._play_on(self.turn, random)

    def _play_on(self, turn: int, random: Callable[[], float]) -> None:
        """Play random moves to the end of the hand. This takes half as long as calling `play_code`
        for each move.

        The method is faster because it stores the state of the hand in local variables.
        """
        held, note, leaves, following = self._held, self.codes.append, self._leaves, self._next
        left, right, passes, free = self._left, self._right, self._passes, self._free
        while passes < self.players:
            tiles = held[turn]
            codes = left.left[tiles & left.fits] + right.right[tiles & right.fits]
            if free or not tiles & (left.plain | right.plain):
                codes += self._waiting
            code = codes[int(random() * len(codes))]
            note(code)
            if code >= LEFT_CODE:
                held[turn] = tiles = tiles ^ BIT_OF[code]
                if code >= RIGHT_CODE:
                    right = leaves[code]
                else:
                    left = leaves[code]
                if not tiles:
                    break
                passes = 0
            elif code == DRAW_CODE:
                self._draw(turn)
                continue
            else:
                passes += 1
            turn = following[turn]
        self._left, self._right, self._passes = left, right, passes
        self._legal = self.turn = None


def _play_codes(rules: Rules, dealt: Deal, codes: Iterable[int]) -> Hand:
    hand = Hand(rules, dealt)
    for code in codes:
        hand.play_code(code)
    return hand


def replay_hand(
    rules: Rules,
    players: int,
    chance: Chance,
    leader: int | Sequence[int] | None,
    moves: Iterable[Move],
) -> Hand:
    """Deal a hand with these random numbers (`chance`), play these moves and return the hand.

    `leader` is as in `Hand.deal`. Raises `IllegalMove` for the first illegal move.
    """
    hand = Hand.deal(rules, players, chance, leader)
    for move in moves:
        hand.play(move)
    return hand


def reason_against(hand: Hand, move: Move) -> IllegalMove:
    """Return the reason why an illegal move is illegal."""
    if hand.turn is None:
        return IllegalMove("over")
    if move.tile is not None:
        if move.tile >= len(domino_set(hand.rules.highest)):
            return IllegalMove("no_tile")
        if not hand.held_tiles(hand.turn) >> move.tile & 1:
            return IllegalMove("not_held", tile=write_tile(move.tile))
    if hand.ends is None:
        return _against_leading(hand, hand.turn, move)
    if move.kind is MoveKind.LEAD:
        return IllegalMove("led")
    if move.kind is MoveKind.PLAY:
        return reason_against_laying(hand.rules, move, hand.ends[move.side is Side.RIGHT])
    return _against_waiting(hand, hand.turn, move, hand.ends)


def _against_leading(hand: Hand, seat: int, move: Move) -> IllegalMove:
    """Return the reason why a first move of a hand is illegal (Ruling D-3)."""
    if move.kind is not MoveKind.LEAD:
        return IllegalMove("must_lead")
    highest = must_lead_with(hand.rules, hand.held_tiles(seat))
    return IllegalMove("highest_double", tile=write_tile(highest.bit_length() - 1))


def _against_waiting(hand: Hand, seat: int, move: Move, ends: tuple[End, End]) -> IllegalMove:
    """Return the reason why drawing or passing is illegal now (Ruling D-5)."""
    tiles = domino_set(hand.rules.highest)
    plain = hand.held_tiles(seat) & (ends[0].fits | ends[1].fits) & ~tiles.matadors
    if move.kind is MoveKind.DRAW and hand.rules.boneyard == "pass":
        return IllegalMove("no_drawing")
    if plain and not hand.rules.free_pass:
        return IllegalMove("must_play", tile=write_tile(bits(plain)[0]))
    if move.kind is MoveKind.DRAW:
        return IllegalMove("boneyard_closed")
    return IllegalMove("must_draw")
