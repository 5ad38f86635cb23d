"""What a season was worth, measured against what the card made one expect.

A deed is half an ear: an ear counts two, a tail and a spared bull two more, a vuelta one. Who
stands high fights in rings where ears are dear, so a man is measured against the men rated next
to him: whatever their season brought above or below their cards is the year's doing, not his.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from corridas.engine import MatadorCard, Trophy
from corridas.world.winter.year import Career

SCORES = (
    *(-51, -41, -36, -31, -28, -25, -22, -20, -18, -16),
    *(-14, -13, -11, -10, -8, -7, -5, -3, 0, 5),
)
"""The final scores of the shipped deck, one for every twentieth of all lidias of a season."""
WORTH = {Trophy.NONE: 0, Trophy.OREJA: 2, Trophy.DOS_OREJAS: 4, Trophy.RABO: 6}
_FINAL = tuple(
    Counter(
        max(1, min(100, number + score)) for score in SCORES for number in range(1, 101)
    ).items()
)
"""Every final number, and how often it comes of these scores (Ruling I-13)."""
NEAR = 8
"""So many men rated above and below are those a man is measured against."""
SPREAD = 1390
"""How far the deeds of one bull lie from the mean, in thousandths."""
KNOWN = 24
"""After so many bulls half of what is seen counts; after many more, nearly all."""
MOST = 300


def merits(careers: Sequence[Career]) -> dict[str, int]:
    """How well every man did, in hundredths: 0 as expected, 100 uncommonly well, 300 at most."""
    ranked = sorted(careers, key=lambda career: (career.card.rating, career.slug))
    surplus = [_surplus(career) for career in ranked]
    bulls = [career.count("bulls") for career in ranked]
    return {
        career.slug: _merit(surplus[place] - _usual(surplus, bulls, place), bulls[place])
        for place, career in enumerate(ranked)
    }


def deeds(career: Career) -> int:
    """What a man did in a season."""
    dear = career.count("ears") + career.count("tails") + career.count("indultos")
    return 2 * dear + career.count("vueltas")


@lru_cache(maxsize=1024)
def expected(card: MatadorCard) -> int:
    """The deeds that a card brings in a bull, in thousandths."""
    total = 0
    for number, often in _FINAL:
        trophy, vuelta, _ = card.outcome(number)
        total += often * (WORTH[trophy] + vuelta)
    return 1000 * total // (100 * len(SCORES))


def _surplus(career: Career) -> int:
    """Deeds above the card, in thousandths."""
    return 1000 * deeds(career) - career.count("bulls") * expected(career.card)


def _usual(surplus: Sequence[int], bulls: Sequence[int], place: int) -> int:
    """The surplus that so many bulls brought to those who are rated next to a man."""
    near = slice(max(0, place - NEAR), place + NEAR + 1)
    fought = sum(bulls[near])
    return sum(surplus[near]) * bulls[place] // fought if fought else 0


def _merit(surplus: int, bulls: int) -> int:
    """A surplus in thousandths of a deed as a share of what chance alone makes of so many bulls."""
    if not bulls:
        return 0
    common = SPREAD * isqrt(10_000 * bulls) // 100
    known = isqrt(10_000 * bulls // (bulls + KNOWN))
    return max(-MOST, min(MOST, surplus * known // common))
