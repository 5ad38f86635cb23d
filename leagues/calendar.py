"""Fixtures as a calendar that other programs subscribe to (iCalendar, RFC 5545).

All words come from the caller, in the reader's language; times go out in UTC; the clock is an
argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

PRODUCT = "-//Temporada//Fixtures//EN"
MATCH_LENGTH = timedelta(hours=2)
LAST_HOUR = timedelta(hours=1)
"""How long the entry of a deadline is: programs draw nothing of one without a duration."""
ASK_AGAIN = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """A fixture in the calendar: at its appointed time, else in the last hour of its deadline.

    `key` names it for ever, whatever becomes of it (`fixture/17`). `version` grows with every
    change, from 0. `void`: it will not be played, and programs that have it cross it out.
    Times are aware; a fixture without either time is left out.
    """

    key: str
    summary: str
    changed: datetime
    starts: datetime | None = None
    deadline: datetime | None = None
    length: timedelta = MATCH_LENGTH
    description: str = ""
    place: str = ""
    address: str = ""
    version: int = 0
    void: bool = False


def feed(occasions: Iterable[Occasion], *, name: str, domain: str, now: datetime) -> bytes:
    """The calendar file of the occasions, in the order of their times.

    `name` is shown by programs that subscribe; `domain` makes the keys unique in the world.
    `ValueError` where a time says not in which zone it is.
    """
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", clean(name))
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    timed = [(time, one) for one in occasions if (time := one.starts or one.deadline)]
    for time, occasion in sorted(timed, key=lambda both: (_utc(both[0]), both[1].key)):
        calendar.add_component(_event(occasion, _utc(time), domain, now))
    return bytes(calendar.to_ical())


def event(occasion: Occasion, *, domain: str, now: datetime) -> Event:
    """One occasion, for whoever puts a calendar together; it has a time.

    `ValueError` where it has none, or one that says not in which zone it is.
    """
    time = occasion.starts or occasion.deadline
    if time is None:
        raise ValueError(f"{occasion.key} is at no time.")
    return _event(occasion, _utc(time), domain, now)


def _event(occasion: Occasion, time: datetime, domain: str, now: datetime) -> Event:
    event = Event()
    event.add("uid", f"{occasion.key.replace('/', '-')}@{domain}")
    event.add("dtstamp", _utc(now))
    event.add("last-modified", _utc(occasion.changed))
    event.add("sequence", occasion.version)
    starts, ends = (time, time + occasion.length) if occasion.starts else (time - LAST_HOUR, time)
    event.add("dtstart", starts)
    event.add("dtend", ends)
    event.add("status", "CANCELLED" if occasion.void else "CONFIRMED")
    # a deadline leaves the hour free
    event.add("transp", "OPAQUE" if occasion.starts and not occasion.void else "TRANSPARENT")
    _words(event, occasion)
    return event


def _words(event: Event, occasion: Occasion) -> None:
    event.add("summary", clean(occasion.summary))
    for field, text in (("description", occasion.description), ("location", occasion.place)):
        if text:
            event.add(field, clean(text))
    if occasion.address:
        event.add("url", clean(occasion.address))


def clean(text: str) -> str:
    """Text without the control characters that no calendar may hold; line ends stay."""
    kept = (letter if letter == "\n" or letter.isprintable() else " " for letter in text)
    return "".join(kept).strip()


def _utc(time: datetime) -> datetime:
    if time.tzinfo is None:
        raise ValueError("A time in the calendar says in which zone it is.")
    return time.astimezone(UTC).replace(microsecond=0)
