"""Rounding of fractions to whole numbers."""


def rounded(numerator: int, denominator: int) -> int:
    """Return a fraction rounded to the nearest whole number; a half is rounded up.

    This also holds for negative fractions: -1/2 gives 0. `denominator` must be above 0.
    """
    return (2 * numerator + denominator) // (2 * denominator)


def limited(value: int, low: int, high: int) -> int:
    """Return the value, or the nearer bound if it is outside `low` to `high`."""
    return max(low, min(high, value))
