"""The fee of a matador for an afternoon."""

from __future__ import annotations

from corridas.world.box_office import tables
from corridas.world.box_office.ring import Ring
from corridas.world.box_office.rounding import limited, rounded
from corridas.world.box_office.tables import Window


def fee_share(category: int, standing: int) -> int:
    """Return the normal fee of a matador, in ten-thousandths of a full house.

    `standing` is his standing on the day of the signing, without the town's memory.
    """
    standing = limited(standing, 0, tables.HIGHEST_FEE_STANDING)
    return tables.FEE_LEAST + rounded(tables.FEE_SLOPE[category] * standing**2, 10_000)


def fee(ring: Ring, standing: int, window: Window, diary: int = 0) -> int:
    """Return what a matador asks for an afternoon, in duros.

    `diary` is the number of dates for which other promoters have signed him in this season.
    """
    share = fee_share(ring.category, standing)
    return rounded(ring.full_house * share * window.value * (100 + diary), 10**8)
