"""One hand, from the deal to its end: the mutable heart of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dominoes.engine.deal import Deal, deal_tiles, must_lead_with
from dominoes.engine.errors import IllegalMove
from dominoes.engine.fits import End, Fits, fits_of
from dominoes.engine.moves import (
    DRAW_CODE,
    LEAD_CODE,
    LEFT_CODE,
    MOVES,
    PASS_CODE,
    RIGHT_CODE,
    Move,
)
from dominoes.engine.refusal import reason_against
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import Outcome, settle
from dominoes.engine.tiles import TILES, bits, domino_set

if TYPE_CHECKING:
    from dominoes.engine.view import View
    from fairness import Chance

STAYING = 2
"""So many tiles stay in the boneyard (Ruling D-5)."""

BIT_OF = tuple(0 if move.tile is None else 1 << move.tile for move in MOVES)


class Hand:
    """A hand being played. It holds all tiles; players are shown a `view` and nothing else.

    `rules`, `players`, `dealt`: what it is played from. `turn`: the seat whose turn it is, `None`
    when the hand is over. `codes`: the moves so far, by their codes (`log` has them as moves).
    """

    __slots__ = (
        "_boneyard",
        "_fits",
        "_held",
        "_left",
        "_passes",
        "_right",
        "codes",
        "dealt",
        "players",
        "rules",
        "turn",
    )

    def __init__(self, rules: Rules, dealt: Deal) -> None:
        self.rules = rules
        self.dealt = dealt
        self.players = len(dealt.hands)
        self.turn: int | None = dealt.leader
        self.codes: list[int] = []
        self._fits: Fits = fits_of(rules.highest, rules.matadors)
        self._held = list(dealt.hands)
        self._boneyard = list(dealt.boneyard[::-1])
        self._left = self._right = -1
        self._passes = 0

    @classmethod
    def deal(
        cls,
        rules: Rules,
        players: int,
        chance: Chance,
        leader: int | Sequence[int] | None = None,
    ) -> Hand:
        """A hand newly dealt; see `deal_tiles` for the leader and what is refused."""
        return cls(rules, deal_tiles(rules, players, chance, leader))

    def copy(self) -> Hand:
        """Another hand in the same position, to be played on apart from this one."""
        twin = Hand.__new__(Hand)
        twin.rules, twin.dealt, twin.players = self.rules, self.dealt, self.players
        twin.turn, twin.codes, twin._fits = self.turn, self.codes.copy(), self._fits
        twin._held, twin._boneyard = self._held.copy(), self._boneyard.copy()
        twin._left, twin._right, twin._passes = self._left, self._right, self._passes
        return twin

    @property
    def log(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple(MOVES[code] for code in self.codes)

    @property
    def ends(self) -> tuple[End, End] | None:
        """The left and the right end of the train; `None` before the first tile."""
        if self._left < 0:
            return None
        return self._fits.ends[self._left], self._fits.ends[self._right]

    def held(self, seat: int) -> int:
        """The tiles a seat holds, as a bit set. For referees and replays, never for a page."""
        return self._held[seat]

    @property
    def boneyard(self) -> tuple[int, ...]:
        """The tiles left to draw, in their order. For referees and replays, never for a page."""
        return tuple(self._boneyard[::-1])

    @property
    def can_draw(self) -> bool:
        """Whether the rules let tiles be drawn, and more than two are left (Ruling D-5)."""
        return len(self._boneyard) > STAYING and self.rules.boneyard == "draw"

    def legal(self) -> list[Move]:
        """Every legal move of whose turn it is; none when the hand is over."""
        return [MOVES[code] for code in self.legal_codes()]

    def legal_codes(self) -> tuple[int, ...]:
        """The same by code, in the same order: left end, right end, draw, pass (Ruling D-5)."""
        if self.turn is None:
            return ()
        held, left, right, fits = self._held[self.turn], self._left, self._right, self._fits
        if left < 0:
            return tuple(LEAD_CODE + tile for tile in bits(must_lead_with(self.rules, held)))
        codes = fits.left[left][held & fits.fits[left]] + fits.right[right][held & fits.fits[right]]
        if self.rules.free_pass:
            return (*codes, DRAW_CODE, PASS_CODE) if self.can_draw else (*codes, PASS_CODE)
        if held & (fits.plain[left] | fits.plain[right]):
            return codes
        return (*codes, DRAW_CODE if self.can_draw else PASS_CODE)

    def play(self, move: Move, seat: int | None = None) -> None:
        """Play a move of whose turn it is; where a seat is given it must be that one.

        Raises `IllegalMove`, with the reason and the ruling that decides it; nothing is changed.
        """
        if seat is not None and self.turn is not None and seat != self.turn:
            raise IllegalMove("not_your_turn")
        code = move.code
        if code not in self.legal_codes():
            raise reason_against(self, move)
        self._apply(code)

    def play_code(self, code: int) -> None:
        """The same for the code of a move; `ValueError` where no move has it."""
        if code not in self.legal_codes():
            if not 0 <= code < len(MOVES):
                raise ValueError(f"No move has the code {code}.")
            raise reason_against(self, MOVES[code])
        self._apply(code)

    def _apply(self, code: int) -> None:
        """Play what has been found legal."""
        turn = self.turn
        assert turn is not None
        self.codes.append(code)
        if code == DRAW_CODE:
            self._held[turn] |= 1 << self._boneyard.pop()
            return
        after = (turn + 1) % self.players
        if code == PASS_CODE:
            self._passes += 1
            self.turn = None if self._passes == self.players else after
            return
        self._held[turn] ^= BIT_OF[code]
        self._passes = 0
        self._lay(code)
        self.turn = after if self._held[turn] else None

    def _lay(self, code: int) -> None:
        if code >= RIGHT_CODE:
            self._right = self._fits.after[code]
        elif code >= LEFT_CODE:
            self._left = self._fits.after[code]
        else:
            self._right, self._left = TILES[code - LEAD_CODE]

    @property
    def out(self) -> int | None:
        """The seat that has no tile left (Ruling D-6)."""
        return self._held.index(0) if 0 in self._held else None

    @property
    def pips(self) -> tuple[int, ...]:
        """What each seat holds, counted (Ruling D-7). For referees and replays before the end."""
        tiles = domino_set(self.rules.highest)
        return tuple(map(tiles.pips, self._held))

    @property
    def outcome(self) -> Outcome | None:
        """How the hand ended and what it brings; `None` while it is played."""
        if self.turn is not None:
            return None
        return settle(self.rules, self.pips, self.out)

    def view(self, seat: int | None, totals: Sequence[int] = ()) -> View:
        """All that this seat may see, or a watcher where it is `None`.

        `totals`: the points of each side in the match so far, to be shown with it.
        """
        from dominoes.engine.view import view_of

        return view_of(self, seat, totals)

    def play_out(self, random: Callable[[], float]) -> None:
        """Play to the end, each legal move as likely; `random` gives numbers from 0 below 1.

        Every move is taken from the legal ones and goes into the log. For estimates the generator
        may be a fast one (Ruling F-3).
        """
        while codes := self.legal_codes():
            self._apply(codes[int(random() * len(codes))])


def replay_hand(
    rules: Rules,
    players: int,
    chance: Chance,
    leader: int | Sequence[int] | None,
    moves: Iterable[Move],
) -> Hand:
    """The hand dealt from this chance, with these moves played; `IllegalMove` for the first
    that is refused. `leader` is as in `Hand.deal`.
    """
    hand = Hand.deal(rules, players, chance, leader)
    for move in moves:
        hand.play(move)
    return hand
