"""Ageing of matadors: the share of his potential that a matador reaches at each age."""

from __future__ import annotations

from typing import NamedTuple

from fairness import Seed

YOUNGEST = 16
# Percentage of the potential rating at the ages 16 to 27. From 28 to 33 it is 100.
FIRST_SHARES = (62, 67, 72, 77, 81, 85, 88, 91, 93, 95, 97, 99)
# Percentage of the potential rating at the ages 34 to 45. Later it falls by 3 a year, to 40 at
# least.
LAST_SHARES = (99, 98, 97, 95, 93, 91, 88, 85, 82, 79, 76, 73)
PRIME = 28
PAST_PRIME = 34
LEAST_SHARE = 40

# Possible ages of matadors in a new roster and their frequency. An age is only possible if the
# potential that it implies for the rating is at most 100.
SETTLED_AGES = {
    **dict.fromkeys(range(20, 23), 3),
    **dict.fromkeys(range(23, 35), 5),
    **dict.fromkeys(range(35, 38), 3),
    **dict.fromkeys(range(38, 41), 1),
}


class Beginning(NamedTuple):
    """The age of a matador at the beginning of a circuit, and his potential rating."""

    age: int
    promise: int


def share(age: int) -> int:
    """Return the percentage of his potential that a matador reaches at this age."""
    if age < PRIME:
        return FIRST_SHARES[max(0, age - YOUNGEST)]
    if age < PAST_PRIME:
        return 100
    late = age - PAST_PRIME
    if late < len(LAST_SHARES):
        return LAST_SHARES[late]
    return max(LEAST_SHARE, LAST_SHARES[-1] - 3 * (late - len(LAST_SHARES) + 1))


def due(promise: int, age: int) -> int:
    """Return the rating that a potential implies at an age, in hundredths."""
    return promise * share(age)


def draw_beginning(slug: str, rating: int, seed: Seed) -> Beginning:
    """Draw the initial age and potential of a matador. The random label contains his slug."""
    chance = seed.chance(f"winter/settle/{slug}")
    ages = [age for age in SETTLED_AGES if _promise(rating, age) <= 100]
    age = ages[chance.weighted([SETTLED_AGES[age] for age in ages])]
    return Beginning(age, _promise(rating, age))


def _promise(rating: int, age: int) -> int:
    """Return the lowest potential, at least 1, that reaches this rating at this age."""
    return max(1, -(-100 * rating // share(age)))
