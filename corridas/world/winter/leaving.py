"""Decides which matadors retire, and which retired matadors return."""

from __future__ import annotations

from collections.abc import Mapping

from corridas.world.winter.ages import due
from corridas.world.winter.outcome import Why
from corridas.world.winter.year import Career
from fairness import Seed

FIRST_AGE = 29
# Age at which every matador retires.
FORCED_AGE = 55
# Matadors with fewer seasons than this do not retire because of few contracts or decline.
SPARED_SEASONS = 3
# Nobody retires because of few contracts if the median number of corridas is below this.
FEW = 6
# Matadors with at least this rating are at their peak and seldom retire early.
FIGURE = 88
# Probability, in thousandths, that a star over thirty retires at the top of his career.
LEFT_WHOLE = 8
COMEBACK_YEARS = 3
COMEBACK_AGE = 45
FAMOUS = 55
OUT_OF = 1000


def reasons(career: Career, usual: int) -> dict[Why, int]:
    """Return the probability that a matador retires, for each reason, in thousandths.

    `usual` is the median number of corridas of the active matadors.
    """
    odds_by_reason = {
        Why.AGE: _age(career.age),
        Why.INJURIES: _injuries(career),
        Why.CONTRACTS: _contracts(career, usual),
        Why.DECLINE: _decline(career),
    }
    if career.card.rating < FIGURE or odds_by_reason[Why.AGE] >= OUT_OF:
        return odds_by_reason
    return {why: odds // 3 for why, odds in odds_by_reason.items()} | {
        Why.HEIGHT: LEFT_WHOLE * (career.age > 30)
    }


def leaves(career: Career, usual: int, seed: Seed) -> Why | None:
    """Return the reason for which a matador retires this winter, or None if he continues."""
    odds_by_reason = reasons(career, usual)
    chance = seed.chance(f"winter/retired/{career.slug}")
    if chance.below(OUT_OF) >= sum(odds_by_reason.values()):
        return None
    whys = list(odds_by_reason)
    return whys[chance.weighted([odds_by_reason[why] for why in whys])]


def comes_back(career: Career, seed: Seed) -> bool:
    """Return whether a retired matador returns. The probability rises with his rating."""
    if not 1 <= career.retired_for <= COMEBACK_YEARS or career.age >= COMEBACK_AGE:
        return False
    fame = 10 + 2 * max(0, career.card.rating - FAMOUS)
    return seed.chance(f"winter/returned/{career.slug}").below(OUT_OF) < fame


def usual_corridas(counts: Mapping[str, int]) -> int:
    """Return the median number of corridas of the active matadors."""
    ordered = sorted(counts.values())
    return ordered[len(ordered) // 2] if ordered else 0


def _age(age: int) -> int:
    if age + 1 >= FORCED_AGE:
        return OUT_OF
    past = max(0, age - FIRST_AGE)
    return min(900, 3 * past * past)


def _injuries(career: Career) -> int:
    """Return the probability of retirement because of injuries, in thousandths.

    It grows with age.
    """
    return max(0, career.hurt_days - 40) * max(0, career.age - 24) // 60


def _contracts(career: Career, usual: int) -> int:
    """Return the probability of retirement because of few contracts, in thousandths.

    It is at most 240, and 0 if the median is below `FEW`.
    """
    if career.seasons < SPARED_SEASONS or usual < FEW:
        return 0
    return max(0, 240 - 320 * career.count("corridas") // usual)


def _decline(career: Career) -> int:
    """Return the probability of retirement because of decline, in thousandths.

    It is above 0 if the rating has fallen well below the matador's potential.
    """
    if career.seasons < SPARED_SEASONS or career.age < FIRST_AGE:
        return 0
    return max(0, due(career.promise, 30) // 100 - career.card.rating - 6) * 6
