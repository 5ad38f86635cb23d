"""Strategies of the benchmark, and the accountant's advice."""

import datetime as dt
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.world.box_office import Harvest, Pars, Price, Ring, Window, draw, fee, usual_day
from corridas.world.box_office.strategies import (
    Aims,
    Bill,
    Man,
    Outlook,
    accountant,
    best_cards,
    best_price,
    cheapest,
    climb,
    famous,
    name_and_cards,
    planned,
    random_men,
    stars,
    total,
)
from fairness import Seed
from tests.properties import examples

RING = Ring(3, 5_000)
PARS = Pars(draw=3_700, fee=370, seen=170, sd=112, unit=84)
DAY = dt.date(2031, 9, 7)
MEN = [
    Man(n, draw(standing), fee(RING, standing, Window.WINTER), shown)
    for n, (standing, shown) in enumerate(
        [(90, 190), (75, 250), (70, 160), (55, 150), (48, 220), (40, 180), (25, 120), (8, 90)]
    )
]


def outlook(harvest: Harvest = Harvest.USUAL, feria_days: int = 3) -> Outlook:
    usual = usual_day(RING, DAY, feria_days)
    return Outlook(RING, PARS, DAY, feria_days, usual, harvest, 5_000, 2)


def keys(bill: Bill) -> list[int]:
    return sorted(man.matador for man in bill)


def test_one_idea_takes_the_first_three() -> None:
    assert keys(cheapest(MEN)) == [5, 6, 7]
    assert keys(stars(MEN)) == [0, 1, 2]
    assert keys(best_cards(MEN)) == [0, 1, 4]
    chosen = random_men(MEN, Seed(bytes(32)).chance("random"))
    assert len(set(chosen)) == 3


def test_famous_cartel_stays_within_its_budget() -> None:
    bill = famous(MEN, RING)
    assert sum(man.fee for man in bill) <= 6_800
    poor = Ring(3, 100)
    assert keys(famous(MEN, poor)) == [5, 6, 7]


def test_name_and_cards_has_the_largest_name() -> None:
    bill = name_and_cards(MEN, RING, PARS)
    assert bill[0].matador == 0
    assert keys(bill) == [0, 4, 5]


@pytest.mark.parametrize("price", list(Price))
def test_accountant_keeps_most_money(price: Price) -> None:
    day = outlook()
    kept = max(day.forecast(bill, price).kept for bill in combinations(MEN, 3))
    assert day.forecast(accountant(MEN, day, price), price).kept == kept


def test_fixed_men_stay() -> None:
    day = outlook()
    bill = accountant(MEN, day, Price.NORMAL, (MEN[7],))
    assert bill[-1] is MEN[7]
    assert len(set(keys(bill))) == 3
    with pytest.raises(ValueError, match="fewer than three"):
        climb(MEN[:2], lambda bill: 0)


def test_planner_does_not_pay_for_a_line_beyond_its_limit() -> None:
    day = outlook()
    aims = Aims(held=2, others=(3_000.0, 3_000.0, -200.0))
    bill = planned(MEN, day, Price.NORMAL, aims)
    assert keys(bill) == keys(accountant(MEN, day, Price.NORMAL))
    blind = Aims(held=1, others=(0.0, 0.0, 0.0), cards=False)
    assert blind.score((0.0, 100.0, 0.0)) == blind.score((0.0, -100.0, 0.0))


def test_bad_harvest_makes_high_prices_worse() -> None:
    aims = Aims(held=1, others=(0.0, 0.0, 0.0))
    bill = (MEN[2], MEN[4], MEN[5])
    gains = []
    for harvest in Harvest:
        day = outlook(harvest)
        high, normal = (aims.score(day.lines(bill, price)) for price in (Price.HIGH, Price.NORMAL))
        gains.append(high - normal)
    assert gains == sorted(gains, reverse=True)
    assert best_price([(outlook(Harvest.BAD), bill)], aims) in Price


@settings(max_examples=examples(50))
@given(st.permutations(MEN))
def test_choice_of_the_first_three_does_not_depend_on_the_order(men: list[Man]) -> None:
    assert keys(cheapest(men)) == [5, 6, 7]
    assert keys(name_and_cards(men, RING, PARS)) == [0, 4, 5]


def test_forecast_falls_with_fees_and_lines_add_up() -> None:
    day = outlook(feria_days=1)
    dear = [Man(man.matador, man.draw, man.fee + 100, man.expected) for man in MEN[:3]]
    before, after = (day.forecast(tuple(men), Price.NORMAL) for men in (MEN[:3], dear))
    assert after.kept == before.kept - 300
    assert (after.house, after.seen) == (before.house, before.seen)
    assert total([(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)]) == (5.0, 7.0, 9.0)
