"""The contracts of a season, agreed date by date.

The rulebook only says that matadors with high ratings are highly sought after. Here big plazas
prefer stars, and small ones give young and little-known matadors a chance. Physical limits apply:
one place a day, no ocean overnight, no injured matador.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from corridas.engine import MATADORS
from fairness import Chance

# The result of a bill for which fewer than three matadors are free.
OPEN: tuple[int, ...] = ()
# The category of plazas that give young and little-known matadors a chance.
SMALL_RING = 3

# Dates on two continents are at least this many days apart: two clear days between them.
DAYS_TO_CROSS = 3
# Up to this many days after a date across the ocean a matador is reluctant to return ...
DAYS_TO_SETTLE = 12
# ... and this many times less likely to be contracted.
LOATH_TO_CROSS = 4

# Within this many days of another date in the same feria a matador has just been seen ...
DAYS_OF_VARIETY = 5
# ... and is this many times less likely to be contracted; next day only where nobody else can.
SEEN_IN_FERIA = 6

# This much form (of -100 to 100) moves the standing (0 to 100) by one.
FORM_COUNTS = 6
# After this many corridas a cuadrilla is tired: its matador is half as likely ...
LONG_SEASON = 66
# ... and half as likely again after every so many more.
TIRED_AFTER = 9
# Matadors with fewer corridas than this are a novelty in a small plaza.
UNSEEN = 6
# How many times likelier a small plaza contracts a young matador.
YOUNG = 2


class ContractError(ValueError):
    """An impossible cartel set by hand."""


class Engagement(NamedTuple):
    """A date of a matador: the day, the continent (`EU`, `AM`), the feria."""

    date: date
    continent: str
    feria: int | None = None


class Bill(NamedTuple):
    """A corrida of the day that needs its three matadors.

    `key`: identifies the corrida. `category`: of the plaza, 1-3. `continent`: `EU` or `AM`.
    `feria`: identifies the feria of the season, None for a single date. `fixed`: keys of the
    matadors already set by a director, at most three.
    """

    key: int
    category: int
    continent: str
    feria: int | None = None
    fixed: tuple[int, ...] = ()


class Candidate(NamedTuple):
    """A matador on a day, as input of the contracts.

    `rating`: of his card, on any scale. `form`: -100 to 100. `youth`: a promising newcomer. `last`:
    his nearest date up to the day. `next`: his nearest date after it. `injured_until`: his last day
    of rest. `appearances`: so far this season.
    """

    key: int
    rating: int
    form: int = 0
    youth: bool = False
    last: Engagement | None = None
    next: Engagement | None = None
    injured_until: date | None = None
    appearances: int = 0


# The maximum effect of form on a standing, up or down.
MOST_FORM = -(-100 // FORM_COUNTS)


def _demand(floor: int, power: int) -> tuple[int, ...]:
    standings = range(-MOST_FORM, 101 + MOST_FORM)
    return tuple(floor + max(0, min(100, standing)) ** power for standing in standings)


# The demand for a standing, by category of plaza. The standing (0-100), moved by form and limited
# to 0-100, is at its value plus `MOST_FORM` in the row.
DEMAND = {1: _demand(6_000, 3), 2: _demand(700, 2), 3: _demand(60, 1)}


class _Reach(NamedTuple):
    """The days that decide who can come to a continent on a day."""

    day: date
    continent: str
    latest_there: date
    settled: date
    earliest_there: date


def contract(
    day: date, bills: Sequence[Bill], matadors: Sequence[Candidate], chance: Chance
) -> dict[int, tuple[int, ...]]:
    """Return the three matadors of each bill of one day, or `OPEN` where fewer than three are free.

    Plazas of the first category choose first, equal ones in the given order. A matador fixed by the
    director comes first in his cartel; one who is injured or too far away is replaced. The order
    within a cartel is not that of appearance (Ruling I-14).

    Raise `ContractError` where a bill fixes more than three matadors, a matador is fixed twice on
    the day, or a fixed one is not among the candidates.
    """
    market = _Market(day, matadors)
    for bill in bills:
        market.promise(bill)
    choosing = sorted(bills, key=lambda bill: bill.category)
    return {bill.key: market.cartel(bill, chance) for bill in choosing}


class _Market:
    """The matadors of one day in columns: the weights of fifty men are one list of numbers."""

    def __init__(self, day: date, matadors: Sequence[Candidate]) -> None:
        self.day = day
        self.matadors = matadors
        self.places = {matador.key: place for place, matador in enumerate(matadors)}
        self.columns: dict[tuple[int, str], list[int]] = {}
        self.faces = _faces(day, matadors)
        self.taken: list[int] = []

    def promise(self, bill: Bill) -> None:
        """Reserve the fixed matadors of a bill."""
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

    def cartel(self, bill: Bill, chance: Chance) -> tuple[int, ...]:
        """Draw the matadors of a bill and mark them as taken; `OPEN` where too few are free."""
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
        """Return each matador's weight for a bill; those of the day before or after
        only if needed.
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
        """Return the weights of all matadors for a kind of plaza, before anybody is taken."""
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


def _weight(matador: Candidate, sought: int, reach: _Reach) -> int:
    """Return the weight of a matador of that demand; 0 where he is injured or too far away."""
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


def _demand_for(category: int, matadors: Sequence[Candidate]) -> list[int]:
    """Return the demand for each matador in a category of plaza, if he can come."""
    demand = DEMAND[category]
    standings = _standings(tuple([matador.rating for matador in matadors]))
    sought = [
        demand[standing + matador.form // FORM_COUNTS + MOST_FORM]
        for matador, standing in zip(matadors, standings, strict=True)
    ]
    return _with_chances(sought, matadors) if category == SMALL_RING else sought


def _with_chances(sought: list[int], matadors: Sequence[Candidate]) -> list[int]:
    return [
        demand * max(1, UNSEEN - matador.appearances) * (YOUNG if matador.youth else 1)
        for matador, demand in zip(matadors, sought, strict=True)
    ]


@lru_cache(maxsize=64)
def _standings(ratings: tuple[int, ...]) -> tuple[int, ...]:
    """Return the standings of matadors, 0-100, by rating alone.

    Half is the place among the ratings, half the position between the lowest and the highest
    rating, so that neither a single star nor a dense field distorts a season.
    """
    ascending = sorted(ratings)
    spread = max(1, ascending[-1] - ascending[0]) if ascending else 1
    others = max(1, len(ascending) - 1)
    return tuple(
        50 * (rating - ascending[0]) // spread + 50 * bisect_left(ascending, rating) // others
        for rating in ratings
    )


def _faces(day: date, matadors: Sequence[Candidate]) -> dict[int, list[tuple[int, int]]]:
    """Return, by feria, matadors within `DAYS_OF_VARIETY` and the distance in days from `day`."""
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
