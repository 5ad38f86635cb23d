"""The second implementation gives every figure of the worked example in the text.

Utrera, third category, 5,000 seats; Sunday 7 September 2031, first of three days; bad harvest,
popular price, mood 47, chance 960, no rain, nobody with a *here*.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest

from tests.corridas.world.box_office.second import house as h
from tests.corridas.world.box_office.second import judge, money, sheet, town
from tests.corridas.world.box_office.second.whole import nearest, power

SEATS, CATEGORY = 5_000, 3
FULL = 20_000
PAR_DRAW, PAR_FEE, PAR_SEEN, SD, UNIT = 3_700, 370, 170, 112, 84
MOOD, PRICE = 982, 1_128
SUNDAY, CHANCE = 1_100, 960
POSTER = [(70, 48, 42), (66, 57, 44), (63, 55, h.OPEN_PLACE)]
MARKET_PULLS = [1_057, 1_031, 1_062]  # the text gives the men of the first day only
TICKETS, WANTED, HOUSE = 1_645, 3_544, 3_873
FEES = [4_013, 2_252, 1_973]
USUAL = [654, 579, 579]
AFTERNOON = ["one ear", "two ears", "one ear", "aplausos", "silencio", "ovación"]


def of_names(men: tuple[int, ...]) -> int:
    """The pull of three men without a *here*, on their first afternoon."""
    return h.pull(h.cartel([h.draw(n, 100) for n in men]), PAR_DRAW)


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (Fraction(1, 2), 1),
        (Fraction(-1, 2), 0),
        (Fraction(-3, 2), -1),
        (Fraction(49, 100), 0),
        (Fraction(-51, 100), -1),
        (7, 7),
    ],
)
def test_halves_go_up(value: Fraction | int, whole: int) -> None:
    assert nearest(value) == whole


@pytest.mark.parametrize("n", range(113))
def test_powers_agree_with_floats(n: int) -> None:
    assert power(10_000, Fraction(n, 100), 3, 2) == floor(10_000 * (n / 100) ** 1.5 + 0.5)


def test_the_price_factors_of_the_table() -> None:
    assert [h.price_factor(h.POPULAR, e) for e in (h.GOOD, h.USUAL, h.BAD)] == [1_099, 1_113, 1_128]
    assert [h.price_factor(h.NORMAL, e) for e in (h.GOOD, h.USUAL, h.BAD)] == [1_000] * 3
    assert [h.price_factor(h.HIGH, e) for e in (h.GOOD, h.USUAL, h.BAD)] == [910, 896, 883]


def test_the_full_house_and_the_factors() -> None:
    assert h.seats_or_default(None, CATEGORY) == SEATS
    assert h.full_house(SEATS, CATEGORY) == FULL
    assert h.mood_factor(4_700) == MOOD
    assert h.price_factor(h.POPULAR, h.BAD) == PRICE
    assert h.day_factor(weekend=True) == SUNDAY
    assert judge.unit(SD) == UNIT


def test_the_season_tickets() -> None:
    pulls = [of_names(men) for men in POSTER]
    assert pulls == [1_087, 1_108, 1_016]
    assert h.mean_pull(pulls) == 1_070
    assert h.table_season(1_070) == 297
    assert h.tickets(SEATS, pulls, MOOD, PRICE) == TICKETS


def test_two_days_sell_no_season_tickets() -> None:
    assert h.tickets(SEATS, [1_087, 1_108], MOOD, PRICE) == 0


def test_the_house() -> None:
    draws = [h.draw(n, h.fresh(0, two_ears=False)) for n in (70, 48, 40)]
    assert draws == [5_857, 3_326, 2_530]
    a = h.cartel(draws)
    assert a == 4_296
    assert nearest(Fraction(100 * a, PAR_DRAW)) == 116
    pull = h.pull(a, PAR_DRAW)
    assert pull == 1_082
    wanted = h.wanted(SEATS, CATEGORY, pull, MOOD, SUNDAY, PRICE, CHANCE)
    assert wanted == WANTED
    assert nearest(Fraction(4 * TICKETS, 5)) == 1_316
    window = h.window(SEATS, TICKETS, wanted, rain=False)
    assert window == 2_228
    assert h.house(TICKETS, window) == HOUSE
    assert h.per_thousand(HOUSE, SEATS) == 775
    assert h.window(SEATS, TICKETS, wanted, rain=True) == 1_337


def test_the_fees() -> None:
    assert [money.share(n, CATEGORY) for n in (70, 48, 40)] == [2_112, 1_126, 858]
    fees = [
        money.fee(FULL, 70, CATEGORY, money.WINTER, 0),
        money.fee(FULL, 48, CATEGORY, money.SEASON, 0),
        money.fee(FULL, 40, CATEGORY, money.EVE, 0),
    ]
    assert fees == FEES
    assert sum(fees) == 8_238


def test_the_canon() -> None:
    weekend = [True, False, False]
    assert [h.usual_house(SEATS, CATEGORY, day, 9, 3) for day in weekend] == USUAL
    incomes = [money.usual_income(SEATS, CATEGORY, day, 9, 3) for day in weekend]
    assert incomes == [650, 571, 571]
    assert nearest(Fraction(sum(incomes), 3)) == 597
    assert money.canon(incomes, PAR_FEE) == 2


def test_the_money_kept() -> None:
    income = money.income(TICKETS, 2_228, CATEGORY, h.POPULAR)
    assert income == 13_069
    assert money.overheads(FULL) == 3_200
    assert money.canon_paid(FULL, 2) == 400
    assert money.kept(income, money.costs(FULL, FEES, 2)) == 1_231


def test_the_mood() -> None:
    bulls = [town.Bull(verdict) for verdict in AFTERNOON]
    assert sum(town.halves(bull) for bull in bulls) == 27
    seen = town.shown_by(bulls)
    assert seen == 225
    assert town.asked(h.POPULAR) == -5
    z = town.deviation_z(seen, PAR_SEEN, -5, SD)
    assert z == 54
    assert town.fade(4_700) == -9
    assert town.missed([42], [40]) == 1
    assert 4 * z == 216
    assert town.mood_after(4_700, z, 1) == 4_775


def test_the_mark() -> None:
    t = judge.taquilla([775], USUAL[:1])
    a = judge.aficion([225], [-5], PAR_SEEN, UNIT)
    c = judge.cuentas([1_231], FULL)
    assert (t, a, c) == (76, 71, 19)
    assert judge.mark(t, a, c) == 78


def test_the_bar() -> None:
    assert of_names((64, 52, 41)) == MARKET_PULLS[0]
    price = h.price_factor(h.NORMAL, h.BAD)
    sold = h.tickets(SEATS, MARKET_PULLS, MOOD, price)
    assert sold == 1_419
    wanted = h.wanted(SEATS, CATEGORY, MARKET_PULLS[0], MOOD, SUNDAY, price, CHANCE)
    assert wanted == 3_069
    window = h.window(SEATS, sold, wanted, rain=False)
    full = h.house(sold, window)
    assert (full, h.per_thousand(full, SEATS)) == (3_353, 671)
    fees = [money.fee(FULL, n, CATEGORY, money.SEASON, 0) for n in (64, 52, 41)]
    assert fees == [3_612, 2_556, 1_778]
    income = money.income(sold, window, CATEGORY, h.NORMAL)
    assert income == 13_314
    kept = money.kept(income, money.costs(FULL, fees, 2))
    assert kept == 1_768
    t = judge.taquilla([671], USUAL[:1])
    a = judge.aficion([175], [town.asked(h.NORMAL)], PAR_SEEN, UNIT)
    c = judge.cuentas([kept], FULL)
    assert (t, a, c) == (11, 6, 64)
    assert judge.mark(t, a, c) == 64
    assert judge.above_the_bar(78, 64) == 14


def test_the_sheet() -> None:
    running = sheet.levels(SEATS, CATEGORY, 1_082, MOOD, SUNDAY, PRICE, CHANCE)
    shown = [str(float(sheet.in_a_hundred(people, SEATS))) for people in running]
    assert shown == ["56.0", "60.6", "59.5", "65.5", "73.8", "70.9"]
    added = sheet.steps(running, SEATS, TICKETS, rain=False)
    assert float(sheet.in_a_hundred(added["tickets"], SEATS)) == 6.6
    assert added["turned away"] == 0
    assert added["rain"] == 0
    assert float(sheet.in_a_hundred(HOUSE, SEATS)) == 77.5
    assert nearest(sum(added.values(), Fraction(0))) == HOUSE
    assert sheet.why(added, SEATS, more=True) == ("price", 419)
    assert sheet.why(added, SEATS, more=False) == ("chance", 148)
