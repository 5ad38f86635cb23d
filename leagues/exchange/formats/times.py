"""Parser of times in files. Times without a time zone are in the zone of the league."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from leagues.exchange.formats.results import Code, InvalidValue

# Time of day assumed for matches of which only the day is known.
NOON = time(12)
# Step of the search for the next local time that exists, after clocks were put forward. Clocks are
# changed by whole minutes.
_STEP = timedelta(minutes=1)

_ISO = re.compile(
    r"(19|20|21)[0-9]{2}-[01][0-9]-[0-3][0-9]"
    r"([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?)?"
)
_ISO_DAY = len("2026-03-05")
_WITH_SLASHES = re.compile(
    r"(?P<first>[0-3]?[0-9])(?P<sign>[/.-])(?P<second>[0-3]?[0-9])(?P=sign)"
    r"(?P<year>(19|20|21)[0-9]{2})"
    r"( +(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(:(?P<second_of_minute>[0-5][0-9]))?)?"
)
_MONTHS = 12


class Moment(NamedTuple):
    """The time when a match was played, in UTC.

    If only the day is known (`day_only`), it is noon in the reader's time zone. `in_utc` is the
    time as earlier versions read it: they assumed that times without a zone were in UTC.
    """

    at: datetime
    day_only: bool
    in_utc: datetime


def parse_moment(value: object, zone: tzinfo, *, day_first: bool = False) -> Moment:
    """Parse a time such as `2026-03-05 20:00`. Raises `InvalidValue` for other texts.

    With `day_first`, `5/3/2026 20:00` is accepted too. Times without a time zone are in `zone`.
    """
    try:
        naive, day_only = _read_time(value, day_first=day_first)
        if naive.tzinfo is not None:
            at = naive.astimezone(UTC)
            return Moment(at, day_only=False, in_utc=at)
        return Moment(first_existing(naive, zone), day_only, naive.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise InvalidValue(Code.DATE, value=value) from None


def _read_time(value: object, *, day_first: bool) -> tuple[datetime, bool]:
    text = value.strip() if isinstance(value, str) else ""
    if _ISO.fullmatch(text):
        moment = datetime.fromisoformat(text)
        day_only = len(text) == _ISO_DAY
        return (datetime.combine(moment, NOON) if day_only else moment), day_only
    parts = _WITH_SLASHES.fullmatch(text) if day_first else None
    if parts is None:
        raise ValueError(text)
    day = date(int(parts["year"]), int(parts["second"]), int(parts["first"]))
    if parts["hour"] is None:
        return datetime.combine(day, NOON), True
    hour = time(int(parts["hour"]), int(parts["minute"]), int(parts["second_of_minute"] or 0))
    return datetime.combine(day, hour), False


def proves_day_first(values: Iterable[str]) -> bool:
    """Return whether the dates of a file prove that days are written before months.

    This is the case if a date starts with a number above 12 and no date has such a number in second
    place. Otherwise `5/3/2026` is ambiguous.
    """
    found = [parts for value in values if (parts := _WITH_SLASHES.fullmatch(value.strip()))]
    return any(int(parts["first"]) > _MONTHS for parts in found) and all(
        int(parts["second"]) <= _MONTHS for parts in found
    )


def first_existing(naive: datetime, zone: tzinfo) -> datetime:
    """Return a local time in UTC.

    If the time occurs twice because clocks are put back, the first one is returned. If it does not
    exist because clocks are put forward, the moment of the change is returned.
    """
    at = naive.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if _local(at, zone) == naive:
        return at
    while _local(at - _STEP, zone) > naive:
        at -= _STEP
    return at.replace(second=0, microsecond=0)


def _local(at: datetime, zone: tzinfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=None)


def format_moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
