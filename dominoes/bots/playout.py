"""A hand played to its end in the mind: lean, because a bot does it thousands of times a move.

Every seat plays by what it holds and what has been played, never by what the others hold, so that
a playout answers what may happen, not what players with open hands would do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.engine import BONEYARD_RESERVE, Rules

NO_VALUE: Final = -1e9

Choice = tuple[float, int, int, int]
"""What a play is worth, the bit of its tile, the states of the left and the right end after it."""
PASS: Final[Choice] = (NO_VALUE, 0, 0, 0)


@dataclass(slots=True)
class Position:
    """A hand as a bot imagines it, all tiles open; changed in place by what is played on.

    `hands`: by seat, bit sets. `boneyard`: bits of tiles, the next one last. `left`, `right`:
    states of the ends (`FitMasks`). `lacking`: by seat, tiles it has shown not to hold, as a bit
    set. `passes`: in a row.
    """

    hands: list[int]
    boneyard: list[int]
    left: int
    right: int
    seat: int
    passes: int
    played: int
    lacking: list[int]

    def copy(self) -> Position:
        """The same position, to be played on apart."""
        hands, boneyard, lacking = self.hands[:], self.boneyard[:], self.lacking[:]
        left, right, seat = self.left, self.right, self.seat
        return Position(hands, boneyard, left, right, seat, self.passes, self.played, lacking)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """What a player weighs, in pips of a double-six set.

    `pips`: each pip got rid of. `matador`: what a matador is worth in hand. `answer`: each tile
    the next player may hold that fits afterwards. `drawing`: what drawing is worth as against
    playing a matador, and `boneyard`: how much more for every tile that lies there.
    """

    pips: float = 1.5
    matador: float = 18.0
    answer: float = 1.6
    drawing: float = -30.0
    boneyard: float = 1.6


class Player:
    """Plays for every seat by one leaning, under one rule set."""

    __slots__ = ("answer", "fitting", "floor", "leaning", "players", "takers", "worth")

    def __init__(self, rules: Rules, players: int, leaning: Leaning) -> None:
        self.fitting: FitMasks = fit_masks_of(rules)
        tiles = self.fitting.tiles
        self.takers = tiles.matadors
        self.players = players
        self.leaning = leaning
        scale = leaning.pips * 6 / tiles.highest
        self.worth = {1 << tile: scale * sum(halves) for tile, halves in enumerate(tiles.tiles)}
        for bit in self.worth:
            self.worth[bit] -= leaning.matador if bit & tiles.matadors else 0
        self.answer = leaning.answer * 28 / len(tiles)
        self.floor = BONEYARD_RESERVE if rules.boneyard == "draw" else len(tiles)

    def needed(self, at: Position) -> int:
        """Tiles that fit and are no matadors; none before the first tile."""
        return 0 if at.left < 0 else self.fitting.pairs[at.left][at.right]

    def play_out(self, at: Position) -> None:
        """Play a hand to its end."""
        while self.turn(at):
            pass

    def turn(self, at: Position) -> bool:
        """One turn, tiles drawn in it included; whether the hand goes on."""
        seat, hands = at.seat, at.hands
        at.seat = after = seat + 1 if seat + 1 < self.players else 0
        fits = hands[seat] & self.fitting.pairs[at.left][at.right]
        choice = self._best(at, hands[seat], fits, after) if fits else self._wait(at, seat, after)
        bit = choice[1]
        if not bit:
            at.passes += 1
            return at.passes < self.players
        hands[seat] ^= bit
        at.left, at.right = choice[2], choice[3]
        at.played |= bit
        at.passes = 0
        return hands[seat] != 0

    def _best(self, at: Position, held: int, tiles: int, after: int) -> Choice:
        """The best play of one of these tiles."""
        danger = ~(at.played | held | at.lacking[after])
        left, right = at.left, at.right
        value, bit, new = self._at_end(tiles, right, left, danger)
        if left != right:
            other = self._at_end(tiles, left, right, danger)
            if other[0] > value:
                return other[0], other[1], other[2], right
        return value, bit, left, new

    def _at_end(self, tiles: int, end: int, other: int, danger: int) -> tuple[float, int, int]:
        """The best play at one end: its worth, tile and what it leaves there."""
        ways, row = self.fitting.ways[end], self.fitting.pairs[other]
        worth, answer = self.worth, self.answer
        best, chosen, state = NO_VALUE, 0, 0
        tiles &= self.fitting.fits[end]
        while tiles:
            bit = tiles & -tiles
            tiles ^= bit
            for new in ways[bit]:
                value = worth[bit] - answer * (danger & row[new]).bit_count()
                if value > best:
                    best, chosen, state = value, bit, new
        return best, chosen, state

    def _wait(self, at: Position, seat: int, after: int) -> Choice:
        """A matador, or tiles drawn until one fits, or a pass (Ruling D-5)."""
        needed = self.fitting.pairs[at.left][at.right]
        at.lacking[seat] |= needed
        while True:
            held, choice = at.hands[seat], PASS
            takers = held & self.takers
            if takers:
                choice = self._best(at, held, takers, after)
            if not self._draw(at, seat, choice[0], needed):
                return choice
            held = at.hands[seat]
            if held & needed:
                return self._best(at, held, held & needed, after)

    def _draw(self, at: Position, seat: int, worth: float, needed: int) -> bool:
        """Draw until something comes that may be played, or what can be played is worth more."""
        boneyard, leaning = at.boneyard, self.leaning
        keep = max(self.floor, int((worth - leaning.drawing) / leaning.boneyard))
        if len(boneyard) <= keep:
            return False
        held, stop = at.hands[seat], needed | self.takers
        while len(boneyard) > keep:
            bit = boneyard.pop()
            held |= bit
            if bit & stop:
                break
        at.hands[seat] = held
        return True
