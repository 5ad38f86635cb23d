"""When open carteles are contracted: some weeks ahead, with the corridas that are played."""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Final

# Carteles are announced at least this long before their day
HORIZON: Final = dt.timedelta(days=21)
# ... and if none is left, this far ahead.
AHEAD: Final = dt.timedelta(days=63)


def announced_until(day: dt.date, so_far: dt.date = dt.date.min) -> dt.date:
    """Return the day up to which a run announces carteles before it plays a day.

    `so_far` is the day up to which it has announced them. At first it has not.
    """
    return day + AHEAD if so_far < day + HORIZON else so_far


def contracted_by_run(
    days: Sequence[dt.date], still_open: Collection[dt.date], *, at_once: int
) -> int:
    """Return how many open carteles a run contracts if it plays corridas of these days in order.

    It announces carteles, plays `at_once` corridas at most of those that have one, and so on.
    `still_open` are the days of open carteles.
    """
    until, played = dt.date.min, 0
    while played < len(days):
        until = announced_until(days[played], until)
        played += sum(day <= until for day in days[played : played + at_once])
    return sum(day <= until for day in still_open)


def contracted_by_one(day: dt.date, still_open: Collection[dt.date]) -> int:
    """Return how many open carteles are contracted before a single corrida goes on air."""
    if all(each > day + HORIZON for each in still_open):
        return 0
    return sum(each <= day + AHEAD for each in still_open)


def contracted_with(day: dt.date, days: Iterable[dt.date]) -> dt.date:
    """Return the day with whose corridas an open cartel is contracted.

    It is the first within `AHEAD` of it, among the days to play, which include its own.
    """
    return min(each for each in days if each >= day - AHEAD)
