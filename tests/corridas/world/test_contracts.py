"""Hiring matadors for the corridas of a day: availability, preferences, and the director's
choices.
"""

from collections import Counter
from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.world.contracts import (
    DAYS_TO_CROSS,
    OPEN,
    AvailableMatador,
    ContractError,
    Engagement,
    OpenCorrida,
    contract,
)
from fairness import Chance, Seed

DAY = date(2027, 5, 15)
BILL = OpenCorrida(key=1, category=2, continent="EU", feria=7)


def chance(label: str = "contracts") -> Chance:
    return Seed(bytes(range(32))).chance(label)


def at(days: int, continent: str = "EU", feria: int | None = None) -> Engagement:
    return Engagement(DAY + timedelta(days=days), continent, feria)


def roster(*others: AvailableMatador, free: int = 3) -> list[AvailableMatador]:
    """Return free matadors with the keys 1, 2, ... and then the given matadors."""
    return [AvailableMatador(key, rating=50) for key in range(1, free + 1)] + list(others)


@pytest.mark.parametrize(
    "absent",
    [
        AvailableMatador(9, 90, injured_until=DAY),
        AvailableMatador(9, 90, injured_until=DAY + timedelta(days=40)),
        AvailableMatador(9, 90, last=at(0)),
        AvailableMatador(9, 90, next=at(0)),
        AvailableMatador(9, 90, last=at(-1, "AM")),
        AvailableMatador(9, 90, last=at(-2, "AM")),
        AvailableMatador(9, 90, next=at(1, "AM")),
        AvailableMatador(9, 90, next=at(2, "AM")),
    ],
)
def test_unavailable_matador_is_not_hired(absent: AvailableMatador) -> None:
    assert sorted(contract(DAY, [BILL], roster(absent), chance())[1]) == [1, 2, 3]
    assert contract(DAY, [BILL], roster(absent, free=2), chance())[1] == OPEN


@pytest.mark.parametrize(
    "present",
    [
        AvailableMatador(9, 90, injured_until=DAY - timedelta(days=1)),
        AvailableMatador(9, 90, last=at(-1)),
        AvailableMatador(9, 90, last=at(-1, feria=7)),
        AvailableMatador(9, 90, next=at(1)),
        AvailableMatador(9, 90, last=at(-3, "AM")),
        AvailableMatador(9, 90, next=at(3, "AM")),
        AvailableMatador(9, 90, appearances=400),
    ],
)
def test_available_matador_fills_the_cartel(present: AvailableMatador) -> None:
    assert sorted(contract(DAY, [BILL], roster(present, free=2), chance())[1]) == [1, 2, 9]


def test_no_matador_is_hired_for_two_plazas_on_a_day() -> None:
    bills = [OpenCorrida(key, 1 + key % 3, "EU") for key in range(4)]
    cartels = contract(DAY, bills, roster(free=11), chance())
    booked = [key for cartel in cartels.values() for key in cartel]
    assert len(booked) == len(set(booked)) == 9
    assert cartels[2] == OPEN, "the small ring chooses last"


def test_matador_of_yesterdays_corrida_in_a_feria_is_not_hired_again() -> None:
    seen = [AvailableMatador(key, 99, last=at(-1, feria=7)) for key in (8, 9)]
    assert sorted(contract(DAY, [BILL], roster(*seen), chance())[1]) == [1, 2, 3]
    elsewhere = BILL._replace(feria=6)
    met = [contract(DAY, [elsewhere], roster(*seen), chance(str(n)))[1] for n in range(40)]
    assert any(8 in cartel for cartel in met)


def test_matador_of_tomorrows_corrida_in_a_feria_is_not_hired_today() -> None:
    expected = AvailableMatador(9, 99, next=at(1, feria=7))
    assert sorted(contract(DAY, [BILL], roster(expected), chance())[1]) == [1, 2, 3]


def test_matadors_chosen_by_the_director_come_first() -> None:
    bill = BILL._replace(fixed=(5, 2))
    cartel = contract(DAY, [bill], roster(free=9), chance())[1]
    assert cartel[:2] == (5, 2)
    assert cartel[2] not in (5, 2)
    assert contract(DAY, [BILL._replace(fixed=(3, 1, 2))], roster(free=9), chance())[1] == (3, 1, 2)


def test_matador_chosen_by_the_director_is_hired_nowhere_else() -> None:
    bills = [OpenCorrida(1, 1, "EU"), OpenCorrida(2, 3, "EU", fixed=(4, 5))]
    for turn in range(30):
        cartels = contract(DAY, bills, roster(free=6), chance(str(turn)))
        assert not {4, 5} & set(cartels[1])
        assert cartels[2][:2] == (4, 5)


def test_injured_matador_chosen_by_the_director_is_replaced() -> None:
    hurt = AvailableMatador(9, 90, injured_until=DAY)
    cartel = contract(DAY, [BILL._replace(fixed=(9, 1))], roster(hurt), chance())[1]
    assert cartel[0] == 1
    assert sorted(cartel) == [1, 2, 3]


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        (((1, 2, 3, 4), ()), "fixes 4 matadors"),
        (((1, 1), ()), "matador 1 is fixed twice"),
        (((1,), (2, 1)), "matador 1 is fixed twice"),
        (((77,), ()), "77, who is not a candidate"),
    ],
)
def test_invalid_choices_of_a_director_are_rejected(
    fixed: tuple[tuple[int, ...], tuple[int, ...]], message: str
) -> None:
    bills = [OpenCorrida(key, 2, "EU", fixed=men) for key, men in enumerate(fixed)]
    with pytest.raises(ContractError, match=message):
        contract(DAY, bills, roster(free=9), chance())


