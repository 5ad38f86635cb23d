"""Distances and rest days between plazas, and plausible coordinates of the shipped plazas."""

import datetime as dt

import pytest

from corridas.simulation.new_circuit import shipped
from corridas.world.distance import distance_km, rest_days

# Latitudes and longitudes of each mainland: south, north, west, east, with a margin of about ten
# kilometres.
BOXES = {
    "ES": (35.9, 43.9, -9.4, 3.4),
    "FR": (42.3, 51.2, -4.9, 8.3),
    "PT": (36.9, 42.2, -9.6, -6.1),
    "MX": (14.5, 32.8, -117.2, -86.6),
    "PE": (-18.4, 0.0, -81.4, -68.6),
    "EC": (-5.1, 1.5, -81.1, -75.1),
    "CO": (-4.3, 12.6, -79.1, -66.8),
    "VE": (0.6, 12.3, -73.4, -59.7),
}


@pytest.mark.parametrize("plaza", shipped().plazas, ids=lambda plaza: plaza.slug)
def test_coordinates_of_shipped_plazas_are_in_their_country(plaza: object) -> None:
    south, north, west, east = BOXES[plaza.country]  # type: ignore[attr-defined]
    assert south <= plaza.latitude <= north  # type: ignore[attr-defined]
    assert west <= plaza.longitude <= east  # type: ignore[attr-defined]


def test_no_two_shipped_plazas_have_the_same_coordinates() -> None:
    places = [(plaza.latitude, plaza.longitude) for plaza in shipped().plazas]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("las-ventas", "la-maestranza", 385, 395),
        ("las-ventas", "valencia", 295, 310),
        ("nimes", "arles", 20, 35),
        ("las-ventas", "plaza-mexico", 9_000, 9_120),
        ("acho", "inaquito", 1_300, 1_350),
        ("jerez", "el-puerto", 10, 20),
        ("ronda", "ronda", 0, 0),
    ],
)
def test_distances_between_plazas_match_known_ones(
    one: str, other: str, low: int, high: int
) -> None:
    at = {plaza.slug: (plaza.latitude, plaza.longitude) for plaza in shipped().plazas}
    there = distance_km(at[one], at[other])
    assert there is not None
    assert low <= there <= high
    assert there == distance_km(at[other], at[one])


@pytest.mark.parametrize("unknown", [(None, None), (None, 1.0), (1.0, None)])
def test_distance_to_unknown_coordinates_is_none(
    unknown: tuple[float | None, float | None],
) -> None:
    assert distance_km(unknown, (40.0, -3.0)) is None
    assert distance_km((40.0, -3.0), unknown) is None


def test_longest_distance_is_half_the_circumference_of_the_earth() -> None:
    assert distance_km((90, 0), (-90, 0)) == 20_015
    assert distance_km((0, -180), (0, 180)) == 0


@pytest.mark.parametrize(("days", "rest"), [(0, 0), (1, 0), (2, 1), (3, 2), (30, 29)])
def test_rest_days_are_the_days_between_two_dates(days: int, rest: int) -> None:
    day = dt.date(2027, 5, 1)
    assert rest_days(day, day + dt.timedelta(days)) == rest
