"""Tables of powers, rounded exactly."""

from decimal import ROUND_HALF_UP, Decimal

import pytest

from corridas.world.box_office.rounding import limited, rounded
from corridas.world.box_office.tables import DRAW, PRICE_FACTOR, PULL, SEASON, Harvest, Price


@pytest.mark.parametrize(
    ("numerator", "denominator", "whole"),
    [(1, 2, 1), (-1, 2, 0), (-3, 2, -1), (3, 2, 2), (7, 3, 2), (-7, 3, -2), (0, 5, 0), (4, 10, 0)],
)
def test_halves_are_rounded_up(numerator: int, denominator: int, whole: int) -> None:
    assert rounded(numerator, denominator) == whole


def test_value_is_limited_on_both_sides() -> None:
    assert [limited(value, 0, 100) for value in (-1, 0, 50, 100, 101)] == [0, 0, 50, 100, 100]


def nearest(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))


def test_tables_are_the_rounded_powers() -> None:
    hundred, thousand = Decimal(100), Decimal(1_000)
    assert list(DRAW) == [nearest(10_000 * (n / hundred) ** Decimal("1.5")) for n in range(113)]
    assert list(PULL) == [300 + nearest(700 * (n / hundred) ** Decimal(".75")) for n in range(401)]
    assert list(SEASON) == [nearest(270 * (n / thousand) ** Decimal("1.4")) for n in range(2_281)]


def test_fixed_points_of_the_tables() -> None:
    assert (DRAW[0], DRAW[22], DRAW[100]) == (0, 1_032, 10_000)
    assert (PULL[0], PULL[100]) == (300, 1_000)
    assert (SEASON[0], SEASON[1_000]) == (0, 270)


def test_price_factors_are_powers_of_the_level() -> None:
    exponents = {Harvest.GOOD: ".58", Harvest.USUAL: ".66", Harvest.BAD: ".74"}
    for harvest, exponent in exponents.items():
        for price in Price:
            level = Decimal(price.value) / 100
            less = Decimal(".06") if price is Price.HIGH else 0
            share = level ** -(Decimal(exponent) - less)
            assert PRICE_FACTOR[harvest][price] == nearest(1_000 * share)
