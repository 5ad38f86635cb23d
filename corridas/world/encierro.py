"""The encierro: the herd and the six bulls of a corrida."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from corridas.engine import BULLS
from fairness import Chance

# Years from the corrida of the indulto until sons of four come out ...
FIRST_SONS: Final = 5
# ... and until the last of them do.
LAST_SONS: Final = 14
# One in this many bulls of a herd with sires is a son of one.
SHARE: Final = 2


def fathers(sires: Sequence[int], bulls: int, chance: Chance) -> list[int | None]:
    """Draw the sire of each bull with equal chances; None for one of another line."""
    if not sires:
        return [None] * bulls
    return [None if chance.below(SHARE) else chance.pick(sires) for _ in range(bulls)]


# Branding numbers of a herd's bulls in one year run from 1 to this.
HIGHEST_NUMBER = 399

# The exponent of a herd's renown, by category of plaza.
RENOWN = {1: 3, 2: 1, 3: 0}
# A herd that has sent this many encierros in a year has few bulls left ...
BUSY_HERD = 14
# ... and is this many times less likely to send another.
SPARE_BULLS = 4


class EncierroError(ValueError):
    """Insufficient tables for an encierro, or a herd without bulls left."""


class Span(NamedTuple):
    """Kilograms in a category of plaza: the legal minimum, the usual lightest and heaviest."""

    minimum: int
    low: int
    high: int


class Herd(NamedTuple):
    """A herd that could send its bulls; `encierros` is their number so far this year."""

    key: int
    continent: str
    encierros: int = 0


class NewBull(NamedTuple):
    """A bull as it arrives; `weight` in kilograms."""

    name: str
    number: int
    coat: str
    weight: int


@dataclass(frozen=True)
class Stock:
    """Tables of bulls: names, coats with their frequency, weights by category.

    Raises `EncierroError` where they do not suffice for six different bulls or break the law.
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
        """The running sums of the frequencies of the coats."""
        return list(accumulate(frequency for _, frequency in self.coats))


def draw_encierro(
    stock: Stock, category: int, used_numbers: Container[int], chance: Chance
) -> list[NewBull]:
    """Draw six bulls for a plaza of a category, with different names and branding numbers.

    `used_numbers` are those of the herd's bulls that have come out this year; none is repeated.
    Raise `EncierroError` where the herd has fewer than six numbers left.
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
    """Draw six free numbers: at first by trial, which is quick, then from the list of free ones."""
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
    """Draw a usual weight; those in the middle are likelier, as with two dice."""
    reach = span.high - span.low
    half = reach // 2
    return span.low + chance.below(half + 1) + chance.below(reach - half + 1)


def choose_herd(category: int, continent: str, herds: Sequence[Herd], chance: Chance) -> int:
    """Return the key of the herd that sends its bulls to a corrida.

    Bulls do not cross the ocean. `herds` are in the order of renown, the most famous first:
    first-category plazas prefer those, third-category ones take any. Raise `EncierroError` without
    a herd on the continent.
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
    """Return the demand for each of so many herds: it falls from 100 to just above 25."""
    renown = [25 + 75 * (herds - place) // herds for place in range(herds)]
    return tuple([SPARE_BULLS * int(share**power) for share in renown])
