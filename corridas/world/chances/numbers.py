"""Probabilities of a number formed by two cards (Rulings I-1 and I-2)."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, product
from math import comb, perm, prod
from typing import Final

from corridas.engine import DECK_SIZE, HIGHEST, LOWEST, STROKES, Range

_DIGITS = 10
_COPIES = DECK_SIZE // _DIGITS


def _split(number: int) -> tuple[int, int]:
    """Return the tens and the units. Those of 100 are 0 and 0 (Ruling I-2)."""
    return divmod(number % HIGHEST, _DIGITS)


def _probability(number: int) -> float:
    """Return the probability of a number from 1 to 100."""
    tens, units = _split(number)
    second = _COPIES - 1 if tens == units else _COPIES
    return _COPIES * second / (DECK_SIZE * (DECK_SIZE - 1))


# `UP_TO[n]` is the probability of a number from 1 to n.
UP_TO: Final = tuple(accumulate(map(_probability, range(LOWEST, HIGHEST + 1)), initial=0.0))


def in_range(extent: Range) -> float:
    """Return the probability that a number is in the range."""
    return UP_TO[extent.high] - UP_TO[extent.low - 1] if extent.size else 0.0


@lru_cache(maxsize=256)
def hits(extent: Range) -> tuple[float, ...]:
    """Return the probabilities that none, one, and so on of five numbers are in the range.

    The numbers are those of the five strokes, which are drawn from one deck without replacement.
    A card that has led into the range is gone, so the next number is less likely to be in it. This
    decrease is exact for the second number, and assumed to be the same for each further number.
    """
    first = in_range(extent)
    decrease = first - _both(extent) / first if first else 0.0
    # The probability that a given choice of k numbers is in the range, times the choices.
    chosen = [
        comb(STROKES, size) * prod(max(0.0, first - decrease * place) for place in range(size))
        for size in range(STROKES + 1)
    ]
    return tuple(max(0.0, _exactly(count, chosen)) for count in range(STROKES + 1))


def _exactly(count: int, chosen: list[float]) -> float:
    """Return the probability of exactly so many numbers, by inclusion and exclusion."""
    return sum(
        (-1 if (size - count) % 2 else 1) * comb(size, count) * chosen[size]
        for size in range(count, STROKES + 1)
    )


def _both(extent: Range) -> float:
    """Return the probability that two numbers from one deck are both in the range."""
    digits = [_split(number) for number in range(extent.low, extent.high + 1)]
    drawn = 0
    for first, second in product(digits, digits):
        cards = (*first, *second)
        drawn += prod(_COPIES - cards[:place].count(digit) for place, digit in enumerate(cards))
    return drawn / perm(DECK_SIZE, 4)
