"""Distances between plazas (bullrings), and days of rest between two corridas."""

from __future__ import annotations

from datetime import date
from math import asin, cos, radians, sin, sqrt
from typing import Final

EARTH_RADIUS_KM: Final = 6371.0

# Latitude and longitude of a plaza in degrees, or None if unknown.
Place = tuple[float | None, float | None]


def distance_km(start: Place, other: Place) -> int | None:
    """Return the great-circle distance in whole kilometres, or None if a position is unknown."""
    if None in start or None in other:
        return None
    (south, west), (north, east) = (
        (radians(degrees or 0) for degrees in at) for at in (start, other)
    )
    half_chord = (
        sin((north - south) / 2) ** 2 + cos(south) * cos(north) * sin((east - west) / 2) ** 2
    )
    return round(2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, half_chord))))


def rest_days(last: date, day: date) -> int:
    """Return the number of free days between two corridas; 0 if they are on consecutive days."""
    return max(0, (day - last).days - 1)
