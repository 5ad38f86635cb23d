"""The two ways in which the text makes a whole number: R(a/b), and a table of real powers."""

from fractions import Fraction
from functools import cache


def nearest(value: int | Fraction) -> int:
    """R of the text: the nearest whole number, halves up (also below zero: -1/2 gives 0)."""
    a = value.numerator
    b = value.denominator
    return (2 * a + b) // (2 * b)


def between(low: int, value: int, high: int) -> int:
    """The value, "limited to low-high"."""
    if value < low:
        return low
    if value > high:
        return high
    return value


@cache
def power(scale: int, base: Fraction, up: int, root: int) -> int:
    """Scale x base^(up/root), a real power, plus a half, rounded down.

    The answer is the largest m with m - 1/2 <= scale x base^(up/root). Both sides are raised to
    the power `root`, which leaves whole numbers only; m is found by bisection.
    """
    right = (2 * scale) ** root * base.numerator**up
    divisor = base.denominator**up
    fits = 0
    too_large = 1
    while (2 * too_large - 1) ** root * divisor <= right:
        too_large *= 2
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        if (2 * middle - 1) ** root * divisor <= right:
            fits = middle
        else:
            too_large = middle
    return fits
