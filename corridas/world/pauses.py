"""Pauses between two seasons of a circuit that plays by itself.

A season ends with a champion, and the next one begins with decisions. Before the winter and before
the first carteles the circuit waits, so that the director sees both, but never for long: nobody
may be there.
"""

import datetime as dt
from typing import Final, NamedTuple

# How long the champion stays on the home page where no director's run ended the season.
CHAMPION_SHOWN: Final = dt.timedelta(hours=1)
# How long a circuit waits for the director whose run ended the season.
DIRECTOR_AWAITED: Final = dt.timedelta(hours=24)
# How long a new calendar stands open after the winter.
CALENDAR_SHOWN: Final = dt.timedelta(hours=1)


class Pause(NamedTuple):
    """A pause since an instant, `until` another. `for_director`: he may end it earlier."""

    since: dt.datetime
    until: dt.datetime
    for_director: bool

    def is_over(self, at: dt.datetime) -> bool:
        """Return whether the circuit goes on at an instant.

        A clock that was wrong may have noted a beginning that is far ahead. Nobody waits for that.
        """
        return at >= self.until or self.since - at > DIRECTOR_AWAITED


class SeasonEnd(NamedTuple):
    """When a season ended, the director whose run ended it, and when that director saw its end.

    `director` is the key of a user, None where the clock ended the season. `seen_at` is None if
    the director has not opened the page of its end.
    """

    at: dt.datetime
    director: int | None = None
    seen_at: dt.datetime | None = None


def before_winter(end: SeasonEnd) -> Pause:
    """Return the pause between the last corrida of a season and its winter."""
    if end.director is None:
        return Pause(end.at, end.at + CHAMPION_SHOWN, for_director=False)
    latest = end.at + DIRECTOR_AWAITED
    if end.seen_at is None or end.seen_at < end.at:  # what he saw was an earlier end
        return Pause(end.at, latest, for_director=True)
    return Pause(end.at, min(end.seen_at, latest), for_director=False)


def before_carteles(winter_at: dt.datetime, begun_at: dt.datetime | None) -> Pause:
    """Return the pause between a winter and the first open carteles of the season after it.

    `begun_at` is when the director had seen the new calendar and let the season begin.
    """
    latest = winter_at + CALENDAR_SHOWN
    if begun_at is None:
        return Pause(winter_at, latest, for_director=True)
    return Pause(winter_at, min(begun_at, latest), for_director=False)
