"""How promoters of the benchmark choose their carteles, and what the accountant proposes.

A strategy sees for each man what he draws, what he asks and what his card is expected to show. It
never sees the order of the cards. Only `accountant` is advice for players; the others show that no
single idea wins (docs/empresa.md).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import erf, exp, pi, sqrt

from corridas.engine import MATADORS
from corridas.world.box_office import tables
from corridas.world.box_office.canon import UsualDay
from corridas.world.box_office.draw import cartel_draw, pull
from corridas.world.box_office.house import House, house_of, price_factor, season_tickets
from corridas.world.box_office.luck import Luck
from corridas.world.box_office.money import account
from corridas.world.box_office.mood import mood_factor
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.ring import Ring, rain_odds
from corridas.world.box_office.rounding import rounded
from corridas.world.box_office.tables import ASKED, Harvest, Price
from fairness import Chance

# What a famous cartel may cost, in per cent of a full house.
FAME_BUDGET = 34


@dataclass(frozen=True, slots=True)
class Man:
    """A man who may be signed for an afternoon.

    `matador` is his key, `draw` what he draws in this afternoon, `fee` what he asks in duros, and
    `expected` what a bull of his is expected to show, in hundredths of a point.
    """

    matador: int
    draw: int
    fee: int
    expected: int


Bill = tuple[Man, ...]
# Lines of the judge in hundredths, not limited: houses, cards and money.
LineValues = tuple[float, float, float]
Score = Callable[[Bill], float]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a cartel is expected to bring: house in thousandths of the seats, money in duros, and
    what its bulls show, in hundredths of a point per bull.
    """

    house: int
    kept: int
    seen: int


@dataclass(slots=True)
class Outlook:
    """What is known about an afternoon when its cartel is chosen.

    `mood` is that of the town in hundredths, and `canon` in per cent of a full house.
    """

    ring: Ring
    pars: Pars
    day: dt.date
    feria_days: int
    usual: UsualDay
    harvest: Harvest
    mood: int
    canon: int
    _known: dict[tuple[int, Price], tuple[int, int]] = field(default_factory=dict)

    def forecast(self, bill: Bill, price: Price) -> Forecast:
        """Return what a cartel is expected to bring.

        The posters of the feria's other days are taken to draw as much as this one.
        """
        draws = cartel_draw([man.draw for man in bill])
        house, kept = self._public(pull(draws, self.pars.draw), price)
        fees = sum(man.fee for man in bill)
        seen = rounded(sum(man.expected for man in bill), MATADORS)
        return Forecast(house, kept - fees, seen)

    def _public(self, pull: int, price: Price) -> tuple[int, int]:
        """Return the house and what it brings before the fees."""
        found = self._known.get((pull, price))
        if found is None:
            ring, factor = self.ring, price_factor(price, self.harvest)
            mood = mood_factor(self.mood)
            tickets = season_tickets(ring, [pull] * self.feria_days, mood, factor)
            dry = house_of(ring, self.day, pull, mood, factor, Luck(1_000, rain=False), tickets)
            left = 1_000 - (100 - tables.IN_RAIN) * rain_odds(self.day) // 10
            house = House(tickets, dry.wanted, rounded(dry.window * left, 1_000))
            kept = account(ring, house, price, (), self.canon).kept
            found = self._known[pull, price] = (house.share(ring), kept)
        return found

    def lines(self, bill: Bill, price: Price) -> LineValues:
        """Return what a cartel adds to each line of the judge, in hundredths, not limited."""
        brought = self.forecast(bill, price)
        shown = brought.seen - self.pars.seen - ASKED[price]
        beyond = 1_000 * brought.kept / self.ring.full_house - tables.USUAL_PROFIT
        return (
            100 * (brought.house - self.usual.house) / tables.HOUSE_UNIT,
            100 * shown / self.pars.unit,
            100 * beyond / tables.MONEY_UNIT,
        )


def climb(men: Sequence[Man], score: Score, fixed: Bill = ()) -> Bill:
    """Return three men with a high score: each is replaced by the best other man, in turn.

    `fixed` are men who stay. Raises `ValueError` if there are not enough men.
    """
    missing = MATADORS - len(fixed)
    others = [man for man in men if man not in fixed]
    if len(others) < missing:
        raise ValueError("there are fewer than three men")
    bill = list(others[:missing])
    best, improved = score((*bill, *fixed)), True
    while improved:
        improved = False
        for place in range(missing):
            for man in others:
                if man in bill:
                    continue
                tried = [*bill[:place], man, *bill[place + 1 :]]
                found = score((*tried, *fixed))
                if found > best:
                    bill, best, improved = tried, found, True
    return (*bill, *fixed)


