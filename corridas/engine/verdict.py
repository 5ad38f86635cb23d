"""From the points to trophy, vuelta and the crowd's verdict (rulebook, Modifying the ratings)."""

from __future__ import annotations

from corridas.engine.events import Settled, Verdict, record
from corridas.engine.kill import KillTally
from corridas.engine.ranges import HIGHEST, LOWEST
from corridas.engine.rules import BullPoints
from corridas.engine.sand import Sand
from corridas.engine.tercios import draw_hundred

BULL_SIGN: dict[BullPoints, int] = {"separate": 0, "against": -1, "for": 1}


def final_score(points: int, bull: int, kill: int, reading: BullPoints) -> int:
    """Return the score before division: matador, kill and warnings, the bull by Ruling I-11."""
    return points + kill + BULL_SIGN[reading] * bull


def divide(final: int, plaza_rating: int) -> int:
    """Divide the score by the plaza's rating 1-3, rounding towards zero (Ruling I-12)."""
    whole = abs(final) // plaza_rating
    return whole if final >= 0 else -whole


def modify(drawn: int, score: int) -> int:
    """Return the number read on the card, limited to 1 to 100 (Ruling I-13)."""
    return max(LOWEST, min(HIGHEST, drawn + score))


def settle(sand: Sand, tally: KillTally) -> Settled:
    """Add up the sheet and divide it by the plaza's rating."""
    points, bull = sand.matador_points, sand.bull_points
    final = final_score(points, bull, tally.points, sand.rules.bull_points)
    score = divide(final, sand.plaza_rating)
    entry = (points, bull, tally.modifiers, tally.avisos, final, score)
    settled = record(Settled, entry)
    sand.events.append(settled)
    return settled


def give_verdict(sand: Sand, score: int) -> Verdict:
    """Draw two cards for the final number and read the present matador's card (Ruling I-13)."""
    drawn = draw_hundred(sand, sand.script.final)
    number = modify(drawn, score)
    verdict = record(Verdict, (drawn, number, *sand.card.outcome(number)))
    sand.events.append(verdict)
    return verdict
