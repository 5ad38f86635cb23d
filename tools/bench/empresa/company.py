"""One plaza run by a promoter for a season, put into a recorded season of the market.

The other plazas do not react: a man whom the promoter signs in winter is in his plaza on the day,
and the market's corridas elsewhere stay as they were played. A man is hurt when he was hurt there,
or in the promoter's own afternoons.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from corridas.engine import MATADORS, CorridaSetup, Ending, LidiaResult, Rules, play_corrida
from corridas.world.box_office import (
    ASKED,
    Afternoon,
    AfternoonHere,
    Harvest,
    Lines,
    Pars,
    Price,
    Ring,
    UsualDay,
    Window,
    account,
    bull_points,
    cartel_draw,
    draw,
    draw_harvest,
    draw_luck,
    expected,
    fee,
    free_money,
    fresh,
    house_of,
    is_bankrupt,
    judge,
    memory,
    missed,
    mood_after,
    mood_factor,
    price_factor,
    pull,
    season_tickets,
    seen,
    starting_cash,
    surprise,
    tables,
)
from corridas.world.box_office import strategies as choose
from corridas.world.box_office.rounding import limited
from corridas.world.box_office.strategies import Aims, Bill, LineValues, Man, Outlook
from corridas.world.calendar import PlannedCorrida
from corridas.world.chances import ScoreCounts
from corridas.world.contracts import OPEN, Engagement, OpenCorrida, contract
from corridas.world.roster import Plaza, Roster
from fairness import Chance, Seed
from tools.bench.empresa.recorded import RecordedSeason, Rest, is_free, rest_of, wound

CLOSING = dt.timedelta(days=30)
EVE = dt.timedelta(days=1)
PASSES = 3
FERIA = 1


class Strategy(Enum):
    CHEAPEST = "cheapest men"
    RANDOM = "random men"
    AUTOPILOT = "autopilot"
    MARKET = "the market (the bar)"
    FAME = "fame within a budget"
    ACCOUNTANT = "accountant"
    ACCOUNTANT_POPULAR = "accountant, popular"
    ACCOUNTANT_HIGH = "accountant, high"
    STARS = "three stars"
    NAME = "one name and two good cards"
    CARDS = "best cards"
    BLIND = "planner without cards"
    PLANNER = "planner"
    PLANNER_POPULAR = "planner, popular"
    PLANNER_NORMAL = "planner, normal"
    PLANNER_HIGH = "planner, high"


FIXED_PRICE = {
    Strategy.ACCOUNTANT_POPULAR: Price.POPULAR,
    Strategy.ACCOUNTANT_HIGH: Price.HIGH,
    Strategy.PLANNER_POPULAR: Price.POPULAR,
    Strategy.PLANNER_NORMAL: Price.NORMAL,
    Strategy.PLANNER_HIGH: Price.HIGH,
}
PLANNERS = {
    Strategy.BLIND,
    Strategy.PLANNER,
    Strategy.PLANNER_POPULAR,
    Strategy.PLANNER_NORMAL,
    Strategy.PLANNER_HIGH,
}
ACCOUNTANTS = {Strategy.ACCOUNTANT, Strategy.ACCOUNTANT_POPULAR, Strategy.ACCOUNTANT_HIGH}
BY_MARKET = {Strategy.MARKET, Strategy.AUTOPILOT}


@dataclass(slots=True)
class World:
    """What all companies of a run share."""

    roster: Roster
    rules: Rules
    counts: ScoreCounts
    _shows: dict[tuple[int, str, int], int] = field(default_factory=dict)

    def expected(self, season: RecordedSeason, category: int, key: int) -> int:
        man = season.men[key]
        found = self._shows.get((season.year, man.slug, category))
        if found is None:
            found = expected(man.card, category, self.counts).seen
            self._shows[season.year, man.slug, category] = found
        return found


@dataclass(slots=True)
class Town:
    """A plaza's mood in hundredths, and what its town remembers, by slug of the matador."""

    mood: int = 5_000
    past: dict[str, list[AfternoonHere]] = field(default_factory=lambda: defaultdict(list))

    def copy(self) -> Town:
        past: dict[str, list[AfternoonHere]] = defaultdict(list)
        past.update({slug: list(each) for slug, each in self.past.items()})
        return Town(self.mood, past)


