"""Fast simulation of a dominoes hand to its end, run thousands of times per decision.

Every simulated player uses only its own tiles and the public moves. Otherwise the simulation would
show how players behave who can see all hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.engine import BONEYARD_RESERVE, Rules

NO_VALUE: Final = -1e9

# A possible play: its value, the bit of its tile, and the states of the left and right end after
# it.
Choice = tuple[float, int, int, int]
PASS: Final[Choice] = (NO_VALUE, 0, 0, 0)


@dataclass(slots=True)
class Position:
    """An imagined dominoes hand in which all tiles are known. It is changed in place.

    `hands`: bit sets by seat. `boneyard`: bits of tiles, the next tile last. `left`, `right`:
    states of the ends (see `FitMasks`). `lacking`: by seat, tiles that it did not hold at an
    earlier turn. `passes`: successive passes.
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
        hands, boneyard, lacking = self.hands[:], self.boneyard[:], self.lacking[:]
        left, right, seat = self.left, self.right, self.seat
        return Position(hands, boneyard, left, right, seat, self.passes, self.played, lacking)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """Preferences of a simulated player, as weights in pips of a double-six set.

    `pips`: value of each pip discarded. `matador`: value of keeping a matador (wild tile).
    `answer`: cost of each fitting tile that the next player may hold. `drawing`: value of drawing
    instead of playing a matador. `boneyard`: added to `drawing` for each tile in the boneyard.
    """

    pips: float = 1.5
    matador: float = 18.0
    answer: float = 1.6
    drawing: float = -30.0
    boneyard: float = 1.6


class Player:
    """Simulated player that plays every seat with the same preferences under one rule set."""

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
        """Return the fitting tiles other than matadors as a bit set.

        Empty before the first tile.
        """
        return 0 if at.left < 0 else self.fitting.pairs[at.left][at.right]

    def play_out(self, at: Position) -> None:
        while self.turn(at):
            pass

    def turn(self, at: Position) -> bool:
        """Play one seat's turn, including its draws, and return True if the hand continues."""
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
        danger = ~(at.played | held | at.lacking[after])
        left, right = at.left, at.right
        value, bit, new = self._at_end(tiles, right, left, danger)
        if left != right:
            other = self._at_end(tiles, left, right, danger)
            if other[0] > value:
                return other[0], other[1], other[2], right
        return value, bit, left, new

    def _at_end(self, tiles: int, end: int, other: int, danger: int) -> tuple[float, int, int]:
        """Return the best play at one end of the train: its value, tile and the new state of the
        end.
        """
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
        """Return the move that a seat chooses if no tile fits, or if only matadors (wild tiles)
        fit.

        The seat plays a matador, draws until a tile fits, or passes (Ruling D-5).
        """
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
