"""How long a circuit waits before a winter, and before the first carteles of a season."""

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


def test_after_the_clock_the_champion_is_shown_for_an_hour() -> None:
    pause = before_winter(SeasonEnd(END))
    assert pause == (END, END + HOUR, False)
    assert_goes_on(pause, END + HOUR)


def test_after_a_run_its_director_is_waited_for_at_most_a_day() -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR))
    assert pause == (END, END + DAY, True)
    assert_goes_on(pause, END + DAY)


@pytest.mark.parametrize("seen", [END, END + TICK, END + HOUR, END + DAY - TICK])
def test_the_winter_comes_once_the_director_has_seen_the_end(seen: dt.datetime) -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR, seen))
    assert pause == (END, seen, False)
    assert_goes_on(pause, seen)


def test_an_end_seen_later_changes_nothing() -> None:
    pause = before_winter(SeasonEnd(END, DIRECTOR, END + DAY + TICK))
    assert_goes_on(pause, END + DAY)


def test_an_end_seen_before_the_season_ended_again_does_not_count() -> None:
    """A corrida that had failed was played after the director had opened the page."""
    assert before_winter(SeasonEnd(END, DIRECTOR, END - TICK)) == (END, END + DAY, True)


def test_what_a_director_saw_is_nothing_to_a_season_that_the_clock_ended() -> None:
    assert before_winter(SeasonEnd(END, None, END + TICK)) == (END, END + HOUR, False)


def test_the_first_carteles_stay_open_for_an_hour() -> None:
    pause = before_carteles(END, None)
    assert pause == (END, END + HOUR, True)
    assert_goes_on(pause, END + HOUR)


@pytest.mark.parametrize(
    ("begun", "until"),
    [(END, END), (END + TICK, END + TICK), (END + HOUR + TICK, END + HOUR)],
)
def test_a_director_may_begin_earlier_and_not_later(begun: dt.datetime, until: dt.datetime) -> None:
    assert before_carteles(END, begun) == (END, until, False)


@pytest.mark.parametrize(("ahead", "waits"), [(DAY, True), (DAY + TICK, False)])
def test_nobody_waits_for_a_clock_that_was_set_back(ahead: dt.timedelta, waits: bool) -> None:
    pause = before_winter(SeasonEnd(END))
    assert pause.is_over(END - ahead) is not waits
