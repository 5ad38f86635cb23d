"""The end of a hand: remaining pips, winner and points (Rulings D-6 and D-7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from dominoes.engine.rules import Rules


class Outcome(NamedTuple):
    """The result of a hand.

    `out`: the seat without tiles, `None` if all passed (Ruling D-6). `pips`: what each seat
    held. `side_pips`, `points`: by side. Without partners each seat is a side. `winner`: the
    winning side, `None` on a tie (Ruling D-7).
    """

    out: int | None
    pips: tuple[int, ...]
    side_pips: tuple[int, ...]
    winner: int | None
    points: tuple[int, ...]

    @property
    def ended(self) -> Literal["out", "blocked"]:
        """`out` if a player went out, `blocked` if all passed (Ruling D-6)."""
        return "blocked" if self.out is None else "out"

    @property
    def tied(self) -> bool:
        """True if the lowest are equal, so nobody scores (Ruling D-7)."""
        return self.winner is None


def settle(rules: Rules, pips: Sequence[int], out: int | None) -> Outcome:
    """Return the result from the pips of each seat and who went out (Ruling D-7)."""
    seats = tuple(pips)
    sides = rules.sides(len(seats))
    held = (
        tuple([sum([seats[seat] for seat in side]) for side in sides]) if rules.partners else seats
    )
    winner = _winner(rules, sides, held, out)
    points = [0] * len(sides)
    if winner is not None:
        # a side that went out may hold more than the others (`out_wins`): never below 0
        points[winner] = max(0, sum(held) - 2 * held[winner])
    return Outcome(out, seats, held, winner, tuple(points))


def places_of(totals: Sequence[int]) -> list[int]:
    """Return each side's place by points, from 1, shared by equals (Ruling D-8)."""
    return [1 + sum(other > own for other in totals) for own in totals]


def _winner(
    rules: Rules, sides: Sequence[Sequence[int]], held: Sequence[int], out: int | None
) -> int | None:
    """Return the winning side: who went out if that wins, or else the single lowest."""
    if rules.out_wins and out is not None:
        return next(side for side, seats in enumerate(sides) if out in seats)
    lowest = min(held)
    return held.index(lowest) if held.count(lowest) == 1 else None
