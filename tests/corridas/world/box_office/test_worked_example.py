"""The worked example of docs/empresa.md: an afternoon in Utrera, with every number."""

import datetime as dt

from corridas.world.box_office import (
    ASKED,
    Afternoon,
    Demand,
    Factor,
    Harvest,
    House,
    Lines,
    Luck,
    Pars,
    Price,
    Ring,
    Window,
    account,
    canon,
    cartel_draw,
    day_factor,
    draw,
    fee,
    fee_share,
    house_of,
    income,
    judge,
    missed,
    mood_after,
    mood_factor,
    price_factor,
    pull,
    season_tickets,
    seen,
    surprise,
    usual_day,
    wanted,
    waterfall,
)
from corridas.world.box_office.rounding import rounded
from corridas.world.box_office.tables import FADES, MOOD, SEASON

UTRERA = Ring(category=3, seats=5_000)
PARS = Pars(draw=3_700, fee=370, seen=170, sd=112, unit=84)
DAYS = [dt.date(2031, 9, day) for day in (7, 8, 9)]
MOOD_BEFORE = 4_700
FACTOR = 982
POPULAR = price_factor(Price.POPULAR, Harvest.BAD)
DRY = Luck(960, rain=False)
# The posters of the three days: standings of the announced matadors; 22 is an open place.
POSTER = [(70, 48, 42), (66, 57, 44), (63, 55, 22)]
MARKET = (64, 52, 41)


def pull_of(standings: tuple[int, ...]) -> int:
    return pull(cartel_draw(map(draw, standings)), PARS.draw)


def test_plaza_day_and_factors() -> None:
    assert UTRERA.full_house == 20_000
    assert DAYS[0].isoweekday() == 7
    assert day_factor(DAYS[0]) == 1_100
    assert mood_factor(MOOD_BEFORE) == FACTOR
    assert POPULAR == 1_128


def test_season_tickets_sell_on_the_poster() -> None:
    pulls = [pull_of(standings) for standings in POSTER]
    assert pulls == [1_087, 1_108, 1_016]
    assert rounded(sum(pulls), 3) == 1_070
    assert SEASON[1_070] == 297
    assert season_tickets(UTRERA, pulls, FACTOR, POPULAR) == 1_645


def test_house_of_the_afternoon() -> None:
    draws = [draw(70), draw(48), draw(40)]
    assert draws == [5_857, 3_326, 2_530]
    assert cartel_draw(draws) == 4_296
    assert rounded(100 * 4_296, PARS.draw) == 116
    assert pull_of((70, 48, 40)) == 1_082
    house = house_of(UTRERA, DAYS[0], 1_082, FACTOR, POPULAR, DRY, 1_645)
    assert rounded(4 * 1_645, 5) == 1_316
    assert house == House(season_tickets=1_645, wanted=3_544, window=2_228)
    assert house.total == 3_873
    assert house.share(UTRERA) == 775
    rainy = house_of(UTRERA, DAYS[0], 1_082, FACTOR, POPULAR, Luck(960, rain=True), 1_645)
    assert rainy.window == 1_337


def test_fees_and_money_of_the_afternoon() -> None:
    assert [fee_share(3, standing) for standing in (70, 48, 40)] == [2_112, 1_126, 858]
    fees = [
        fee(UTRERA, 70, Window.WINTER),
        fee(UTRERA, 48, Window.SEASON),
        fee(UTRERA, 40, Window.EVE),
    ]
    assert fees == [4_013, 2_252, 1_973]
    assert sum(fees) == 8_238
    house = House(season_tickets=1_645, wanted=3_544, window=2_228)
    money = account(UTRERA, house, Price.POPULAR, fees, canon=2)
    assert (money.income, money.fees, money.costs, money.canon) == (13_069, 8_238, 3_200, 400)
    assert money.kept == 1_231


def test_canon_of_the_feria() -> None:
    usual = [usual_day(UTRERA, day, feria_days=3) for day in DAYS]
    assert [day.house for day in usual] == [654, 579, 579]
    assert [day.income for day in usual] == [650, 571, 571]
    assert rounded(sum(day.income for day in usual), 3) == 597
    assert canon(usual, PARS) == 2


def test_mood_after_the_afternoon() -> None:
    halves = [6, 12, 6, 1, -1, 3]
    assert sum(halves) == 27
    assert seen(halves) == 225
    moved = surprise(225, ASKED[Price.POPULAR], PARS)
    assert moved == 54
    assert rounded(FADES * (MOOD_BEFORE - MOOD), 100) == -9
    gone = missed({"a": 70, "b": 48, "c": 42}, {"a": 70, "b": 48, "d": 40})
    assert gone == 1
    assert mood_after(MOOD_BEFORE, moved, gone) == 4_775


def test_mark_of_the_afternoon() -> None:
    asked = ASKED[Price.POPULAR]
    afternoon = Afternoon(house=775, usual=654, seen=225, asked=asked, kept=1_231)
    lines = judge([afternoon], PARS, UTRERA.full_house)
    assert lines == Lines(houses=76, cards=71, money=19)
    assert lines.mark == 78


def test_bar_of_the_afternoon() -> None:
    assert pull_of(MARKET) == 1_057
    assert season_tickets(UTRERA, [1_057, 1_031, 1_062], FACTOR, 1_000) == 1_419
    demand = Demand(1_057, FACTOR, 1_100, 1_000, 960)
    assert wanted(UTRERA, demand) == 3_069
    house = house_of(UTRERA, DAYS[0], 1_057, FACTOR, 1_000, DRY, 1_419)
    assert house.total == 3_353
    assert house.share(UTRERA) == 671
    fees = [fee(UTRERA, standing, Window.SEASON) for standing in MARKET]
    assert fees == [3_612, 2_556, 1_778]
    assert income(UTRERA, house, Price.NORMAL) == 13_314
    kept = account(UTRERA, house, Price.NORMAL, fees, canon=2).kept
    assert kept == 1_768
    afternoon = Afternoon(house=671, usual=654, seen=175, asked=0, kept=kept)
    lines = judge([afternoon], PARS, UTRERA.full_house)
    assert lines == Lines(houses=11, cards=6, money=64)
    assert lines.mark == 64
    assert 78 - lines.mark == 14


def test_waterfall_of_the_sheet() -> None:
    demand = Demand(1_082, FACTOR, 1_100, POPULAR, 960)
    sheet = waterfall(UTRERA, demand, 1_645, rain=False)
    assert [step.factor for step in sheet.steps] == list(Factor)
    assert [step.total for step in sheet.steps] == [560, 606, 595, 655, 738, 709, 775, 775, 775]
    assert [step.change for step in sheet.steps[6:]] == [66, 0, 0]
    assert sheet.why_more is not None
    assert sheet.why_more.factor is Factor.PRICE
    assert sheet.why_fewer is not None
    assert sheet.why_fewer.factor is Factor.CHANCE
