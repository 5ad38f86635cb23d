"""Draws the matadors of each corrida, day by day.

The rulebook only says that matadors with high ratings are in demand. Here important plazas prefer
stars, and small plazas give young and little-known matadors a chance. A matador cannot be in two
places on one day, cannot cross an ocean overnight, and is not contracted while injured.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from corridas.engine import MATADORS
from fairness import Chance

# Returned for a corrida for which fewer than three matadors are free.
OPEN: tuple[int, ...] = ()
# The plaza category (3, the lowest) that gives young and little-known matadors a chance.
SMALL_RING = 3

# Minimum number of days between two corridas of a matador on different continents.
DAYS_TO_CROSS = 3
# For this many days after a corrida on the other continent a matador is less likely to be
# contracted.
DAYS_TO_SETTLE = 12
# Divisor of a matador's weight during these days.
LOATH_TO_CROSS = 4

# For this many days after a corrida a matador is less likely to appear again in the same feria.
DAYS_OF_VARIETY = 5
# Divisor of a matador's weight during these days. On the next day he appears only if too few others
# are free.
SEEN_IN_FERIA = 6

# This much form (-100 to 100) changes a matador's standing (0 to 100) by 1.
FORM_COUNTS = 6
# After this many corridas in a season a matador's team is tired, and his weight is halved.
LONG_SEASON = 66
# Number of further corridas after which his weight is halved again.
TIRED_AFTER = 9
# In small plazas, matadors with fewer corridas than this have a higher weight because they are new.
UNSEEN = 6
# Factor by which a small plaza prefers a young matador.
YOUNG = 2


class ContractError(ValueError):
    """The matadors that a director chose contradict each other, such as the same matador twice on a
    day.
    """


class Engagement(NamedTuple):
    """A corrida that a matador is booked for: date, continent (`EU` or `AM`) and feria."""

    date: date
    continent: str
    feria: int | None = None


class OpenCorrida(NamedTuple):
    """A corrida that needs three matadors on a given day.

    `key` identifies the corrida. `category` is that of the plaza (1-3), `continent` is `EU` or
    `AM`. `feria` identifies the feria of the season, None for a single date. `fixed` are the keys
    of up to three matadors that a director has already chosen.
    """

    key: int
    category: int
    continent: str
    feria: int | None = None
    fixed: tuple[int, ...] = ()


class AvailableMatador(NamedTuple):
    """A matador who may be contracted on a given day.

    `rating` is the rating of his card, on any scale. `form` is -100 to 100. `youth` marks a
    promising newcomer. `last` is his latest booking on or before that day, and `next` his first
    booking after it. `injured_until` is the last day on which he cannot fight. `appearances` counts
    his corridas this season.
    """

    key: int
    rating: int
    form: int = 0
    youth: bool = False
    last: Engagement | None = None
    next: Engagement | None = None
    injured_until: date | None = None
    appearances: int = 0


# Maximum change of a standing through form, up or down.
MOST_FORM = -(-100 // FORM_COUNTS)


def _demand(floor: int, power: int) -> tuple[int, ...]:
    standings = range(-MOST_FORM, 101 + MOST_FORM)
    return tuple(floor + max(0, min(100, standing)) ** power for standing in standings)


# Weight of a matador by plaza category and standing. His standing (0-100) plus or minus form,
# limited to 0-100, is at the index standing plus `MOST_FORM`.
DEMAND = {1: _demand(6_000, 3), 2: _demand(700, 2), 3: _demand(60, 1)}


class _Reach(NamedTuple):
    """Dates that decide whether a matador can be on a continent on a given day."""

    day: date
    continent: str
    latest_there: date
    settled: date
    earliest_there: date


def contract(
    day: date, bills: Sequence[OpenCorrida], matadors: Sequence[AvailableMatador], chance: Chance
) -> dict[int, tuple[int, ...]]:
    """Draw three matadors for each corrida of a day, or `OPEN` if fewer than three are free.

    Plazas of the first category choose first; within a category the given order counts. Fixed
    matadors come first in the result, but a fixed matador who is injured or too far from the plaza
    is replaced. The result is not in the order of appearance (Ruling I-14).

    Raises `ContractError` if more than three matadors are fixed for a corrida, if a matador is
    fixed twice on the day, or if a fixed matador is not a candidate.
    """
    market = _Market(day, matadors)
    for bill in bills:
        market.promise(bill)
    choosing = sorted(bills, key=lambda bill: bill.category)
    return {bill.key: market.cartel(bill, chance) for bill in choosing}


class _Market:
    """The matadors available on one day.

    The weights of all matadors for one kind of plaza are stored as a list of numbers, because this
    is faster than one object per matador.
    """

    def __init__(self, day: date, matadors: Sequence[AvailableMatador]) -> None:
        self.day = day
        self.matadors = matadors
        self.places = {matador.key: place for place, matador in enumerate(matadors)}
        self.columns: dict[tuple[int, str], list[int]] = {}
        self.faces = _faces(day, matadors)
        self.taken: list[int] = []

    def promise(self, bill: OpenCorrida) -> None:
        """Reserve the matadors that a director chose for a corrida, so that no other corrida of the
        day gets them.
        """
        if len(bill.fixed) > MATADORS:
            raise ContractError(
                f"corrida {bill.key} fixes {len(bill.fixed)} matadors; it has three"
            )
        for key in bill.fixed:
            if key not in self.places:
                raise ContractError(f"corrida {bill.key} fixes {key}, who is not a candidate")
            if self.places[key] in self.taken:
                raise ContractError(f"matador {key} is fixed twice on {self.day}")
            self.taken.append(self.places[key])

    def cartel(self, bill: OpenCorrida, chance: Chance) -> tuple[int, ...]:
        """Draw the matadors of a corrida and mark them as taken.

        Returns `OPEN` if too few are free.
        """
        column = self._column(bill.category, bill.continent)
        men = [self.places[key] for key in bill.fixed if column[self.places[key]]]
        missing = MATADORS - len(men)
        weights = self._weights(column, bill.feria, missing)
        if _free(weights) < missing:
            return OPEN
        for _ in range(missing):
            place = chance.weighted(weights)
            weights[place] = 0
            men.append(place)
        self.taken += men
        return tuple([self.matadors[place].key for place in men])

    def _weights(self, column: list[int], feria: int | None, missing: int) -> list[int]:
        """Return the weight of every matador for a corrida.

        Matadors who appear in the same feria on the day before or after get 0, unless too few
        others are free.
        """
        weights = column.copy()
        for place in self.taken:
            weights[place] = 0
        if feria is None or feria not in self.faces:
            return weights
        varied = weights.copy()
        for place, apart in self.faces[feria]:
            varied[place] = 0 if apart <= 1 else -(-varied[place] // SEEN_IN_FERIA)
        return varied if _free(varied) >= missing else weights

    def _column(self, category: int, continent: str) -> list[int]:
        """Return the weights of all matadors for a plaza category and a continent.

        Matadors who are already taken on the day are still included.
        """
        column = self.columns.get((category, continent))
        if column is None:
            reach = _reach(self.day, continent)
            demand = _demand_for(category, self.matadors)
            column = self.columns[category, continent] = [
                _weight(matador, sought, reach)
                for matador, sought in zip(self.matadors, demand, strict=True)
            ]
        return column


def _reach(day: date, continent: str) -> _Reach:
    crossing, settling = timedelta(days=DAYS_TO_CROSS), timedelta(days=DAYS_TO_SETTLE)
    return _Reach(day, continent, day - crossing, day - settling, day + crossing)


def _free(weights: list[int]) -> int:
    return len(weights) - weights.count(0)


def _weight(matador: AvailableMatador, sought: int, reach: _Reach) -> int:
    """Return the weight of a matador in demand `sought`.

    It is 0 if he is injured or cannot travel to the plaza in time.
    """
    if (injured_until := matador.injured_until) is not None and reach.day <= injured_until:
        return 0
    if (following := matador.next) is not None and not _in_time_for(following, reach):
        return 0
    if (appearances := matador.appearances) > LONG_SEASON:
        sought = sought >> 1 + (appearances - LONG_SEASON) // TIRED_AFTER or 1
    if (last := matador.last) is None:
        return sought
    if last.continent == reach.continent:
        return sought if last.date < reach.day else 0
    if last.date > reach.latest_there:
        return 0
    return sought // LOATH_TO_CROSS or 1 if last.date > reach.settled else sought


def _in_time_for(following: Engagement, reach: _Reach) -> bool:
    if following.continent == reach.continent:
        return following.date > reach.day
    return following.date >= reach.earliest_there


def _demand_for(category: int, matadors: Sequence[AvailableMatador]) -> list[int]:
    """Return how much each matador is in demand in a category of plaza.

    Injuries and travel are ignored here.
    """
    demand = DEMAND[category]
    from_ratings = standings(tuple([matador.rating for matador in matadors]))
    sought = [
        demand[standing + matador.form // FORM_COUNTS + MOST_FORM]
        for matador, standing in zip(matadors, from_ratings, strict=True)
    ]
    return _with_chances(sought, matadors) if category == SMALL_RING else sought


def _with_chances(sought: list[int], matadors: Sequence[AvailableMatador]) -> list[int]:
    return [
        demand * max(1, UNSEEN - matador.appearances) * (YOUNG if matador.youth else 1)
        for matador, demand in zip(matadors, sought, strict=True)
    ]


@lru_cache(maxsize=64)
def standings(ratings: tuple[int, ...]) -> tuple[int, ...]:
    """Return the standing of each matador, 0-100, calculated from the ratings alone.

    One half is his rank, the other half the position of his rating between the lowest and the
    highest. So neither a single star nor many similar ratings distort a season.
    """
    ascending = sorted(ratings)
    spread = max(1, ascending[-1] - ascending[0]) if ascending else 1
    others = max(1, len(ascending) - 1)
    return tuple(
        50 * (rating - ascending[0]) // spread + 50 * bisect_left(ascending, rating) // others
        for rating in ratings
    )


def _faces(day: date, matadors: Sequence[AvailableMatador]) -> dict[int, list[tuple[int, int]]]:
    """Return, for each feria, the matadors who appear in it within `DAYS_OF_VARIETY` days of `day`.

    Each matador comes with the distance in days.
    """
    faces: dict[int, list[tuple[int, int]]] = {}
    earliest, latest = day - timedelta(days=DAYS_OF_VARIETY), day + timedelta(days=DAYS_OF_VARIETY)
    for place, matador in enumerate(matadors):
        if (last := matador.last) is not None and last.date >= earliest:
            _see(faces, last, place, day)
        if (following := matador.next) is not None and following.date <= latest:
            _see(faces, following, place, day)
    return faces


def _see(faces: dict[int, list[tuple[int, int]]], other: Engagement, place: int, day: date) -> None:
    if other.feria is not None:
        apart = abs((other.date - day).days)
        faces.setdefault(other.feria, []).append((place, apart))
