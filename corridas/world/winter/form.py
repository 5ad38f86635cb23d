"""Calculates a matador's rating for the next season from age, potential, results and chance."""

from __future__ import annotations

from corridas.world.winter.ages import due
from corridas.world.winter.year import Career
from fairness import Seed

# Maximum change of a rating in one winter.
STEP = 8
LOWEST, HIGHEST = 20, 99
# Percentage by which a rating moves back in a winter towards the one implied by age and potential.
PULL = 25
# Gain of rating, in hundredths, for an unusually good season (a merit of 100).
SWING = 150
HURT_FREE = 30
# Loss of rating, in hundredths, for each day of injury beyond `HURT_FREE` in a year.
HURT_PER_DAY = 2
# Maximum loss of rating through injury, in hundredths.
HURT_MOST = 300
# Maximum random change of a rating, in hundredths, up or down.
LUCK = 100


def next_rating(career: Career, merit: int, seed: Seed) -> int:
    """Return a matador's rating for the next season.

    It differs by at most `STEP` from the last one.
    """
    chance = seed.chance(f"winter/card/{career.slug}")
    move = _drawn(career) + SWING * merit // 100 - _hurt(career)
    move += chance.below(2 * LUCK + 1) - LUCK
    whole = (move + chance.below(100)) // 100
    return stepped(career.card.rating, career.card.rating + whole)


def stepped(before: int, wanted: int) -> int:
    wanted = max(LOWEST, min(HIGHEST, wanted))
    return max(before - STEP, min(before + STEP, wanted))


def _drawn(career: Career) -> int:
    """Return how age and the return to his usual rating change a rating, in hundredths."""
    now, then = due(career.promise, career.age), due(career.promise, career.age + 1)
    return then - now + PULL * (now - 100 * career.card.rating) // 100


def _hurt(career: Career) -> int:
    return min(HURT_MOST, HURT_PER_DAY * max(0, career.hurt_days - HURT_FREE))
