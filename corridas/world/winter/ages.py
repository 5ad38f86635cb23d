"""Ageing of matadors: the share of his potential that a matador shows at an age."""

from __future__ import annotations

from typing import NamedTuple

from fairness import Seed

YOUNGEST = 16
# Per cent of the potential at 16, 17 ... 27; all of it from 28 to 33.
FIRST_SHARES = (62, 67, 72, 77, 81, 85, 88, 91, 93, 95, 97, 99)
# Per cent of the potential at 34, 35 ... 45; three less with every year after, 40 at least.
LAST_SHARES = (99, 98, 97, 95, 93, 91, 88, 85, 82, 79, 76, 73)
PRIME = 28
PAST_PRIME = 34
LEAST_SHARE = 40

# Ages at the beginning of a roster, with their frequency where the rating allows them.
SETTLED_AGES = {
    **dict.fromkeys(range(20, 23), 3),
    **dict.fromkeys(range(23, 35), 5),
    **dict.fromkeys(range(35, 38), 3),
    **dict.fromkeys(range(38, 41), 1),
}


class Beginning(NamedTuple):
    """The initial age of a matador in a circuit, and his potential rating."""

    age: int
    promise: int


def share(age: int) -> int:
    """Return the per cent of his potential that a man of that age shows, apart from form."""
    if age < PRIME:
        return FIRST_SHARES[max(0, age - YOUNGEST)]
    if age < PAST_PRIME:
        return 100
    late = age - PAST_PRIME
    if late < len(LAST_SHARES):
        return LAST_SHARES[late]
    return max(LEAST_SHARE, LAST_SHARES[-1] - 3 * (late - len(LAST_SHARES) + 1))


def due(promise: int, age: int) -> int:
    """Return the rating for a potential and an age, in hundredths."""
    return promise * share(age)


def settle(slug: str, rating: int, seed: Seed) -> Beginning:
    """Draw the initial age and potential of a matador, by a label of his own."""
    chance = seed.chance(f"winter/settle/{slug}")
    ages = [age for age in SETTLED_AGES if _promise(rating, age) <= 100]
    age = ages[chance.weighted([SETTLED_AGES[age] for age in ages])]
    return Beginning(age, _promise(rating, age))


def _promise(rating: int, age: int) -> int:
    """Return the potential that gives a rating at an age, rounded up; 1 or more."""
    return max(1, -(-100 * rating // share(age)))
