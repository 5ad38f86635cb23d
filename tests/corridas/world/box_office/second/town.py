"""What the town saw, asked and felt (section 4). Hundredths, unless said otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.corridas.world.box_office.second.house import HIGH, NORMAL, POPULAR
from tests.corridas.world.box_office.second.whole import between, nearest

HALVES = {
    "bronca": -6,
    "pitos": -3,
    "silencio": -1,
    "división": 0,
    "aplausos": 1,
    "ovación": 3,
    "one ear": 6,
    "two ears": 12,
    "tail": 18,
    "third aviso": -8,
}
ASKED = {POPULAR: -5, NORMAL: 0, HIGH: 6}


@dataclass(frozen=True)
class Bull:
    """A bull's one verdict (a key of `HALVES`) and what is added to that."""

    verdict: str
    lap_without_ear: bool = False
    indulto: bool = False
    broken_off: bool = False


def halves(bull: Bull) -> int:
    """Row "seen": half points of one bull."""
    points = HALVES[bull.verdict]
    if bull.lap_without_ear:
        points += 3
    if bull.indulto:
        points += 8
    return points


def shown_by(bulls: Sequence[Bull]) -> int:
    """Row "seen": R(50 sum / bulls), bulls that were broken off left out of both.

    The text does not say what no bull at all shows; this raises ZeroDivisionError.
    """
    whole = [bull for bull in bulls if not bull.broken_off]
    return nearest(Fraction(50 * sum(halves(bull) for bull in whole), len(whole)))


def asked(level: int) -> int:
    """Row "asked": what the price (85, 100 or 120 per cent) adds to the demand."""
    return ASKED[level]


def deviation_z(seen: int, par_seen: int, asked: int, sd: int) -> int:
    """Row "mood after": z; all arguments in hundredths of a point."""
    return nearest(Fraction(100 * (seen - par_seen - asked), sd))


def fade(mood: int) -> int:
    """Row "mood after": R(3 (M - 5,000)/100), to be taken off after an afternoon."""
    return nearest(Fraction(3 * (mood - 5_000), 100))


def mood_after(mood: int, z: int, missed: int) -> int:
    """Row "mood after": M after the last bull; missed is a number of men."""
    return between(0, mood - fade(mood) + 4 * z - 150 * missed, 10_000)


def mood_after_winter(mood: int) -> int:
    """Row "mood after": M - R(30 (M - 5,000)/100)."""
    return mood - nearest(Fraction(30 * (mood - 5_000), 100))


def missed(gone: Sequence[int], newcomers: Sequence[int]) -> int:
    """Row "missed": the *n here* of the men who did not come and of those not on the poster.

    Each list in any order; sorted, largest first, and compared pair by pair while both last.
    """
    gone = sorted(gone, reverse=True)
    newcomers = sorted(newcomers, reverse=True)
    count = 0
    for place in range(min(len(gone), len(newcomers))):
        if newcomers[place] < gone[place]:
            count += 1
    return count
