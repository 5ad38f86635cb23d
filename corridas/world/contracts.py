"""The contracts of a season: who appears where, agreed date by date.

The rulebook says no more than that matadors with high ratings are highly sought after. Here the
big rings ask for the figures, the small ones give the young and the little known their chance,
and the law of nature holds: one place a day, no ocean overnight, the hurt stay in bed.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from fairness import Chance

MEN_OF_A_CARTEL = 3
OPEN: tuple[int, ...] = ()
"""What a bill gets for which fewer than three matadors are free."""
SMALL_RING = 3
"""The category of the plazas in which the young and the little known get their chances."""

DAYS_TO_CROSS = 3
"""Dates on two continents are at least so many days apart: two clear days between them."""
DAYS_TO_SETTLE = 12
"""Sooner than this after a date across the ocean a matador is loath to come back ..."""
LOATH_TO_CROSS = 4
"""... and so many times less likely to be contracted."""

DAYS_OF_VARIETY = 5
"""Up to so many days from another date in the same feria a matador is a face already seen ..."""
SEEN_IN_FERIA = 6
"""... and so many times less likely to be contracted; next day only where nobody else can."""

FORM_COUNTS = 6
"""So much form (of -100 to 100) moves the standing (0 to 100) by one."""
LONG_SEASON = 66
"""Past so many corridas a cuadrilla grows tired: its matador is half as likely ..."""
TIRED_AFTER = 9
"""... and half as likely again after every so many more."""
UNSEEN = 6
"""Who has had fewer corridas than this is a novelty in a small ring."""
YOUNG = 2
"""How many times likelier a small ring takes a young matador."""


class ContractError(ValueError):
    """A cartel set by hand that cannot be."""


class Engagement(NamedTuple):
    """Where a matador is expected, or was: the day, the continent (`EU`, `AM`), the feria."""

    date: date
    continent: str
    feria: int | None = None


class Bill(NamedTuple):
    """A corrida of the day that needs its three matadors.

    `key`: whatever tells the corridas apart; `category`: of the plaza, 1-3; `continent`: `EU`
    or `AM`; `feria`: whatever tells the ferias of a season apart, None for a single date;
    `fixed`: keys of the matadors whom a director has set already, at most three.
    """

    key: int
    category: int
    continent: str
    feria: int | None = None
    fixed: tuple[int, ...] = ()


class Candidate(NamedTuple):
    """A matador as those who contract see him on a day.

    `rating`: of his card, on any scale; `form`: -100 to 100; `youth`: short of a name;
    `last`: his nearest date up to the day; `next`: his nearest date after it;
    `injured_until`: the last day on which he rests; `appearances`: so far this season.
    """

    key: int
    rating: int
    form: int = 0
    youth: bool = False
    last: Engagement | None = None
    next: Engagement | None = None
    injured_until: date | None = None
    appearances: int = 0


MOST_FORM = -(-100 // FORM_COUNTS)
"""The most by which form moves a standing, either way."""


def _demand(floor: int, power: int) -> tuple[int, ...]:
    standings = range(-MOST_FORM, 101 + MOST_FORM)
    return tuple(floor + max(0, min(100, standing)) ** power for standing in standings)


DEMAND = {1: _demand(6_000, 3), 2: _demand(700, 2), 3: _demand(60, 1)}
"""By category of plaza: how sought after a standing is. The standing, 0-100, moved by form and
kept within 0-100, has its place `MOST_FORM` further on in the row."""


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
    """The three matadors of each bill of one day, or `OPEN` where fewer than three are free.

    The plazas of the first category choose first, equals in the order given. A matador fixed
    by the director comes first in his cartel; one who is hurt or too far away is replaced. The
    order within a cartel is not that of appearance (Ruling I-14).

    Raises `ContractError` where a bill fixes more than three matadors, a matador is fixed twice
    on the day, or a fixed one is not among the candidates.
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
        """Keep the fixed matadors of a bill from all others of the day."""
        if len(bill.fixed) > MEN_OF_A_CARTEL:
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
        """The matadors of a bill, who are from now on taken; `OPEN` where too few are free."""
        column = self._column(bill.category, bill.continent)
        men = [self.places[key] for key in bill.fixed if column[self.places[key]]]
        missing = MEN_OF_A_CARTEL - len(men)
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
        """How likely each matador comes to a bill; a face of next day only where needed."""
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
        """The weights of all matadors for a kind of plaza, before anybody is taken."""
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
    """How likely a matador of that demand comes; 0 when he is hurt or too far away."""
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
    """Whether who comes here can still be at his next date."""
    if following.continent == reach.continent:
        return following.date > reach.day
    return following.date >= reach.earliest_there


def _demand_for(category: int, matadors: Sequence[Candidate]) -> list[int]:
    """How sought after each matador is in a category of plaza, if he can come."""
    demand = DEMAND[category]
    standings = _standings(tuple([matador.rating for matador in matadors]))
    sought = [
        demand[standing + matador.form // FORM_COUNTS + MOST_FORM]
        for matador, standing in zip(matadors, standings, strict=True)
    ]
    return _with_chances(sought, matadors) if category == SMALL_RING else sought


def _with_chances(sought: list[int], matadors: Sequence[Candidate]) -> list[int]:
    """The demand of a small ring, which likes the young and those not yet seen this season."""
    return [
        demand * max(1, UNSEEN - matador.appearances) * (YOUNG if matador.youth else 1)
        for matador, demand in zip(matadors, sought, strict=True)
    ]


@lru_cache(maxsize=64)
def _standings(ratings: tuple[int, ...]) -> tuple[int, ...]:
    """How matadors stand with those who contract, 0-100, by rating alone.

    Half of it is the place among the ratings, half the rating's share of the way from the
    lowest to the highest, so that neither a lonely star nor a dense field upsets a season.
    """
    ascending = sorted(ratings)
    spread = max(1, ascending[-1] - ascending[0]) if ascending else 1
    others = max(1, len(ascending) - 1)
    return tuple(
        50 * (rating - ascending[0]) // spread + 50 * bisect_left(ascending, rating) // others
        for rating in ratings
    )


def _faces(day: date, matadors: Sequence[Candidate]) -> dict[int, list[tuple[int, int]]]:
    """By feria: the matadors it shows within `DAYS_OF_VARIETY`, and how many days from `day`."""
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
