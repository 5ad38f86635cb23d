"""Scoring of a hand of dominoes: remaining pips, winner and points (Rulings D-6 and D-7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from dominoes.engine.rules import Rules


class HandOutcome(NamedTuple):
    """The result of a hand of dominoes.

    `out`: the seat that has no tiles left, `None` if all passed (Ruling D-6). `pips`: the pips that
    each seat holds. `side_pips`, `points`: pips and points by side. Without partners each seat is a
    side. `winner`: the winning side, `None` on a tie (Ruling D-7).
    """

    out: int | None
    pips: tuple[int, ...]
    side_pips: tuple[int, ...]
    winner: int | None
    points: tuple[int, ...]

    @property
    def ended_by(self) -> Literal["out", "blocked"]:
        """How the hand ended:

        `out` if a player has no tiles left, `blocked` if all passed (Ruling D-6).
        """
        return "blocked" if self.out is None else "out"

    @property
    def tied(self) -> bool:
        """True if several sides have the fewest pips, so nobody scores (Ruling D-7)."""
        return self.winner is None


def score_hand(rules: Rules, pips: Sequence[int], out: int | None) -> HandOutcome:
    """Return the result of a hand (Ruling D-7).

    `pips`: the pips that each seat holds. `out`: the seat that has no tiles left, if any.
    """
    seats = tuple(pips)
    sides = rules.sides(len(seats))
    held = (
        tuple([sum([seats[seat] for seat in side]) for side in sides]) if rules.partners else seats
    )
    winner = _winner(rules, sides, held, out)
    points = [0] * len(sides)
    if winner is not None:
        # With `out_wins` the winner may hold more pips than the others, so points are at least 0.
        points[winner] = max(0, sum(held) - 2 * held[winner])
    return HandOutcome(out, seats, held, winner, tuple(points))


def places_of(totals: Sequence[int]) -> list[int]:
    """Return the place of each side by points.

    Places start at 1, and tied sides share a place (Ruling D-8).
    """
    return [1 + sum(other > own for other in totals) for own in totals]


def _winner(
    rules: Rules, sides: Sequence[Sequence[int]], held: Sequence[int], out: int | None
) -> int | None:
    """Return the winning side, or `None` on a tie.

    With `out_wins` a side wins if one of its players has no tiles left. Otherwise the side with the
    fewest pips wins.
    """
    if rules.out_wins and out is not None:
        return next(side for side, seats in enumerate(sides) if out in seats)
    lowest = min(held)
    return held.index(lowest) if held.count(lowest) == 1 else None
