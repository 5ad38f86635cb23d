"""The rules agree with a second implementation that was written from their text alone.

Seasons of a plaza are generated, each from a number. `BOX_OFFICE_CORRIDAS` is the number of
corridas; by default some hundreds are compared, and ten thousand after a change of the rules.
"""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import pytest

from corridas.engine import Crowd, Trophy
from corridas.world import box_office as rules
from corridas.world.box_office import Afternoon, Demand, Factor, Harvest, Lines, Pars, Price, Ring
from fairness import Chance, Seed
from tests.corridas.world.box_office.second import house, judge, money, sheet, town
from tests.corridas.world.box_office.second.whole import nearest

CORRIDAS: Final = int(os.environ.get("BOX_OFFICE_CORRIDAS", "600"))
BATCH: Final = 200
MOST_DAYS: Final = 9
VERDICTS: Final = {
    "bronca": (None, Crowd.BRONCA),
    "pitos": (None, Crowd.PITOS),
    "silencio": (None, Crowd.SILENCIO),
    "división": (None, Crowd.DIVISION),
    "aplausos": (None, Crowd.APLAUSOS),
    "ovación": (None, Crowd.OVACION),
    "one ear": (Trophy.OREJA, None),
    "two ears": (Trophy.DOS_OREJAS, None),
    "tail": (Trophy.RABO, None),
}
THIRD_AVISO: Final = -8
FACTORS: Final = dict(zip((*sheet.NAMES, "tickets", "turned away", "rain"), Factor, strict=True))


def between(chance: Chance, low: int, high: int) -> int:
    return low + chance.below(high - low + 1)


@dataclass(frozen=True)
class Man:
    """A matador of a generated poster, with his afternoons in this plaza."""

    rating: int
    form: int
    here: list[rules.AfternoonHere]
    earlier: int
    triumphed: bool
    diary: int

    @classmethod
    def generated(cls, chance: Chance) -> Man:
        here = [
            rules.AfternoonHere(
                year=2031 - chance.below(5), ears=chance.below(4), failed=chance.below(4) == 0
            )
            for _number in range(chance.below(4))
        ]
        return cls(
            rating=between(chance, 0, 100),
            form=between(chance, -100, 100),
            here=here,
            earlier=chance.below(5),
            triumphed=chance.below(5) == 0,
            diary=chance.below(30),
        )

    def standings(self) -> tuple[int, int]:
        """Compare and return his standing, and his standing here."""
        plain = rules.standing(self.rating, self.form)
        assert plain == house.standing(self.rating, self.form)
        known = [each for each in self.here if 2029 <= each.year <= 2031]
        there = plain + rules.memory(self.here, 2031)
        assert there == house.standing_here(
            plain, [each.ears >= 2 for each in known], [each.failed for each in known]
        )
        return plain, there

    def draw(self) -> int:
        _plain, there = self.standings()
        freshness = rules.fresh(self.earlier, triumphed=self.triumphed)
        assert freshness == house.fresh(self.earlier, self.triumphed)
        drawn = rules.draw(there, freshness)
        assert drawn == house.draw(there, freshness)
        return drawn


