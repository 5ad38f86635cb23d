"""Pauses between two seasons of a circuit that is simulated automatically.

The circuit waits before the winter, so that its director sees the champion, and again before
matadors are contracted, so that he can take decisions. Each pause has a maximum length, because the
director may be absent.
"""

import datetime as dt
from typing import Final, NamedTuple

# How long the champion stays on the home page if the season ended without a director's command.
CHAMPION_SHOWN: Final = dt.timedelta(hours=1)
# Maximum wait for the director whose command ended the season.
DIRECTOR_AWAITED: Final = dt.timedelta(hours=24)
# How long the new calendar stays open for the director's changes after the winter.
CALENDAR_SHOWN: Final = dt.timedelta(hours=1)


class Pause(NamedTuple):
    """A pause from `since` to `until`.

    If `for_director` is true, the director may end it earlier.
    """

    since: dt.datetime
    until: dt.datetime
    for_director: bool

    def is_over(self, at: dt.datetime) -> bool:
        """Return whether the circuit continues at this time.

        A pause that begins far in the future was stored by a server with a wrong clock, and is
        ignored.
        """
        return at >= self.until or self.since - at > DIRECTOR_AWAITED


class SeasonEnd(NamedTuple):
    """When a season ended, and the director whose command ended it.

    `director` is a user's key, None if the season ended automatically. `seen_at` is when the
    director opened the page about its end, None if that has not happened.
    """

    at: dt.datetime
    director: int | None = None
    seen_at: dt.datetime | None = None


def before_winter(end: SeasonEnd) -> Pause:
    """Return the pause between the last corrida of a season and the winter after it."""
    if end.director is None:
        return Pause(end.at, end.at + CHAMPION_SHOWN, for_director=False)
    latest = end.at + DIRECTOR_AWAITED
    if end.seen_at is None or end.seen_at < end.at:  # seen after an earlier end only
        return Pause(end.at, latest, for_director=True)
    return Pause(end.at, min(end.seen_at, latest), for_director=False)


def before_carteles(winter_at: dt.datetime, begun_at: dt.datetime | None) -> Pause:
    """Return the pause between a winter and the first contracts of the following season.

    `begun_at` is when the director started the season after seeing the new calendar.
    """
    latest = winter_at + CALENDAR_SHOWN
    if begun_at is None:
        return Pause(winter_at, latest, for_director=True)
    return Pause(winter_at, min(begun_at, latest), for_director=False)
