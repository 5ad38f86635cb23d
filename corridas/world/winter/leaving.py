"""Retirement and return of matadors."""

from __future__ import annotations

from collections.abc import Mapping

from corridas.world.winter.ages import due
from corridas.world.winter.outcome import Why
from corridas.world.winter.year import Career
from fairness import Seed

FIRST_AGE = 29
# At this age every matador retires.
FORCED_AGE = 55
# With fewer seasons neither contracts nor decline count.
SPARED_SEASONS = 3
# Contracts do not count where the median matador has no more corridas than this.
FEW = 6
# With this rating a matador is at his peak and seldom retires early.
FIGURE = 88
# Of a thousand stars over thirty, how many retire at the top.
LEFT_WHOLE = 8
COMEBACK_YEARS = 3
COMEBACK_AGE = 45
FAMOUS = 55
OUT_OF = 1000


def reasons(career: Career, usual: int) -> dict[Why, int]:
    """Return the chances of retirement by reason, in thousandths; `usual` is the median of
    corridas.
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
    """Return why a man retires this winter, None where he continues."""
    odds_by_reason = reasons(career, usual)
    chance = seed.chance(f"winter/retired/{career.slug}")
    if chance.below(OUT_OF) >= sum(odds_by_reason.values()):
        return None
    whys = list(odds_by_reason)
    return whys[chance.weighted([odds_by_reason[why] for why in whys])]


def comes_back(career: Career, seed: Seed) -> bool:
    """Return whether a retired matador returns; famous ones are asked more often."""
    if not 1 <= career.retired_for <= COMEBACK_YEARS or career.age >= COMEBACK_AGE:
        return False
    fame = 10 + 2 * max(0, career.card.rating - FAMOUS)
    return seed.chance(f"winter/returned/{career.slug}").below(OUT_OF) < fame


def usual_corridas(counts: Mapping[str, int]) -> int:
    """Return the median of corridas of all active matadors."""
    ordered = sorted(counts.values())
    return ordered[len(ordered) // 2] if ordered else 0


def _age(age: int) -> int:
    if age + 1 >= FORCED_AGE:
        return OUT_OF
    past = max(0, age - FIRST_AGE)
    return min(900, 3 * past * past)


def _injuries(career: Career) -> int:
    """Return the weight of long rests, which grows with age."""
    return max(0, career.hurt_days - 40) * max(0, career.age - 24) // 60


def _contracts(career: Career, usual: int) -> int:
    """Return the weight of few contracts, up to 240 where others have many."""
    if career.seasons < SPARED_SEASONS or usual < FEW:
        return 0
    return max(0, 240 - 320 * career.count("corridas") // usual)


def _decline(career: Career) -> int:
    """Return the weight of a rating far below his potential, after his best years."""
    if career.seasons < SPARED_SEASONS or career.age < FIRST_AGE:
        return 0
    return max(0, due(career.promise, 30) // 100 - career.card.rating - 6) * 6
