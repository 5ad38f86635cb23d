"""Calculates the final score and decides trophy, lap of honour and the crowd's verdict.

See the rulebook, Modifying the ratings.
"""

from __future__ import annotations

from corridas.engine.events import FinalVerdict, Settled, record
from corridas.engine.kill import KillTally
from corridas.engine.ranges import HIGHEST, LOWEST
from corridas.engine.rules import BullPoints
from corridas.engine.sand import Sand
from corridas.engine.tercios import draw_hundred

BULL_SIGN: dict[BullPoints, int] = {"separate": 0, "against": -1, "for": 1}


def final_score(points: int, bull: int, kill: int, reading: BullPoints) -> int:
    """Return the final score before division: the points of matador and kill.

    The option `reading` decides whether the bull's points are added, subtracted or ignored (Ruling
    I-11).
    """
    return points + kill + BULL_SIGN[reading] * bull


def divide(final: int, plaza_rating: int) -> int:
    """Divide the final score by the plaza's rating (1-3), rounding towards zero (Ruling I-12)."""
    whole = abs(final) // plaza_rating
    return whole if final >= 0 else -whole


def modify(drawn: int, score: int) -> int:
    """Add the score to the drawn number and limit the sum to 1 to 100 (Ruling I-13)."""
    return max(LOWEST, min(HIGHEST, drawn + score))


def settle_score(sand: Sand, tally: KillTally) -> Settled:
    """Calculate the final score, divide it by the plaza's rating, and record both as an event."""
    points, bull = sand.matador_points, sand.bull_points
    final = final_score(points, bull, tally.points, sand.rules.bull_points)
    score = divide(final, sand.plaza_rating)
    entry = (points, bull, tally.modifiers, tally.avisos, final, score)
    settled = record(Settled, entry)
    sand.events.append(settled)
    return settled


def give_verdict(sand: Sand, score: int) -> FinalVerdict:
    """Draw the final number and look up its outcome on the matador's card (Ruling I-13)."""
    drawn = draw_hundred(sand, sand.script.final)
    number = modify(drawn, score)
    verdict = record(FinalVerdict, (drawn, number, *sand.card.outcome(number)))
    sand.events.append(verdict)
    return verdict
