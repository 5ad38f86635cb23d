"""How long a circuit pauses before a winter, and before the first contracts of a season."""

from __future__ import annotations

import datetime as dt

import pytest

from corridas.world.pauses import Pause, SeasonEnd, before_carteles, before_winter

END = dt.datetime(2026, 11, 1, 18, tzinfo=dt.UTC)
TICK = dt.timedelta(microseconds=1)
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(hours=24)
DIRECTOR = 7


def assert_goes_on(pause: Pause, instant: dt.datetime) -> None:
    assert not pause.is_over(instant - TICK)
    assert pause.is_over(instant)
    assert pause.is_over(instant + TICK)


def test_season_end_is_shown_for_an_hour_before_the_winter() -> None:
    pause = before_winter(SeasonEnd(END))
    assert pause == (END, END + HOUR, False)
    assert_goes_on(pause, END + HOUR)


def test_winter_waits_at_most_a_day_for_the_director_of_the_last_run() -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR))
    assert pause == (END, END + DAY, True)
    assert_goes_on(pause, END + DAY)


@pytest.mark.parametrize("seen", [END, END + TICK, END + HOUR, END + DAY - TICK])
def test_winter_starts_once_the_director_has_seen_the_season_end(seen: dt.datetime) -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR, seen))
    assert pause == (END, seen, False)
    assert_goes_on(pause, seen)


def test_season_end_seen_after_a_day_changes_nothing() -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR, END + DAY + TICK))
    assert_goes_on(pause, END + DAY)


def test_season_end_seen_before_the_season_ended_again_is_ignored() -> None:
    """The director had opened the page before a failed corrida was played."""
    assert before_winter(SeasonEnd(END, DIRECTOR, END - TICK)) == (END, END + DAY, True)


def test_season_that_ended_by_itself_does_not_wait_for_a_director() -> None:
    assert before_winter(SeasonEnd(END, None, END + TICK)) == (END, END + HOUR, False)


def test_first_contracts_wait_for_an_hour() -> None:
    pause = before_carteles(END, None)
    assert pause == (END, END + HOUR, True)
    assert_goes_on(pause, END + HOUR)


@pytest.mark.parametrize(
    ("begun", "until"),
    [(END, END), (END + TICK, END + TICK), (END + HOUR + TICK, END + HOUR)],
)
def test_director_can_start_contracts_earlier_but_not_later(
    begun: dt.datetime, until: dt.datetime
) -> None:
    assert before_carteles(END, begun) == (END, until, False)


@pytest.mark.parametrize(("ahead", "waits"), [(DAY, True), (DAY + TICK, False)])
def test_pause_ends_if_the_clock_was_set_back(ahead: dt.timedelta, waits: bool) -> None:
    pause = before_winter(SeasonEnd(END))
    assert pause.is_over(END - ahead) is not waits
