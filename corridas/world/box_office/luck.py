"""What chance decides for a box office: the harvest, the rain, and how many people come.

All are drawn from the season's seed, with a label for each plaza and day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from corridas.world.box_office.ring import rain_odds
from corridas.world.box_office.tables import Harvest
from fairness import Seed

_LEAST_CHANCE = 850
_PART = 151


@dataclass(frozen=True, slots=True)
class Luck:
    """What chance decides about a house: `chance` in thousandths (850 to 1,150), and rain."""

    chance: int
    rain: bool


def draw_harvest(seed: Seed, plaza: str) -> Harvest:
    """Draw the harvest of a plaza's town. `plaza` is its slug."""
    return Harvest(seed.chance(f"harvest/{plaza}").below(len(Harvest)))


def draw_luck(seed: Seed, day: dt.date, plaza: str) -> Luck:
    """Draw the chance and the rain of an afternoon. `plaza` is its slug."""
    drawn = seed.chance(f"house/{day.isoformat()}/{plaza}")
    chance = _LEAST_CHANCE + drawn.below(_PART) + drawn.below(_PART)
    rain = seed.chance(f"rain/{day.isoformat()}/{plaza}").below(100) < rain_odds(day)
    return Luck(chance, rain)
