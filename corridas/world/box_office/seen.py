"""What a town saw of its bulls, in points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from corridas.engine import Crowd, Ending, LidiaResult, Trophy
from corridas.world.box_office.rounding import rounded

# Half points of a bull by its trophy or the crowd's verdict.
TROPHY_POINTS: Final = {Trophy.OREJA: 6, Trophy.DOS_OREJAS: 12, Trophy.RABO: 18}
CROWD_POINTS: Final = {
    Crowd.BRONCA: -6,
    Crowd.PITOS: -3,
    Crowd.SILENCIO: -1,
    Crowd.DIVISION: 0,
    Crowd.APLAUSOS: 1,
    Crowd.OVACION: 3,
}
THREE_AVISOS: Final = -8
# Half points on top of the verdict: a lap of honour without an ear, and a spared bull.
LAP: Final = 3
SPARED: Final = 8


def half_points(trophy: int | None, crowd: int | None, *, lap: bool, spared: bool = False) -> int:
    """Return the half points of a bull that was killed or spared.

    Raises `ValueError` if there is neither a trophy nor a verdict of the crowd.
    """
    if trophy:
        return TROPHY_POINTS[Trophy(trophy)] + SPARED * spared
    if crowd is None:
        raise ValueError("a bull without a trophy has a verdict of the crowd")
    return CROWD_POINTS[Crowd(crowd)] + LAP * lap + SPARED * spared


def bull_points(result: LidiaResult) -> int | None:
    """Return the half points of a bull, or None if the fight was broken off."""
    if result.ending is Ending.BROKEN_OFF:
        return None
    if result.ending is Ending.THREE_AVISOS:
        return THREE_AVISOS
    spared = result.ending is Ending.SPARED
    return half_points(result.trophy, result.crowd, lap=bool(result.vuelta), spared=spared)


def seen(points: Iterable[int | None]) -> int:
    """Return what the town saw of these bulls, in hundredths of a point per bull.

    `points` are half points; None stands for a fight that was broken off. Without bulls it is 0.
    """
    finished = [each for each in points if each is not None]
    return rounded(50 * sum(finished), len(finished)) if finished else 0
