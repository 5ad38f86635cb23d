"""Draws the encierro: the herd and the six bulls of a corrida."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from corridas.engine import BULLS
from fairness import Chance

# A spared bull (sire) has its first four-year-old sons this many years after it was spared.
FIRST_SONS: Final = 5
# It has its last sons this many years after it was spared.
LAST_SONS: Final = 14
# In a herd with sires, one bull in this many is the son of a sire.
SHARE: Final = 2


def fathers(sires: Sequence[int], bulls: int, chance: Chance) -> list[int | None]:
    """Draw the father of each bull: one of these sires (spared bulls) with equal chances, or None.

    None means that the bull is not the son of a sire.
    """
    if not sires:
        return [None] * bulls
    return [None if chance.below(SHARE) else chance.pick(sires) for _ in range(bulls)]


# Branding numbers of a herd's bulls in one year run from 1 to this number.
HIGHEST_NUMBER = 399

# Exponent applied to a herd's renown, by category of plaza. A higher exponent favours famous herds.
RENOWN = {1: 3, 2: 1, 3: 0}
# A herd that has supplied the bulls of this many corridas in a year is less likely to supply more.
BUSY_HERD = 14
# Divisor of such a herd's weight.
SPARE_BULLS = 4


class EncierroError(ValueError):
    """The names, coats or weights do not suffice for six bulls, or a herd has no bulls left."""


class Span(NamedTuple):
    """Weights of bulls in kilograms: the legal minimum, and the lightest and heaviest that are
    usual.
    """

    minimum: int
    low: int
    high: int


class Herd(NamedTuple):
    """A herd that may supply the bulls of a corrida.

    `encierros` counts the corridas it has supplied this year.
    """

    key: int
    continent: str
    encierros: int = 0


class NewBull(NamedTuple):
    """A newly drawn bull. `weight` is in kilograms."""

    name: str
    number: int
    coat: str
    weight: int


@dataclass(frozen=True)
class Stock:
    """Data for drawing bulls: names, coats with their frequency, and weights by plaza category.

    Raises `EncierroError` if there are fewer than six different names, a coat has no frequency, or
    a weight is below the legal minimum.
    """

    names: Sequence[str]
    coats: Sequence[tuple[str, int]]
    weights: Mapping[int, Span]

    def __post_init__(self) -> None:
        if len(dict.fromkeys(self.names)) < max(BULLS, len(self.names)):
            raise EncierroError("an encierro needs six names or more, each given once")
        if not self.coats or min(frequency for _, frequency in self.coats) < 1:
            raise EncierroError("every coat needs a frequency of 1 or more, and there must be one")
        for category, (minimum, low, high) in self.weights.items():
            if not minimum <= low <= high:
                raise EncierroError(
                    f"category {category}: {low}-{high} kg must rise from {minimum} kg or more"
                )

    @cached_property
    def coat_marks(self) -> list[int]:
        """Cumulative frequencies of the coats."""
        return list(accumulate(frequency for _, frequency in self.coats))


def draw_encierro(
    stock: Stock, category: int, used_numbers: Container[int], chance: Chance
) -> list[NewBull]:
    """Draw six bulls for a plaza category, with different names and different branding numbers.

    `used_numbers` are the branding numbers already used by the herd's bulls this year. Raises
    `EncierroError` if the herd has fewer than six numbers left.
    """
    span = stock.weights[category]
    names = _names(stock, chance)
    numbers = _numbers(used_numbers, chance)
    return [
        NewBull(name, number, _coat(stock, chance), _weight(span, chance))
        for name, number in zip(names, numbers, strict=True)
    ]


def _names(stock: Stock, chance: Chance) -> list[str]:
    names: list[str] = []
    while len(names) < BULLS:
        name = chance.pick(stock.names)
        if name not in names:
            names.append(name)
    return names


def _numbers(used: Container[int], chance: Chance) -> list[int]:
    """Draw six unused branding numbers.

    It first tries random numbers, which is fast, and then draws from a list of all unused ones.
    """
    numbers: list[int] = []
    for _ in range(4 * BULLS):
        number = chance.roll(HIGHEST_NUMBER)
        if number not in used and number not in numbers:
            numbers.append(number)
            if len(numbers) == BULLS:
                return numbers
    return numbers + _last_numbers(used, numbers, chance)


def _last_numbers(used: Container[int], taken: list[int], chance: Chance) -> list[int]:
    every = range(1, HIGHEST_NUMBER + 1)
    free = [number for number in every if number not in used and number not in taken]
    missing = BULLS - len(taken)
    if len(free) < missing:
        raise EncierroError(f"the herd has used nearly all of its {HIGHEST_NUMBER} numbers")
    return chance.shuffled(free)[:missing]


def _coat(stock: Stock, chance: Chance) -> str:
    marks = stock.coat_marks
    return stock.coats[bisect_right(marks, chance.below(marks[-1]))][0]


def _weight(span: Span, chance: Chance) -> int:
    """Draw a weight in kilograms. Middle weights are more likely, as with the sum of two dice."""
    reach = span.high - span.low
    half = reach // 2
    return span.low + chance.below(half + 1) + chance.below(reach - half + 1)


def choose_herd(category: int, continent: str, herds: Sequence[Herd], chance: Chance) -> int:
    """Draw the herd that supplies the bulls of a corrida, and return its key.

    Bulls do not cross the ocean. `herds` are in the order of renown, the most famous first. Plazas
    of the first category prefer famous herds; in the third category all have equal chances. Raises
    `EncierroError` if the continent has no herd.
    """
    near = [herd for herd in herds if herd.continent == continent]
    if not near:
        raise EncierroError(f"there is no herd on the continent {continent}")
    demand = _demand(len(near), RENOWN[category])
    weights = [
        wanted if herd.encierros < BUSY_HERD else wanted // SPARE_BULLS
        for herd, wanted in zip(near, demand, strict=True)
    ]
    return near[chance.weighted(weights)].key


@lru_cache(maxsize=64)
def _demand(herds: int, power: int) -> tuple[int, ...]:
    """Return the weights of `herds` herds, the most famous first.

    They fall from 100 to just above 25 before the exponent `power` is applied.
    """
    renown = [25 + 75 * (herds - place) // herds for place in range(herds)]
    return tuple([SPARE_BULLS * int(share**power) for share in renown])
