"""Decides when matadors are contracted for corridas that have no cartel (poster) yet.

Carteles are contracted some weeks ahead, while earlier corridas are simulated.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Final

# Carteles (the posters with the three matadors) are announced at least this long before the
# corrida.
HORIZON: Final = dt.timedelta(days=21)
# When new carteles are needed, they are announced for all corridas within this time.
AHEAD: Final = dt.timedelta(days=63)


def announced_until(day: dt.date, so_far: dt.date = dt.date.min) -> dt.date:
    """Return the last day for which carteles must be announced before `day` is simulated.

    `so_far` is the last day for which they have been announced already.
    """
    return day + AHEAD if so_far < day + HORIZON else so_far


def contracted_by_run(
    days: Sequence[dt.date], still_open: Collection[dt.date], *, at_once: int
) -> int:
    """Return for how many corridas a run contracts matadors.

    `days` are the days of all corridas of the run in order, and `still_open` the days of those
    corridas that have no matadors yet. At most `at_once` corridas are simulated between two rounds
    of contracting.
    """
    until, played = dt.date.min, 0
    while played < len(days):
        until = announced_until(days[played], until)
        played += sum(day <= until for day in days[played : played + at_once])
    return sum(day <= until for day in still_open)


def contracted_by_one(day: dt.date, still_open: Collection[dt.date]) -> int:
    """Return how many open carteles are contracted before one corrida on `day` is broadcast."""
    if all(each > day + HORIZON for each in still_open):
        return 0
    return sum(each <= day + AHEAD for each in still_open)


def contracted_with(day: dt.date, days: Iterable[dt.date]) -> dt.date:
    """Return the day on which an open cartel of `day` is contracted.

    It is the earliest of the simulated `days` that is no more than `AHEAD` before `day`. `days`
    must contain `day`.
    """
    return min(each for each in days if each >= day - AHEAD)
