"""Fees, draws, houses, season tickets, the canon and money, at their limits."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.world.box_office import (
    AfternoonHere,
    Demand,
    House,
    Luck,
    Pars,
    Price,
    Ring,
    UsualDay,
    Window,
    account,
    canon,
    cartel_draw,
    day_factor,
    draw,
    draw_harvest,
    draw_luck,
    fee,
    fee_share,
    free_money,
    fresh,
    house_of,
    income,
    is_bankrupt,
    memory,
    mood_factor,
    pull,
    rain_odds,
    renewed_canon,
    season_tickets,
    seat_public,
    standing,
    starting_cash,
    to_fortune,
    usual_day,
    wanted,
)
from fairness import Seed
from tests.properties import examples

RINGS = st.builds(Ring, st.integers(1, 3), st.integers(1, 50_000))
STANDINGS = st.integers(-20, 130)
SUNDAY, FRIDAY = dt.date(2031, 9, 7), dt.date(2031, 9, 5)
PARS = Pars(draw=3_700, fee=370, seen=170, sd=112, unit=84)


@pytest.mark.parametrize(
    ("category", "standing", "share"),
    [
        (1, 0, 250),
        (1, -5, 250),
        (1, 100, 2_150),
        (1, 117, 2_150),
        (2, 100, 2_450),
        (3, 100, 4_050),
        (3, 50, 1_200),
        (2, 15, 300),
    ],
)
def test_fee_share_by_standing(category: int, standing: int, share: int) -> None:
    assert fee_share(category, standing) == share


def test_diary_and_window_raise_the_fee() -> None:
    ring = Ring(3, 5_000)
    assert fee(ring, 50, Window.SEASON) == 2_400
    assert fee(ring, 50, Window.WINTER) == 2_280
    assert fee(ring, 50, Window.EVE) == 2_760
    assert fee(ring, 50, Window.SEASON, diary=7) == 2_568


@pytest.mark.parametrize(
    ("rated", "form", "with_form"),
    [(50, 0, 50), (50, 5, 50), (50, 6, 51), (50, -1, 49), (50, -6, 49), (100, 100, 116)],
)
def test_standing_with_form_is_rounded_down(rated: int, form: int, with_form: int) -> None:
    assert standing(rated, form) == with_form


def test_draw_fades_within_a_feria_until_a_triumph() -> None:
    assert [fresh(earlier) for earlier in range(6)] == [100, 72, 50, 40, 40, 40]
    assert fresh(3, triumphed=True) == 100
    assert [draw(100, fresh(earlier)) for earlier in range(4)] == [10_000, 7_200, 5_000, 4_000]
    assert draw(-3) == 0
    assert draw(112) == draw(130) == 11_853


def test_pull_of_a_usual_cartel_and_of_the_largest() -> None:
    assert pull(6_570, 6_570) == 1_000
    assert pull(0, 6_570) == 300
    assert pull(10_000, 100) == pull(400, 100) == 2_280


@given(st.permutations([1_000, 5_000, 9_000]))
def test_cartel_draws_the_same_in_any_order(draws: list[int]) -> None:
    assert cartel_draw(draws) == 5_909


@pytest.mark.parametrize(
    ("afternoons", "adds"),
    [
        ([], 0),
        ([AfternoonHere(2030, 1, failed=False)], 0),
        ([AfternoonHere(2030, 2, failed=False)], 5),
        ([AfternoonHere(2030, 2, failed=True)], 5),
        ([AfternoonHere(2028, 2, failed=False)], 5),
        ([AfternoonHere(2027, 2, failed=False)], 0),
        ([AfternoonHere(2030, 0, failed=True)], -6),
        ([AfternoonHere(2027, 0, failed=True)], 0),
        ([AfternoonHere(2029, 3, failed=False), AfternoonHere(2030, 0, failed=True)], 5),
        ([AfternoonHere(2029, 0, failed=True), AfternoonHere(2030, 4, failed=False)], 5),
        ([AfternoonHere(2027, 2, failed=False), AfternoonHere(2030, 0, failed=True)], -6),
        ([AfternoonHere(2031, 2, failed=False)], 0),
    ],
)
def test_memory_of_a_town(afternoons: list[AfternoonHere], adds: int) -> None:
    assert memory(afternoons, 2030) == adds


def test_saturday_and_sunday_are_the_weekend() -> None:
    week = [day_factor(SUNDAY - dt.timedelta(days=back)) for back in range(7)]
    assert week == [1_100, 1_100, 960, 960, 960, 960, 960]
    assert [rain_odds(dt.date(2031, month, 1)) for month in (6, 7, 8, 9)] == [10, 4, 4, 10]


def test_holders_of_tickets_are_never_sent_away() -> None:
    ring = Ring(3, 1_000)
    assert seat_public(ring, 100, 550, rain=False) == House(550, 100, 0)
    assert seat_public(ring, 5_000, 550, rain=False) == House(550, 5_000, 450)
    assert seat_public(ring, 5_000, 550, rain=True) == House(550, 5_000, 270)
    assert seat_public(ring, 700, 3, rain=False).window == 698


def test_season_tickets_need_three_days_and_have_a_limit() -> None:
    ring = Ring(1, 10_000)
    assert season_tickets(ring, [1_000, 1_000], 1_000, 1_000) == 0
    assert season_tickets(ring, [1_000, 1_000, 1_000], 1_000, 1_000) == 2_700
    assert season_tickets(ring, [2_280] * 3, 1_300, 1_128) == 5_500
    assert season_tickets(Ring(1, 9_999), [2_280] * 3, 1_300, 1_128) == 5_499


@settings(max_examples=examples(200))
@given(
    RINGS,
    st.integers(300, 2_280),
    st.integers(0, 10_000),
    st.sampled_from([874, 1_000, 1_128]),
    st.integers(850, 1_150),
    st.integers(0, 100),
    st.booleans(),
)
def test_house_never_exceeds_the_seats_and_grows_with_the_pull(
    ring: Ring, strength: int, mood: int, price: int, chance: int, more: int, rain: bool
) -> None:
    factor, luck = mood_factor(mood), Luck(chance, rain)
    tickets = season_tickets(ring, [strength] * 4, factor, price)
    house = house_of(ring, SUNDAY, strength, factor, price, luck, tickets)
    assert 0 <= house.season_tickets <= house.total <= ring.seats
    larger = house_of(ring, SUNDAY, strength + more, factor, price, luck, tickets)
    assert larger.total >= house.total
    weekday = house_of(ring, FRIDAY, strength, factor, price, luck, tickets)
    assert weekday.total <= house.total
    assert income(ring, house, Price.HIGH) >= income(ring, house, Price.POPULAR)


@settings(max_examples=examples(200))
@given(RINGS, STANDINGS, STANDINGS, st.sampled_from(Window), st.integers(0, 60))
def test_bigger_name_draws_more_and_asks_more(
    ring: Ring, one: int, other: int, window: Window, diary: int
) -> None:
    low, high = sorted((one, other))
    assert draw(low) <= draw(high)
    assert fee(ring, low, window, diary) <= fee(ring, high, window, diary)
    assert fee(ring, low, window, diary) <= fee(ring, low, window, diary + 1)
    assert fee(ring, low, Window.WINTER) <= fee(ring, low, Window.SEASON)


@settings(max_examples=examples(100))
@given(st.integers(1, 3), st.integers(500, 2_000), st.integers(300, 2_000))
def test_seats_change_shares_by_rounding_only(category: int, strength: int, seats: int) -> None:
    shares = []
    for ring in (Ring(category, seats), Ring(category, 10 * seats)):
        tickets = season_tickets(ring, [strength] * 3, 1_000, 1_000)
        luck = Luck(1_000, rain=False)
        house = house_of(ring, SUNDAY, strength, 1_000, 1_000, luck, tickets)
        shares.append(house.total / ring.seats)
    assert abs(shares[0] - shares[1]) < 2.5 / seats


def test_usual_day_of_a_single_date_has_no_season_tickets() -> None:
    ring = Ring(3, 5_000)
    assert usual_day(ring, SUNDAY, 2) == UsualDay(house=591, income=627)
    assert usual_day(ring, SUNDAY, 3) == UsualDay(house=654, income=650)


@pytest.mark.parametrize(
    ("earned", "whole"),
    [(580, 0), (400, 0), (584, 0), (585, 1), (594, 1), (595, 2), (825, 25), (835, 25), (2_000, 25)],
)
def test_canon_is_between_0_and_25(earned: int, whole: int) -> None:
    assert canon([UsualDay(600, earned)], PARS) == whole


@pytest.mark.parametrize(
    ("kept", "renewed"),
    [(-9_000, 3), (10_000, 3), (13_999, 3), (14_000, 4), (18_000, 5), (26_000, 7), (90_000, 7)],
)
def test_renewed_canon_rises_by_half_of_what_was_kept(kept: int, renewed: int) -> None:
    assert renewed_canon(3, kept, afternoons=10, full_house=20_000) == renewed


def test_renewed_canon_has_the_same_limit() -> None:
    assert renewed_canon(24, 90_000, afternoons=10, full_house=20_000) == 25
    assert renewed_canon(7, 0, afternoons=0, full_house=20_000) == 7


def test_money_of_a_season() -> None:
    assert starting_cash(120_000) == 14_400
    assert free_money(14_400, 20_000, 6, [4_000, 3_000]) == 43_400
    assert to_fortune(30_000, 120_000) == 8_400
    assert to_fortune(21_600, 120_000) == 0
    assert not is_bankrupt(-9_600, 120_000)
    assert is_bankrupt(-9_601, 120_000)
    money = account(Ring(3, 5_000), House(0, 0, 0), Price.NORMAL, [1_000], canon=10)
    assert money.kept == -1_000 - 3_200 - 2_000


def test_wanted_without_luck_is_the_base() -> None:
    demand = Demand(1_000, 1_000, 1_000, 1_000, 1_000)
    assert [wanted(Ring(category, 1_000), demand) for category in (1, 2, 3)] == [640, 600, 560]


def test_unknown_seats_are_usual_ones() -> None:
    assert [Ring.of(category, None).seats for category in (1, 2, 3)] == [12_000, 9_500, 5_000]
    assert Ring.of(1, 23_798).full_house == 190_384


def test_luck_depends_on_seed_day_and_plaza_only() -> None:
    seed = Seed(bytes(32))
    drawn = [draw_luck(seed, SUNDAY + dt.timedelta(days=n), "utrera") for n in range(300)]
    assert drawn[0] == draw_luck(seed, SUNDAY, "utrera")
    assert {850 <= luck.chance <= 1_150 for luck in drawn} == {True}
    assert 980 < sum(luck.chance for luck in drawn) / 300 < 1_020
    assert 10 < sum(luck.rain for luck in drawn) < 50
    assert len({draw_harvest(seed, f"plaza-{n}") for n in range(50)}) == 3