def times_contracted(category: int, matadors: list[AvailableMatador]) -> Counter[int]:
    """Return how often each matador is hired on 400 independent days."""
    bill = OpenCorrida(1, category, "EU")
    met: Counter[int] = Counter()
    for turn in range(400):
        met.update(contract(DAY, [bill], matadors, chance(str(turn)))[1])
    return met


def test_large_plazas_hire_top_matadors_and_small_ones_hire_others() -> None:
    field_of_twenty = [AvailableMatador(key, rating=40 + key) for key in range(20)]
    met = {category: times_contracted(category, field_of_twenty) for category in (1, 2, 3)}
    best, least = range(15, 20), range(5)
    share = {category: sum(met[category][key] for key in best) for category in met}
    chances = {category: sum(met[category][key] for key in least) for category in met}
    assert share[1] > share[2] > share[3]
    assert chances[1] < chances[2] < chances[3]


def test_matadors_in_good_form_are_hired_more_often() -> None:
    men = [AvailableMatador(key, rating=40 + key) for key in range(20)]
    men += [
        AvailableMatador(key, rating=50, form=form) for key, form in ((20, -90), (21, 0), (22, 90))
    ]
    met = times_contracted(1, men)
    assert 1.3 * met[20] < 1.15 * met[21] < met[22]


def test_small_plazas_prefer_young_and_rarely_seen_matadors() -> None:
    men = [AvailableMatador(key, rating=50, appearances=30) for key in range(10)]
    men[0] = men[0]._replace(youth=True)
    men[1] = men[1]._replace(appearances=0)
    met = times_contracted(3, men)
    usual = sum(met[key] for key in range(2, 10)) / 8
    assert met[0] > 1.3 * usual
    assert met[1] > 1.8 * usual
    assert max(times_contracted(2, men).values()) < 1.2 * 400 * 3 / 10, "others are alike"


def test_same_seed_gives_the_same_carteles() -> None:
    bills = [OpenCorrida(key, 1 + key % 3, "EU") for key in range(5)]
    assert contract(DAY, bills, roster(free=40), chance()) == contract(
        DAY, bills, roster(free=40), chance()
    )


ENGAGEMENTS = st.builds(at, st.integers(-6, 0), st.sampled_from(["EU", "AM"]), st.none())
COMING = st.builds(at, st.integers(0, 6), st.sampled_from(["EU", "AM"]), st.just(7))
CANDIDATES = st.builds(
    AvailableMatador,
    key=st.just(0),
    rating=st.integers(1, 99),
    form=st.integers(-100, 100),
    youth=st.booleans(),
    last=st.none() | ENGAGEMENTS,
    next=st.none() | COMING,
    injured_until=st.none() | st.dates(DAY - timedelta(days=2), DAY + timedelta(days=2)),
    appearances=st.integers(0, 200),
)
BILLS = st.builds(
    OpenCorrida,
    key=st.just(0),
    category=st.integers(1, 3),
    continent=st.sampled_from(["EU", "AM"]),
    feria=st.none() | st.just(7),
    fixed=st.just(()),
)


@given(
    st.lists(CANDIDATES, max_size=12),
    st.lists(st.tuples(BILLS, st.integers(0, 3)), max_size=4),
    st.integers(0, 99),
)
def test_no_matador_is_hired_twice_a_day_or_while_unavailable(
    men: list[AvailableMatador], wanted: list[tuple[OpenCorrida, int]], label: int
) -> None:
    men = [man._replace(key=key) for key, man in enumerate(men)]
    bills = with_fixed(wanted, len(men))
    cartels = contract(DAY, bills, men, chance(str(label)))
    assert sorted(cartels) == [bill.key for bill in bills]
    booked = [key for cartel in cartels.values() for key in cartel]
    assert len(booked) == len(set(booked))
    for bill in bills:
        cartel = cartels[bill.key]
        assert len(cartel) in (0, 3)
        assert all(could_come(men[key], bill.continent) for key in cartel)
        able = tuple(key for key in bill.fixed if could_come(men[key], bill.continent))
        assert cartel[: len(able)] == able or cartel == OPEN


@given(st.lists(CANDIDATES, max_size=6), BILLS)
def test_cartel_stays_open_only_if_fewer_than_three_are_free(
    men: list[AvailableMatador], bill: OpenCorrida
) -> None:
    men = [man._replace(key=key) for key, man in enumerate(men)]
    free = sum(could_come(man, bill.continent) for man in men)
    cartel = contract(DAY, [bill], men, chance())[bill.key]
    assert (cartel == OPEN) == (free < 3)


def with_fixed(wanted: list[tuple[OpenCorrida, int]], men: int) -> list[OpenCorrida]:
    """Give each corrida some chosen matadors, none of them twice."""
    keys = iter(range(men))
    return [
        bill._replace(key=place, fixed=tuple(islice(keys, fixed)))
        for place, (bill, fixed) in enumerate(wanted)
    ]


def could_come(man: AvailableMatador, continent: str) -> bool:
    """Return whether a matador is available, by a second and simpler form of the rule."""
    if man.injured_until and man.injured_until >= DAY:
        return False
    others = [other for other in (man.last, man.next) if other]
    return all(
        abs((other.date - DAY).days) >= (1 if other.continent == continent else DAYS_TO_CROSS)
        for other in others
    )
