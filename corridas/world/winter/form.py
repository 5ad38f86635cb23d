"""The rating of the coming season, from age and potential, the past season, and chance."""

from __future__ import annotations

from corridas.world.winter.ages import due
from corridas.world.winter.year import Career
from fairness import Seed

# The maximum change of a rating in one winter.
STEP = 8
LOWEST, HIGHEST = 20, 99
# Per cent of the difference from the due rating by which form fades in a winter.
PULL = 25
# The gain of rating for an uncommonly good season (a merit of 100), in hundredths.
SWING = 150
HURT_FREE = 30
# After a month of rest a year each further day costs this many hundredths ...
HURT_PER_DAY = 2
# ... up to this many.
HURT_MOST = 300
# Random change in hundredths, up or down.
LUCK = 100


def next_rating(career: Career, merit: int, seed: Seed) -> int:
    """Return the rating of the card for the coming season, within `STEP` of the last."""
    chance = seed.chance(f"winter/card/{career.slug}")
    move = _drawn(career) + SWING * merit // 100 - _hurt(career)
    move += chance.below(2 * LUCK + 1) - LUCK
    whole = (move + chance.below(100)) // 100
    return stepped(career.card.rating, career.card.rating + whole)


def stepped(before: int, wanted: int) -> int:
    wanted = max(LOWEST, min(HIGHEST, wanted))
    return max(before - STEP, min(before + STEP, wanted))


def _drawn(career: Career) -> int:
    """Return the effect of another year of age and of fading form, in hundredths."""
    now, then = due(career.promise, career.age), due(career.promise, career.age + 1)
    return then - now + PULL * (now - 100 * career.card.rating) // 100


def _hurt(career: Career) -> int:
    return min(HURT_MOST, HURT_PER_DAY * max(0, career.hurt_days - HURT_FREE))
