"""Who cuts his pigtail, and who lets it grow again."""

from __future__ import annotations

from collections.abc import Mapping

from corridas.world.winter.ages import due
from corridas.world.winter.outcome import Why
from corridas.world.winter.year import Career
from fairness import Seed

FIRST_AGE = 29
FORCED_AGE = 55
"""Nobody begins another season at this age."""
SPARED_SEASONS = 3
"""Who has fought fewer seasons is not yet judged by his contracts or his decline."""
FEW = 6
"""Where the man in the middle has no more corridas than a few, nobody is judged by his."""
FIGURE = 88
"""Rated so high a man is at the height of it, and seldom leaves before his age makes him."""
LEFT_WHOLE = 8
"""So many in a thousand figures past thirty leave while they are whole."""
COMEBACK_YEARS = 3
COMEBACK_AGE = 45
FAMOUS = 55
OUT_OF = 1000


def reasons(career: Career, usual: int) -> dict[Why, int]:
    """What speaks for leaving, in thousandths; `usual`: corridas of a man of the middle."""
    found = {
        Why.AGE: _age(career.age),
        Why.INJURIES: _injuries(career),
        Why.CONTRACTS: _contracts(career, usual),
        Why.DECLINE: _decline(career),
    }
    if career.card.rating < FIGURE or found[Why.AGE] >= OUT_OF:
        return found
    return {why: odds // 3 for why, odds in found.items()} | {
        Why.HEIGHT: LEFT_WHOLE * (career.age > 30)
    }


def leaves(career: Career, usual: int, seed: Seed) -> Why | None:
    """Why a man retires this winter, None where he goes on."""
    found = reasons(career, usual)
    chance = seed.chance(f"winter/retired/{career.slug}")
    if chance.below(OUT_OF) >= sum(found.values()):
        return None
    whys = list(found)
    return whys[chance.weighted([found[why] for why in whys])]


def comes_back(career: Career, seed: Seed) -> bool:
    """Whether a man who has retired is on the bills again; the famous are asked more often."""
    if not 1 <= career.retired_for <= COMEBACK_YEARS or career.age >= COMEBACK_AGE:
        return False
    fame = 10 + 2 * max(0, career.card.rating - FAMOUS)
    return seed.chance(f"winter/returned/{career.slug}").below(OUT_OF) < fame


def usual_corridas(counts: Mapping[str, int]) -> int:
    """The corridas of the man in the middle, of all who are active."""
    ordered = sorted(counts.values())
    return ordered[len(ordered) // 2] if ordered else 0


def _age(age: int) -> int:
    if age + 1 >= FORCED_AGE:
        return OUT_OF
    past = max(0, age - FIRST_AGE)
    return min(900, 3 * past * past)


def _injuries(career: Career) -> int:
    """A long rest tells, the more the older he is."""
    return max(0, career.hurt_days - 40) * max(0, career.age - 24) // 60


def _contracts(career: Career, usual: int) -> int:
    """Up to 240 for who hardly appears while others do."""
    if career.seasons < SPARED_SEASONS or usual < FEW:
        return 0
    return max(0, 240 - 320 * career.count("corridas") // usual)


def _decline(career: Career) -> int:
    """What a rating that has fallen far below his promise weighs, once the best years are over."""
    if career.seasons < SPARED_SEASONS or career.age < FIRST_AGE:
        return 0
    return max(0, due(career.promise, 30) // 100 - career.card.rating - 6) * 6
