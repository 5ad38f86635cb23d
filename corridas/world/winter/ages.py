"""What years do to a matador: the share of his promise that he can show at an age."""

from __future__ import annotations

from typing import NamedTuple

from fairness import Seed

YOUNGEST = 16
FIRST_SHARES = (62, 67, 72, 77, 81, 85, 88, 91, 93, 95, 97, 99)
"""Per cent of the promise at 16, 17 ... 27; whole from 28 to 33."""
LAST_SHARES = (99, 98, 97, 95, 93, 91, 88, 85, 82, 79, 76, 73)
"""Per cent of the promise at 34, 35 ... 45; three less with every year after, 40 at least."""
PRIME = 28
PAST_PRIME = 34
LEAST_SHARE = 40

SETTLED_AGES = {
    **dict.fromkeys(range(20, 23), 3),
    **dict.fromkeys(range(23, 35), 5),
    **dict.fromkeys(range(35, 38), 3),
    **dict.fromkeys(range(38, 41), 1),
}
"""Where a roster begins: how often a man is of an age, where his rating allows it."""


class Beginning(NamedTuple):
    """How old a matador counts as when a circuit begins, and the rating he may come to."""

    age: int
    promise: int


def share(age: int) -> int:
    """Per cent of his promise that a man of that age shows, form aside."""
    if age < PRIME:
        return FIRST_SHARES[max(0, age - YOUNGEST)]
    if age < PAST_PRIME:
        return 100
    late = age - PAST_PRIME
    if late < len(LAST_SHARES):
        return LAST_SHARES[late]
    return max(LEAST_SHARE, LAST_SHARES[-1] - 3 * (late - len(LAST_SHARES) + 1))


def due(promise: int, age: int) -> int:
    """The rating that his promise and his age make due, in hundredths."""
    return promise * share(age)


def settle(slug: str, rating: int, seed: Seed) -> Beginning:
    """How a matador of a roster counts when a circuit begins, by a label of his own."""
    chance = seed.chance(f"winter/settle/{slug}")
    ages = [age for age in SETTLED_AGES if _promise(rating, age) <= 100]
    age = ages[chance.weighted([SETTLED_AGES[age] for age in ages])]
    return Beginning(age, _promise(rating, age))


def _promise(rating: int, age: int) -> int:
    """The promise that makes a rating due at an age, rounded up; 1 or more."""
    return max(1, -(-100 * rating // share(age)))