def cheapest(men: Sequence[Man]) -> Bill:
    return _first(men, lambda man: -man.fee)


def random_men(men: Sequence[Man], chance: Chance) -> Bill:
    return tuple(chance.shuffled(men)[:MATADORS])


def stars(men: Sequence[Man]) -> Bill:
    """Return the three men who draw most."""
    return _first(men, lambda man: man.draw)


def best_cards(men: Sequence[Man]) -> Bill:
    """Return the three men who are expected to show most."""
    return _first(men, lambda man: man.expected)


def famous(men: Sequence[Man], ring: Ring) -> Bill:
    """Return the cartel that draws most within a budget."""
    budget = rounded(FAME_BUDGET * ring.full_house, 100)

    def score(bill: Bill) -> int:
        fees = sum(man.fee for man in bill)
        return cartel_draw([man.draw for man in bill]) if fees <= budget else budget - fees

    return climb(sorted(men, key=lambda man: man.fee), score)


def name_and_cards(men: Sequence[Man], ring: Ring, pars: Pars) -> Bill:
    """Return the man who draws most, and the two best bargains by card and fee."""
    name = max(men, key=lambda man: (man.draw, -man.matador))

    def bargain(man: Man) -> float:
        by_card = man.expected / pars.unit
        return by_card - 1_000 * man.fee / (tables.MONEY_UNIT * ring.full_house)

    others = sorted((man for man in men if man is not name), key=bargain, reverse=True)
    return (name, *others[: MATADORS - 1])


def accountant(men: Sequence[Man], outlook: Outlook, price: Price, fixed: Bill = ()) -> Bill:
    """Return the cartel that is expected to keep most money. It looks at nothing else."""
    return climb(men, lambda bill: outlook.forecast(bill, price).kept, fixed)


@dataclass(frozen=True, slots=True)
class Aims:
    """What a planner wants of an afternoon: a high mark at the end of the season.

    `others` are the sums of the lines that he expects of his other afternoons, and `held` is the
    number of all. A line beyond its limit is worth nothing to him. A planner without `cards` does
    not look at them.
    """

    held: int
    others: LineValues
    cards: bool = True

    def score(self, lines: LineValues) -> float:
        """Return the sum of the season's lines that he expects with this afternoon."""
        means = [(one + other) / self.held for one, other in zip(lines, self.others, strict=True)]
        root = sqrt(self.held)
        return (
            _limited_mean(means[0], _NOISE[0] / root)
            + (_limited_mean(means[1], _NOISE[1] / root) if self.cards else 0.0)
            + _limited_mean(means[2], _NOISE[2] / root)
        )


# Standard deviation of each line in one afternoon, in hundredths.
_NOISE = (43.0, 133.0, 115.0)


def _limited_mean(mean: float, noise: float) -> float:
    """Return the mean of a normal number that is cut off at the highest line."""
    over = (mean - tables.HIGHEST_LINE) / noise
    beyond = over * 0.5 * (1 + erf(over / sqrt(2))) + exp(-over * over / 2) / sqrt(2 * pi)
    return mean - noise * beyond


def planned(
    men: Sequence[Man], outlook: Outlook, price: Price, aims: Aims, fixed: Bill = ()
) -> Bill:
    """Return the cartel that brings most by a planner's aims."""
    return climb(men, lambda bill: aims.score(outlook.lines(bill, price)), fixed)


def best_price(posters: Iterable[tuple[Outlook, Bill]], aims: Aims) -> Price:
    """Return the price of a feria that brings most by a planner's aims; of equal ones the first.

    `aims` has the sums of the afternoons outside this feria.
    """
    days = list(posters)

    def score(price: Price) -> float:
        return aims.score(total(outlook.lines(bill, price) for outlook, bill in days))

    return max(Price, key=score)


def total(lines: Iterable[LineValues]) -> LineValues:
    """Return the sums of the lines of several afternoons."""
    houses = cards = money = 0.0
    for one in lines:
        houses, cards, money = houses + one[0], cards + one[1], money + one[2]
    return houses, cards, money


def _first(men: Sequence[Man], value: Callable[[Man], int]) -> Bill:
    return tuple(sorted(men, key=lambda man: (-value(man), man.matador))[:MATADORS])
