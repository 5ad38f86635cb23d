"""The first day of a feria, as a rule that holds in any year."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = re.compile(r"(?:(?P<weekday>[a-z]+)>=)?(?P<month>\d\d)-(?P<day>\d\d)")
_EASTER = re.compile(r"easter(?P<offset>[+-]\d{1,3})")
_ANY_COMMON_YEAR = 2001


class Start(NamedTuple):
    """A day of the year, or the first of a weekday from it on, or so many days from Easter.

    `offset` is None unless the rule counts from Easter; `weekday` is 0 for Monday, None for none.
    """

    month: int
    day: int
    weekday: int | None
    offset: int | None

    @classmethod
    def parse(cls, text: str) -> Start:
        """Read `07-07`, `sunday>=03-22` or `easter+49`; `ValueError` says what is wrong."""
        if match := _EASTER.fullmatch(text):
            return cls(0, 0, None, int(match["offset"]))
        match = _DAY.fullmatch(text)
        if not match:
            raise ValueError(f"“{text}” is no day; write 07-07, sunday>=03-22 or easter+49")
        month, day = int(match["month"]), int(match["day"])
        _check_day(text, month, day)
        return cls(month, day, _weekday(text, match["weekday"]), None)

    def on(self, year: int) -> datetime.date:
        """The day in that year."""
        if self.offset is not None:
            return easter(year) + datetime.timedelta(days=self.offset)
        start = datetime.date(year, self.month, self.day)
        if self.weekday is None:
            return start
        return start + datetime.timedelta(days=(self.weekday - start.weekday()) % 7)

    def __str__(self) -> str:
        if self.offset is not None:
            return f"easter{self.offset:+d}"
        day = f"{self.month:02}-{self.day:02}"
        return day if self.weekday is None else f"{WEEKDAYS[self.weekday]}>={day}"


def easter(year: int) -> datetime.date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876)."""
    century = year // 100
    golden = year % 19
    correction = century - century // 4 - (8 * century + 13) // 25
    epact = (correction + 19 * golden + 15) % 30
    full_moon = epact - (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + full_moon + 2 - century + century // 4) % 7
    days = full_moon - weekday
    month = 3 + (days + 40) // 44
    return datetime.date(year, month, days + 28 - 31 * (month // 4))


def _check_day(text: str, month: int, day: int) -> None:
    try:
        datetime.date(_ANY_COMMON_YEAR, month, day)
    except ValueError as error:
        raise ValueError(f"“{text}” names a day that not every year has") from error


def _weekday(text: str, name: str | None) -> int | None:
    if name is None:
        return None
    if name not in WEEKDAYS:
        raise ValueError(f"“{text}” names no weekday; there are {', '.join(WEEKDAYS)}")
    return WEEKDAYS.index(name)
