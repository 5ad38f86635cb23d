"""Which circuit and which season a page speaks of."""

from __future__ import annotations

from typing import Final

from corridas.models import Season

SHIPPED: Final = "leyendas"
"""The circuit that comes with the site and that anyone can watch."""


def find_season(year: int | None = None, circuit: str = SHIPPED) -> Season | None:
    """The season of that year, or the latest; None where there is none; one query."""
    seasons = Season.objects.select_related("circuit").filter(circuit__slug=circuit)
    if year is not None:
        seasons = seasons.filter(year=year)
    return seasons.order_by("-year").first()


def years(circuit: str = SHIPPED) -> list[int]:
    """Years of all seasons, the latest first; one query."""
    seasons = Season.objects.filter(circuit__slug=circuit).order_by("-year")
    return list(seasons.values_list("year", flat=True))
