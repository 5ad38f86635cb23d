"""What the end of a hand is worth to a side."""

from __future__ import annotations

from collections.abc import Iterable

from dominoes.engine import View, domino_set

POINT: float = 0.015
"""What a point of a double-six hand is worth beside winning it, which is worth 1."""


class Stakes:
    """What the end of an imagined hand is worth to whoever holds a view.

    Winning is worth 1 and losing -1 shared among those who do not win; each point adds a little,
    as far as it counts towards the target of the match (Rulings D-7 and D-8).
    """

    __slots__ = ("_mine", "_out_wins", "_pips", "_point", "_room", "_sides")

    def __init__(self, view: View) -> None:
        rules, tiles = view.rules, domino_set(view.rules.highest)
        assert view.seat is not None
        self._sides = rules.sides(view.players)
        self._mine = next(side for side, seats in enumerate(self._sides) if view.seat in seats)
        self._pips = {1 << tile: sum(halves) for tile, halves in enumerate(tiles.tiles)}
        self._out_wins = rules.out_wins
        self._point = POINT * 6 / rules.highest
        self._room = [rules.target - total for total in view.totals]

    def value(self, hands: list[int]) -> float:
        """The worth of these hands at the end: above 0 where the own side wins."""
        held = [self._count(hands[seat] for seat in seats) for seats in self._sides]
        winner = self._winner(hands, held)
        if winner < 0:
            return 0.0
        points = max(0, sum(held) - 2 * held[winner])
        worth = 1 + self._point * min(points, self._room[winner])
        return worth if winner == self._mine else -worth / (len(held) - 1)

    def _winner(self, hands: list[int], held: list[int]) -> int:
        """The side that wins; -1 on a tie."""
        if self._out_wins and 0 in hands:
            seat = hands.index(0)
            return next(side for side, seats in enumerate(self._sides) if seat in seats)
        lowest = min(held)
        return held.index(lowest) if held.count(lowest) == 1 else -1

    def _count(self, hands: Iterable[int]) -> int:
        pips, found = self._pips, 0
        for hand in hands:
            rest = hand
            while rest:
                bit = rest & -rest
                rest ^= bit
                found += pips[bit]
        return found
