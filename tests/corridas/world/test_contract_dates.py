"""When matadors are hired for open carteles, and how many carteles a run of the season fills."""

from __future__ import annotations

import datetime as dt

import pytest

from corridas.world.contract_dates import (
    announced_until,
    contracted_by_one,
    contracted_by_run,
    contracted_with,
)

FIRST = dt.date(2027, 3, 1)


def day(number: int) -> dt.date:
    return FIRST + dt.timedelta(days=number)


@pytest.mark.parametrize(("so_far", "until"), [(20, 63), (21, 21), (22, 22), (63, 63), (-400, 63)])
def test_matadors_are_hired_nine_weeks_ahead_when_three_weeks_are_left(
    so_far: int, until: int
) -> None:
    assert announced_until(FIRST, day(so_far)) == day(until)


def test_season_starts_with_nine_weeks_of_carteles() -> None:
    assert announced_until(FIRST) == day(63)


@pytest.mark.parametrize(
    ("opens", "with_day"),
    [(0, 0), (63, 0), (64, 1), (73, 10), (74, 50), (113, 50), (114, 114), (200, 200)],
)
def test_cartel_is_filled_with_the_first_corrida_within_nine_weeks(
    opens: int, with_day: int
) -> None:
    days = {day(0), day(1), day(10), day(50), day(opens)}
    assert contracted_with(day(opens), days) == day(with_day)


@pytest.mark.parametrize(
    ("played", "opens", "one_by_one", "together"),
    [
        ([], [0], 0, 0),
        ([0], [0, 63, 64], 2, 2),
        ([0], [], 0, 0),
        # A run that checks its stop conditions after each corrida fills carteles three weeks ahead.
        ([0, 42], [64, 105], 0, 0),
        ([0, 43], [64, 106, 107], 2, 0),
        ([0, 10, 63], [100], 1, 0),
        ([0, 10, 64], [100], 1, 1),
        ([0, 10, 64, 200], [127, 263, 264], 2, 2),
    ],
)
def test_run_fills_as_many_carteles_as_calculated(
    played: list[int], opens: list[int], one_by_one: int, together: int
) -> None:
    days, still_open = [day(each) for each in played], [day(each) for each in opens]
    assert contracted_by_run(days, still_open, at_once=1) == one_by_one
    assert contracted_by_run(days, still_open, at_once=200) == together


def test_run_of_two_corridas_at_a_time_hires_before_each_two() -> None:
    days = [day(each) for each in (0, 1, 43, 44)]
    assert contracted_by_run(days, [day(106)], at_once=2) == 1
    assert contracted_by_run(days, [day(106)], at_once=3) == 1
    assert contracted_by_run(days, [day(106)], at_once=4) == 0


@pytest.mark.parametrize(
    ("opens", "taken"), [([], 0), ([22], 0), ([21], 1), ([21, 63, 64], 2), ([-1, 30], 2)]
)
def test_single_corrida_hires_if_a_cartel_within_three_weeks_is_open(
    opens: list[int], taken: int
) -> None:
    assert contracted_by_one(FIRST, [day(each) for each in opens]) == taken