class Plaza:
    """A generated season of a plaza, whose figures are compared one after another."""

    def __init__(self, chance: Chance, days: int) -> None:
        self.chance = chance
        category = between(chance, 1, 3)
        seats = None if chance.below(10) == 0 else between(chance, 800, 25_000)
        self.ring = Ring.of(category, seats)
        self.seats, self.category = house.seats_or_default(seats, category), category
        self.full = house.full_house(self.seats, category)
        assert (self.ring.seats, self.ring.full_house) == (self.seats, self.full)
        sd = between(chance, 60, 160)
        self.pars = Pars(
            draw=between(chance, 1_500, 9_000),
            fee=between(chance, 300, 450),
            seen=between(chance, 60, 260),
            sd=sd,
            unit=judge.unit(sd),
        )
        self.harvest = Harvest(chance.below(3))
        self.price = list(Price)[chance.below(3)]
        self.mood = between(chance, 0, 10_000)
        first = dt.date(2031, 1, 1) + dt.timedelta(days=chance.below(350))
        self.days = [first + dt.timedelta(days=day) for day in range(days)]
        self.posters = [[Man.generated(chance) for _place in range(3)] for _day in self.days]

    def play(self) -> None:
        """Compare a whole season."""
        tickets = self.tickets()
        canon, usual = self.canon()
        played = [
            self.afternoon(day, poster, tickets, canon, usual[number])
            for number, (day, poster) in enumerate(zip(self.days, self.posters, strict=True))
        ]
        self.judged(played, canon)

    def pull(self, poster: list[Man]) -> int:
        draws = [man.draw() for man in poster]
        cartel = rules.cartel_draw(draws)
        assert cartel == house.cartel(draws)
        pull = rules.pull(cartel, self.pars.draw)
        assert pull == house.pull(cartel, self.pars.draw)
        return pull

    def factors(self) -> tuple[int, int]:
        mood = rules.mood_factor(self.mood)
        assert mood == house.mood_factor(self.mood)
        price = rules.price_factor(self.price, self.harvest)
        assert price == house.price_factor(self.price.value, self.harvest.value)
        return mood, price

    def tickets(self) -> int:
        pulls = [self.pull(poster) for poster in self.posters]
        sold = rules.season_tickets(self.ring, pulls, *self.factors())
        assert sold == house.tickets(self.seats, pulls, *self.factors())
        return sold

    def canon(self) -> tuple[int, list[int]]:
        days = [rules.usual_day(self.ring, day, len(self.days)) for day in self.days]
        for day, usual in zip(self.days, days, strict=True):
            same = (self.seats, self.category, day.weekday() >= 5, day.month, len(self.days))
            assert usual.house == house.usual_house(*same)
            assert usual.income == money.usual_income(*same)
        canon = rules.canon(days, self.pars)
        assert canon == money.canon([usual.income for usual in days], self.pars.fee)
        return canon, [usual.house for usual in days]

    def afternoon(
        self, day: dt.date, poster: list[Man], tickets: int, canon: int, usual: int
    ) -> Afternoon:
        came = self.house(day, poster, tickets)
        kept = self.money(came, poster, canon)
        seen = self.seen(poster)
        asked = rules.ASKED[self.price]
        assert asked == town.asked(self.price.value)
        return Afternoon(came.share(self.ring), usual, seen, asked, kept)

    def house(self, day: dt.date, poster: list[Man], tickets: int) -> rules.House:
        numbers = [self.chance.below(151), self.chance.below(151)]
        rain = house.rains(self.chance.below(100), day.month)
        luck = rules.Luck(house.chance_factor(*numbers), rain)
        mood, price = self.factors()
        demand = (self.pull(poster), mood, house.day_factor(day.weekday() >= 5), price, luck.chance)
        came = rules.house_of(self.ring, day, demand[0], mood, price, luck, tickets)
        wanted = house.wanted(self.seats, self.category, *demand)
        window = house.window(self.seats, tickets, wanted, rain)
        assert (came.wanted, came.window) == (wanted, window)
        assert came.total == house.house(tickets, window)
        share = came.share(self.ring)
        assert share == house.per_thousand(came.total, self.seats)
        word = rules.house_word(share).name.lower().replace("_", " ")
        assert word == sheet.house_word(share).removeprefix("a ")
        self.waterfall(demand, tickets, rain=rain)
        return came

    def waterfall(
        self, demand: tuple[int, int, int, int, int], tickets: int, *, rain: bool
    ) -> None:
        running = sheet.levels(self.seats, self.category, *demand)
        added = sheet.steps(running, self.seats, tickets, rain)
        # The site ends the step of chance at the whole number of people who want to come.
        added["chance"] = nearest(running[-1]) - running[-2]
        if running[-1] < added["tickets"] * 4:
            # Fewer people come than hold tickets: the text does not say how the steps add up then.
            return
        fall = rules.waterfall(self.ring, Demand(*demand), tickets, rain=rain)
        for more, mine in ((True, fall.why_more), (False, fall.why_fewer)):
            reason = sheet.why(added, self.seats, more)
            # Of steps down, the site rounds the negative number, halves up.
            people = reason and abs(nearest(added[reason[0]]))
            named = mine and (mine.factor, abs(mine.people))
            assert named == (reason and (FACTORS[reason[0]], people))

    def money(self, came: rules.House, poster: list[Man], canon: int) -> int:
        fees = []
        for man, window in zip(poster, rules.Window, strict=True):
            plain, _there = man.standings()
            fees.append(rules.fee(self.ring, plain, window, man.diary))
            other = (self.full, plain, self.category, window.value, man.diary)
            assert fees[-1] == money.fee(*other)
        account = rules.account(self.ring, came, self.price, fees, canon)
        level = self.price.value
        earned = money.income(came.season_tickets, came.window, self.category, level)
        assert account.income == earned
        assert account.kept == money.kept(earned, money.costs(self.full, fees, canon))
        return account.kept

    def seen(self, poster: list[Man]) -> int:
        """Compare what the town saw of six bulls, and its mood afterwards."""
        points, bulls = [], []
        for _bull in range(6):
            name = [*VERDICTS, "third aviso"][self.chance.below(len(VERDICTS) + 1)]
            lap, spared = self.chance.below(4) == 0, self.chance.below(20) == 0
            if name == "third aviso":
                points.append(THIRD_AVISO)
                bulls.append(town.Bull(name))
                continue
            trophy, crowd = VERDICTS[name]
            lap = lap and trophy is None
            points.append(rules.half_points(trophy, crowd, lap=lap, spared=spared))
            bulls.append(town.Bull(name, lap_without_ear=lap, indulto=spared))
        seen = rules.seen(points)
        assert seen == town.shown_by(bulls)
        z = rules.surprise(seen, rules.ASKED[self.price], self.pars)
        asked = town.asked(self.price.value)
        assert z == town.deviation_z(seen, self.pars.seen, asked, self.pars.sd)
        missed = self.missed(poster)
        after = rules.mood_after(self.mood, z, missed)
        assert after == town.mood_after(self.mood, z, missed)
        assert rules.mood_after_winter(after) == town.mood_after_winter(after)
        assert rules.mood_word(after).name.lower().replace("_", " ") == sheet.mood_word(after)
        self.mood = after
        return seen

    def missed(self, poster: list[Man]) -> int:
        gone = self.chance.below(4)
        announced = {str(place): man.standings()[1] for place, man in enumerate(poster)}
        names = list(announced)[gone:]
        new = {f"new {place}": between(self.chance, 0, 110) for place in range(gone)}
        fought = {name: announced[name] for name in names} | new
        missed = rules.missed(announced, fought)
        absent = [announced[name] for name in announced if name not in fought]
        assert missed == town.missed(absent, [*new.values()])
        return missed

    def judged(self, played: list[Afternoon], canon: int) -> None:
        lines = rules.judge(played, self.pars, self.full)
        shows, asked = [each.seen for each in played], [each.asked for each in played]
        kept = [each.kept for each in played]
        other = (
            judge.taquilla([each.house for each in played], [each.usual for each in played]),
            judge.aficion(shows, asked, self.pars.seen, self.pars.unit),
            judge.cuentas(kept, self.full),
        )
        assert (lines.houses, lines.cards, lines.money) == tuple(map(judge.limited, other))
        assert lines.mark == judge.mark(*other)
        self.trusted(lines)
        self.cash(sum(kept), canon)

    def trusted(self, lines: Lines) -> None:
        old = rules.Trust(*(between(self.chance, -300, 100) for _line in range(3)))
        after = old.after(lines)
        same = [
            judge.trust_line(before, line)
            for before, line in (
                (old.houses, lines.houses),
                (old.cards, lines.cards),
                (old.money, lines.money),
            )
        ]
        assert [after.houses, after.cards, after.money] == same
        season = between(self.chance, 1, 6)
        outcome = judge.outcome(same, season == 1, season % 3 == 0)
        dismissed = rules.is_dismissed(after, season)
        assert dismissed == (outcome == judge.DISMISSED)
        assert rules.ends_term(season) == (season % 3 == 0)
        if rules.ends_term(season) and not dismissed:
            assert rules.is_renewed(after) == (outcome == judge.RENEWED)
        before = between(self.chance, 0, 1_000)
        happened = [self.chance.below(3) == 0 for _event in range(3)]
        reputation = rules.reputation_after(
            before, lines.mark, bankrupt=happened[0], dismissed=happened[1], left=happened[2]
        )
        assert reputation == judge.reputation(before, lines.mark, *happened)
        assert rules.step_reached(reputation) == judge.step(reputation) + 1

    def cash(self, kept: int, canon: int) -> None:
        days = len(self.days)
        whole = days * self.full
        begun = rules.starting_cash(whole)
        assert begun == money.first_cash(self.full, days)
        promised = [self.chance.below(5_000) for _fee in range(self.chance.below(6))]
        cash = begun + kept - between(self.chance, 0, whole // 4)
        free = rules.free_money(cash, self.full, days, promised)
        assert free == money.free_money(cash, self.full, days, promised)
        assert rules.to_fortune(cash, whole) == money.to_fortune(cash, self.full, days)
        assert rules.is_bankrupt(cash, whole) == money.bankrupt(cash, self.full, days)
        rise = money.canon_rise(kept, self.full, days)
        assert rules.renewed_canon(canon, kept, days, self.full) == min(25, canon + rise)


def batches() -> list[range]:
    starts = range(0, CORRIDAS, BATCH)
    return [range(start, min(start + BATCH, CORRIDAS)) for start in starts]


@pytest.mark.parametrize("numbers", batches(), ids=lambda numbers: f"{numbers[0]}-{numbers[-1]}")
def test_both_implementations_agree_on_every_figure(numbers: range) -> None:
    left = len(numbers)
    seed = Seed(sha256(f"box office {numbers[0]}".encode()).digest())
    plaza = 0
    while left:
        plaza += 1
        chance = seed.chance(f"plaza {plaza}")
        days = min(left, between(chance, 1, MOST_DAYS))
        Plaza(chance, days).play()
        left -= days


@pytest.mark.parametrize("category", [1, 2, 3])
@pytest.mark.parametrize("standing", range(-10, 121))
def test_both_implementations_agree_on_every_draw_and_fee(standing: int, category: int) -> None:
    ring = Ring(category, 10_000)
    assert rules.draw(standing) == house.draw(standing, 100)
    for window in rules.Window:
        other = money.fee(ring.full_house, standing, category, window.value, 0)
        assert rules.fee(ring, standing, window) == other
