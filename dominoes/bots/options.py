"""The moves a bot compares, each once: what differs only by the end it is made at is the same."""

from __future__ import annotations

from typing import NamedTuple

from dominoes.bots.fitting import fitting_of
from dominoes.bots.playout import Position
from dominoes.engine import Kind, Move, View


class Option(NamedTuple):
    """A move, the bit of its tile (0: none), and the states of both ends after it."""

    move: Move
    bit: int
    left: int
    right: int

    def play(self, at: Position, needed: int) -> bool:
        """Make the move in an imagined hand; whether the hand goes on.

        `needed` are the tiles that fit and are no matadors.
        """
        if not self.bit:
            return self._wait(at, needed)
        at.hands[at.seat] ^= self.bit
        at.left, at.right = self.left, self.right
        at.played |= self.bit
        at.passes = 0
        goes_on = at.hands[at.seat] != 0
        at.seat = (at.seat + 1) % len(at.hands)
        return goes_on

    def _wait(self, at: Position, needed: int) -> bool:
        """Draw, or pass."""
        at.lacking[at.seat] |= needed
        if self.move.kind is Kind.DRAW:
            at.hands[at.seat] |= at.boneyard.pop()
            return True
        at.passes += 1
        at.seat = (at.seat + 1) % len(at.hands)
        return at.passes < len(at.hands)


def options(view: View) -> list[Option]:
    """The legal moves of a view; of those that lead to the same train, one."""
    fitting = fitting_of(view.rules)
    left, right = fitting.states(view.ends)
    found: dict[tuple[object, ...], Option] = {}
    for move in view.legal:
        ends = fitting.after(move, left, right)
        bit = 0 if move.tile is None else 1 << move.tile
        found.setdefault((move.kind, bit, *sorted(ends)), Option(move, bit, *ends))
    return list(found.values())


def passes(view: View) -> int:
    """How many have passed in a row since the last tile was played."""
    count = 0
    for said in reversed(view.log):
        if said.move.tile is not None:
            break
        count += said.move.kind is Kind.PASS
    return count
