"""The waterfall of a house, what a signing was worth, and the best free man."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.world.box_office import (
    Demand,
    Factor,
    Pars,
    Prospect,
    Ring,
    Signing,
    best_find,
    best_free_man,
    dearest_mistake,
    seat_public,
    wanted,
    waterfall,
    weakest,
    worth,
)
from tests.properties import examples

PARS = Pars(draw=3_700, fee=370, seen=170, sd=112, unit=84)
FULL = 20_000
UTRERA = Ring(3, 5_000)


@settings(max_examples=examples(200))
@given(
    st.builds(Ring, st.integers(1, 3), st.integers(100, 40_000)),
    st.builds(
        Demand,
        pull=st.integers(300, 2_280),
        mood=st.integers(700, 1_300),
        day=st.sampled_from([960, 1_100]),
        price=st.integers(874, 1_128),
        chance=st.integers(850, 1_150),
    ),
    st.integers(0, 55),
    st.booleans(),
)
def test_steps_of_the_waterfall_end_at_the_house(
    ring: Ring, demand: Demand, share: int, rain: bool
) -> None:
    tickets = ring.seats * share // 100
    sheet = waterfall(ring, demand, tickets, rain=rain)
    house = seat_public(ring, wanted(ring, demand), tickets, rain=rain)
    assert sheet.steps[-1].total == house.share(ring)
    assert abs(sum(step.people for step in sheet.steps) - house.total) <= len(sheet.steps)
    if sheet.why_more is not None:
        assert sheet.why_more.people > 0
    if sheet.why_fewer is not None:
        assert sheet.why_fewer.people < 0


def test_small_steps_are_no_reasons() -> None:
    sheet = waterfall(UTRERA, Demand(1_000, 1_000, 1_100, 1_000, 1_000), 1_000, rain=False)
    assert (sheet.why_more, sheet.why_fewer) == (None, None)
    least = waterfall(UTRERA, Demand(1_018, 1_000, 960, 1_000, 1_000), 0, rain=False)
    assert least.why_more is not None
    assert least.why_more.people == 50
    below = waterfall(UTRERA, Demand(1_017, 1_000, 960, 1_000, 1_000), 0, rain=False)
    assert below.why_more is None


def test_people_turned_away_and_rain_are_reasons() -> None:
    crowd = Demand(2_280, 1_300, 1_100, 1_000, 1_000)
    full = waterfall(UTRERA, crowd, 0, rain=False)
    assert full.why_fewer is not None
    assert full.why_fewer.factor is Factor.TURNED_AWAY
    rainy = waterfall(UTRERA, Demand(1_000, 1_000, 1_100, 1_000, 1_000), 0, rain=True)
    assert rainy.why_fewer is not None
    assert rainy.why_fewer.factor is Factor.RAIN


def test_worth_of_a_signing_counts_bulls_and_fee() -> None:
    usual_fee = 2_467
    assert worth(Signing("a", usual_fee, 170), PARS, FULL) == 0
    assert worth(Signing("a", usual_fee, 422), PARS, FULL) == 100
    assert worth(Signing("a", 0, 170), PARS, FULL) == 206


def test_best_find_and_dearest_mistake_take_the_dearer_of_equal_ones() -> None:
    cheap, dear = Signing("cheap", 2_465, 170), Signing("dear", 2_466, 170)
    assert worth(cheap, PARS, FULL) == worth(dear, PARS, FULL)
    assert best_find([cheap, dear], PARS, FULL) is dear
    assert dearest_mistake([cheap, dear], PARS, FULL) is dear
    star, poor = Signing("star", 4_000, 900), Signing("poor", 4_000, 0)
    assert best_find([cheap, star, dear], PARS, FULL) is star
    assert dearest_mistake([poor, star, dear], PARS, FULL) is poor


CARTEL = [Prospect("a", 4_000, 150), Prospect("b", 2_000, 150), Prospect("c", 1_000, 200)]


@pytest.mark.parametrize(
    ("free", "best"),
    [
        ([], None),
        ([Prospect("d", 4_001, 300)], None),
        ([Prospect("d", 4_000, 150)], None),
        ([Prospect("d", 4_000, 151)], "d"),
        ([Prospect("d", 4_000, 200), Prospect("e", 100, 199)], "d"),
        ([Prospect("d", 4_000, 200), Prospect("e", 100, 200)], "e"),
        ([Prospect("f", 100, 200), Prospect("e", 100, 200)], "e"),
    ],
)
def test_best_free_man_is_at_most_as_dear_as_the_weakest(
    free: list[Prospect], best: str | None
) -> None:
    assert weakest(CARTEL).matador == "a"
    found = best_free_man(CARTEL, free)
    assert (found.matador if found else None) == best
