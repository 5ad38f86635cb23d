"""The rating of the coming season: age and promise draw it, the season moves it, luck rounds it."""

from __future__ import annotations

from corridas.world.winter.ages import due
from corridas.world.winter.year import Career
from fairness import Seed

STEP = 8
"""No rating moves by more in one winter."""
LOWEST, HIGHEST = 20, 99
PULL = 25
"""Per cent of the way back to what is due that form fades in a winter."""
SWING = 150
"""What a season done uncommonly well (a merit of 100) lifts a rating by, in hundredths."""
HURT_FREE = 30
HURT_PER_DAY = 2
"""After a month of rest a year each further day takes so many hundredths ..."""
HURT_MOST = 300
"""... and so many at most."""
LUCK = 100
"""So many hundredths either way are nobody's doing."""


def next_rating(career: Career, merit: int, seed: Seed) -> int:
    """The rating a man is printed with for the coming season, within `STEP` of the last."""
    chance = seed.chance(f"winter/card/{career.slug}")
    move = _drawn(career) + SWING * merit // 100 - _hurt(career)
    move += chance.below(2 * LUCK + 1) - LUCK
    whole = (move + chance.below(100)) // 100
    return stepped(career.card.rating, career.card.rating + whole)


def stepped(before: int, wanted: int) -> int:
    """The rating nearest to the wanted one that a single winter can bring."""
    wanted = max(LOWEST, min(HIGHEST, wanted))
    return max(before - STEP, min(before + STEP, wanted))


def _drawn(career: Career) -> int:
    """What another year of age does, and what form fades, in hundredths."""
    now, then = due(career.promise, career.age), due(career.promise, career.age + 1)
    return then - now + PULL * (now - 100 * career.card.rating) // 100


def _hurt(career: Career) -> int:
    return min(HURT_MOST, HURT_PER_DAY * max(0, career.hurt_days - HURT_FREE))