@dataclass(frozen=True, slots=True)
class SeasonRun:
    """The result of a season in one plaza; money in duros."""

    lines: Lines
    kept: int
    cash: int
    town: Town
    bankrupt: bool
    harvest: Harvest
    prices: tuple[Price, ...]
    house: int

    @property
    def mark(self) -> int:
        return self.lines.mark


@dataclass(slots=True)
class Feria:
    days: list[PlannedCorrida]
    price: Price = Price.NORMAL
    tickets: int = 0
    posters: dict[dt.date, tuple[int, ...]] = field(default_factory=dict)
    triumphs: set[int] = field(default_factory=set)
    fought: Counter[int] = field(default_factory=Counter)

    @property
    def closing(self) -> dt.date:
        return self.days[0].date - CLOSING


class Company:
    """A promoter's season in a plaza. `label` is that of his cards: None for the market's cards."""

    def __init__(
        self,
        world: World,
        season: RecordedSeason,
        plaza: Plaza,
        ring: Ring,
        strategy: Strategy,
        town: Town,
        *,
        canon: int,
        cash: int | None = None,
        label: str | None = None,
    ) -> None:
        self.world, self.season, self.plaza, self.ring = world, season, plaza, ring
        self.strategy, self.town, self.canon, self.label = strategy, town, canon, label
        self.pars: Pars = season.pars[ring.category]
        self.ferias = [Feria(days) for days in season.plazas[plaza.slug]]
        self.days = sum(len(feria.days) for feria in self.ferias)
        self.full = self.days * ring.full_house
        self.cash = starting_cash(self.full) if cash is None else cash
        self.harvest = draw_harvest(season.seed, plaza.slug)
        self.usual: Mapping[dt.date, UsualDay] = season.usual(ring, plaza.slug)
        self.signed: dict[dt.date, dict[int, int]] = defaultdict(dict)
        self.rests: dict[int, list[Rest]] = defaultdict(list)
        # Lines that a planner expects of his afternoons.
        self.lines: dict[dt.date, LineValues] = {}
        self.today = dt.date(season.year, 1, 1)
        self.held: list[Afternoon] = []
        self.kept = self.houses = 0
        self.outlooks: dict[dt.date, Outlook] = {}

    def run(self) -> SeasonRun:
        if self.strategy not in BY_MARKET:
            self._winter()
        events = [(feria.closing, 0, feria) for feria in self.ferias]
        events += [(day.date, 1, feria) for feria in self.ferias for day in feria.days]
        for day, kind, feria in sorted(events, key=lambda event: event[:2]):
            self.today = day
            if kind:
                self._afternoon(feria, day)
            else:
                self._close(feria, max(day, dt.date(self.season.year, 1, 1)))
        return SeasonRun(
            judge(self.held, self.pars, self.ring.full_house),
            self.kept,
            self.cash,
            self.town,
            is_bankrupt(self.cash, self.full),
            self.harvest,
            tuple(feria.price for feria in self.ferias),
            self.houses // max(1, self.days),
        )

    def _winter(self) -> None:
        new_year = dt.date(self.season.year, 1, 1)
        bills = self._plan(new_year)
        for feria in self.ferias:
            for held in feria.days:
                bill = bills[held.date]
                if sum(man.fee for man in bill) <= self._free(new_year):
                    self.signed[held.date] = {man.matador: man.fee for man in bill}

    def _free(self, today: dt.date) -> int:
        to_come = sum(held.date >= today for feria in self.ferias for held in feria.days)
        promised = [fee for day, men in self.signed.items() if day >= today for fee in men.values()]
        return free_money(self.cash, self.ring.full_house, to_come, promised)

    def _plan(self, today: dt.date) -> dict[dt.date, Bill]:
        for feria in self.ferias:
            feria.price = FIXED_PRICE.get(self.strategy, Price.NORMAL)
        bills: dict[dt.date, Bill] = {}
        for _ in range(PASSES if self.strategy in PLANNERS else 1):
            for feria in self.ferias:
                billed: Counter[int] = Counter()
                for held in feria.days:
                    men = self._men(feria, held.date, today, Window.WINTER, billed)
                    bills[held.date] = bill = self._choose(men, feria, held.date)
                    billed.update(man.matador for man in bill)
                    self._expect(feria, held.date, bill)
                self._set_price(feria, bills)
        return bills

    def _expect(self, feria: Feria, day: dt.date, bill: Bill) -> None:
        if self.strategy in PLANNERS:
            self.lines[day] = self._outlook(feria, day).lines(bill, feria.price)

    def _set_price(self, feria: Feria, bills: Mapping[dt.date, Bill]) -> None:
        if self.strategy not in PLANNERS or self.strategy in FIXED_PRICE:
            return
        days = [held.date for held in feria.days]
        posters = [(self._outlook(feria, day), bills[day]) for day in days]
        feria.price = choose.best_price(posters, self._aims(days))
        for day in days:
            self._expect(feria, day, bills[day])

    def _aims(self, days: Sequence[dt.date]) -> Aims:
        """Return the aims for some days. Unknown days are taken to be usual ones."""
        others = choose.total(line for day, line in self.lines.items() if day not in days)
        return Aims(self.days, others, cards=self.strategy is not Strategy.BLIND)

    def _outlook(self, feria: Feria, day: dt.date) -> Outlook:
        mood = self._mood_on(day)
        found = self.outlooks.get(day)
        if found is None or found.mood != mood:
            found = self.outlooks[day] = Outlook(
                self.ring,
                self.pars,
                day,
                len(feria.days),
                self.usual[day],
                self.harvest,
                mood,
                self.canon,
            )
        return found

    def _mood_on(self, day: dt.date) -> int:
        """Return the mood that a planner expects on a day, by what he will show until then."""
        shown = sum(line[1] for other, line in self.lines.items() if self.today <= other < day)
        gain = shown * tables.MOOD_GAIN * self.pars.unit / self.pars.sd
        return limited(round(self.town.mood + gain), 0, tables.MOST_MOOD)

    def _choose(self, men: Sequence[Man], feria: Feria, day: dt.date, fixed: Bill = ()) -> Bill:
        strategy, price = self.strategy, feria.price
        if strategy in PLANNERS:
            aims = self._aims([day])
            return choose.planned(men, self._outlook(feria, day), price, aims, fixed)
        if strategy in ACCOUNTANTS:
            return choose.accountant(men, self._outlook(feria, day), price, fixed)
        free = [man for man in men if man not in fixed]
        if strategy is Strategy.CHEAPEST:
            wish = choose.cheapest(free)
        elif strategy is Strategy.RANDOM:
            wish = choose.random_men(free, self._chance(f"random/{day}/{len(fixed)}"))
        elif strategy is Strategy.FAME:
            wish = choose.famous(free, self.ring)
        elif strategy is Strategy.STARS:
            wish = choose.stars(free)
        elif strategy is Strategy.NAME:
            wish = choose.name_and_cards(free, self.ring, self.pars)
        else:
            wish = choose.best_cards(free)
        return (*fixed, *wish[: MATADORS - len(fixed)])

    def _chance(self, label: str) -> Chance:
        return self.season.seed.chance(f"{label}/{self.plaza.slug}/{self.strategy.name}")

    def _men(
        self,
        feria: Feria,
        day: dt.date,
        today: dt.date,
        window: Window,
        billed: Mapping[int, int],
        keep: Sequence[int] = (),
    ) -> list[Man]:
        """Return the men who are free and fit, and those whom he keeps."""
        category = self.ring.category
        found = []
        for key, standing in self.season.standings(day, today).items():
            man = self.season.men[key]
            if key not in keep:
                if self._resting(key, day, today):
                    continue
                if window is not Window.WINTER and not is_free(
                    man, day, self.plaza.continent, self.plaza.slug
                ):
                    continue
            here = memory(self.town.past.get(man.slug, ()), self.season.year)
            freshness = fresh(billed.get(key, 0), triumphed=key in feria.triumphs)
            found.append(
                Man(
                    key,
                    draw(standing + here, freshness),
                    fee(self.ring, standing, window),
                    self.world.expected(self.season, category, key),
                )
            )
        return found

    def _resting(self, key: int, day: dt.date, known: dt.date) -> bool:
        others = self.season.men[key].rests
        mine = rest_of(self.rests.get(key, ()), day, known, "")
        return mine is not None or rest_of(others, day, known, self.plaza.slug) is not None

    def _close(self, feria: Feria, today: dt.date) -> None:
        billed: Counter[int] = Counter()
        pulls = []
        for held in feria.days:
            day = held.date
            if self.strategy is Strategy.MARKET:
                self._market_trio(day, today)
            else:
                self._fill(feria, day, today, Window.SEASON, billed)
            men = tuple(self.signed[day])
            feria.posters[day] = men
            pulls.append(self._pull(feria, day, today, men, billed))
            billed.update(men)
        factor = price_factor(feria.price, self.harvest)
        mood = mood_factor(self.town.mood)
        feria.tickets = season_tickets(self.ring, pulls, mood, factor)

    def _market_trio(self, day: dt.date, today: dt.date) -> None:
        played = self.season.corridas[self.plaza.slug, day]
        standings = self.season.standings(day, today)
        self.signed[day] = {
            man.key: fee(self.ring, standings[man.key], Window.SEASON) for man in played.order
        }

    def _fill(
        self,
        feria: Feria,
        day: dt.date,
        today: dt.date,
        window: Window,
        billed: Mapping[int, int],
    ) -> None:
        """Release the hurt, and fill the open places of a cartel."""
        for key in list(self.signed[day]):
            if self._resting(key, day, today):
                del self.signed[day][key]
        keep = tuple(self.signed[day])
        if len(keep) == MATADORS:
            return
        own = self.strategy not in BY_MARKET and (
            window is Window.SEASON or self.strategy in PLANNERS
        )
        if own:
            men = self._men(feria, day, today, window, billed, keep)
            fixed = tuple(man for man in men if man.matador in keep)
            if len(men) >= MATADORS:
                bill = self._choose(men, feria, day, fixed)
                new = {man.matador: man.fee for man in bill if man.matador not in keep}
                if sum(new.values()) <= self._free(today):
                    self.signed[day] |= new
                    return
        self._fill_by_market(day, today, window, keep)

    def _fill_by_market(
        self, day: dt.date, today: dt.date, window: Window, keep: tuple[int, ...]
    ) -> None:
        own: dict[int, list[Engagement]] = defaultdict(list)
        for other, men in self.signed.items():
            if other != day:
                for key in men:
                    own[key].append(Engagement(other, self.plaza.continent, FERIA))
        candidates = self.season.candidates(day, today, self.plaza.slug, own)
        bill = OpenCorrida(0, self.ring.category, self.plaza.continent, FERIA, keep)
        chance = self._chance(f"fill/{day}/{window.name}")
        agreed = contract(day, [bill], candidates, chance)[0]
        if agreed == OPEN:
            agreed = tuple(man.key for man in self.season.corridas[self.plaza.slug, day].order)
        standings = self.season.standings(day, today)
        self.signed[day] = {
            key: self.signed[day].get(key) or fee(self.ring, standings[key], window)
            for key in agreed
        }

    def _pull(
        self,
        feria: Feria,
        day: dt.date,
        known: dt.date,
        men: Sequence[int],
        billed: Mapping[int, int],
    ) -> int:
        here = self._here(day, known, men)
        draws = [
            draw(here[key], fresh(billed.get(key, 0), triumphed=key in feria.triumphs))
            for key in men
        ]
        return pull(cartel_draw(draws), self.pars.draw)

    def _here(self, day: dt.date, known: dt.date, men: Sequence[int]) -> dict[int, int]:
        standings, year = self.season.standings(day, known), self.season.year
        slugs = {key: self.season.men[key].slug for key in men}
        return {
            key: standings[key] + memory(self.town.past.get(slug, ()), year)
            for key, slug in slugs.items()
        }

    def _afternoon(self, feria: Feria, day: dt.date) -> None:
        if self.strategy is not Strategy.MARKET:
            self._fill(feria, day, day - EVE, Window.EVE, feria.fought)
        men, ring = tuple(self.signed[day]), self.ring
        strength = self._pull(feria, day, day, men, feria.fought)
        luck = draw_luck(self.season.seed, day, self.plaza.slug)
        factor, mood = price_factor(feria.price, self.harvest), mood_factor(self.town.mood)
        house = house_of(ring, day, strength, mood, factor, luck, feria.tickets)
        money = account(ring, house, feria.price, self.signed[day].values(), self.canon)
        self.cash += money.kept
        self.kept += money.kept
        share = house.share(ring)
        self.houses += share
        standings = self._here(day, day, (*men, *feria.posters[day]))
        gone = missed(
            {str(key): standings[key] for key in feria.posters[day]},
            {str(key): standings[key] for key in men},
        )
        shown = self._fight(feria, day, men)
        asked = ASKED[feria.price]
        self.town.mood = mood_after(self.town.mood, surprise(shown, asked, self.pars), gone)
        feria.fought.update(men)
        usual = self.usual[day].house
        self.held.append(Afternoon(share, usual, shown, asked, money.kept))

    def _fight(self, feria: Feria, day: dt.date, men: Sequence[int]) -> int:
        order, results = self._results(day, men)
        ears: Counter[int] = Counter()
        failed: set[int] = set()
        for result in results:
            for place in result.injured:
                key = order[place]
                slug = self.season.men[key].slug
                self.rests[key].append(wound(self.season.seed, slug, day, self.plaza.slug))
            if result.finisher is not None:
                key = order[result.finisher]
                ears[key] += result.trophy.ears if result.trophy else 0
                if result.ending is Ending.THREE_AVISOS or result.crowd == 1:
                    failed.add(key)
        for key in order:
            here = AfternoonHere(self.season.year, ears[key], key in failed)
            self.town.past[self.season.men[key].slug].append(here)
            if here.triumph:
                feria.triumphs.add(key)
        return seen(map(bull_points, results))

    def _results(
        self, day: dt.date, men: Sequence[int]
    ) -> tuple[tuple[int, ...], Sequence[LidiaResult]]:
        played = self.season.corridas[self.plaza.slug, day]
        order = tuple(man.key for man in played.order)
        if self.label is None and set(order) == set(men):
            return order, played.results
        cards = {self.season.men[key].card: key for key in men}
        setup = CorridaSetup(
            rules=self.world.rules,
            deck=self.world.roster.deck,
            plaza_rating=self.ring.category,
            matadors=tuple(cards),
        )
        label = f"corrida/{day.isoformat()}/{self.plaza.slug}"
        chance = self.season.seed.chance(label + (self.label or ""))
        record = play_corrida(setup, Seed(bytes(chance.below(256) for _ in range(32))))
        order = tuple(cards[card] for card in setup.order)
        return order, [lidia.result for lidia in record.lidias]
