"""The calendar of a season: the first day of each feria and the days of its corridas.

The README beside `corridas/data/ferias.csv` explains the rules of its dates.
"""

import re
from collections.abc import Container, Iterable, Iterator
from datetime import MAXYEAR, MINYEAR, date, timedelta
from typing import Literal, NamedTuple, Self

# The first whole year of the Gregorian calendar: Easter is not computed before it.
GREGORIAN_FROM = 1583

# The longest calendar. An entry has at most as many corridas as its year has days.
MAX_ENTRIES = 500
LONGEST_YEAR = 366
# Days from Easter Sunday, which is from 22 March to 25 April, that lie in its year at all.
EASTER_RANGE = (-115, 284)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SATURDAY, SUNDAY = 5, 6
DAY_PATTERNS = ("daily", "alternate", "weekend", "sunday")

_MONTH_DAY = re.compile(r"(\d\d)-(\d\d)")
_EASTER = re.compile(r"easter([+-]\d{1,3})")
_WEEKDAY = re.compile(rf"({'|'.join(WEEKDAYS)})>=(\d\d)-(\d\d)")


class CalendarError(ValueError):
    """An invalid date rule, or a feria that does not fit into its year."""


class Entry(NamedTuple):
    """An entry of the calendar: a feria, or a run of single dates, of one plaza.

    `feria`: its name. `plaza`: its slug. `starts`: the rule of its first day. `corridas`: their
    number, from 1. `days`: `daily`, `alternate`, `weekend` or `sunday`.
    """

    feria: str
    plaza: str
    starts: str
    corridas: int
    days: str


class PlannedCorrida(NamedTuple):
    """A corrida with a place and a date but no cartel yet; `ordinal` counts from 1."""

    feria: str
    plaza: str
    date: date
    ordinal: int


class Start(NamedTuple):
    """The parts of a first day's rule, for forms; `kind` says which ones apply.

    `date`: `month` and `day`. `easter`: `offset`, days from Easter Sunday. `weekday`: the first
    `weekday` (0 is Monday) on or after `month` and `day`.
    """

    kind: Literal["date", "easter", "weekday"]
    month: int = 0
    day: int = 0
    weekday: int = 0
    offset: int = 0

    @classmethod
    def parse(cls, rule: str) -> Self | None:
        """Parse a rule; None where it is invalid. The day may not exist."""
        if match := _MONTH_DAY.fullmatch(rule):
            return cls("date", month=int(match[1]), day=int(match[2]))
        if match := _EASTER.fullmatch(rule):
            return cls("easter", offset=int(match[1]))
        if match := _WEEKDAY.fullmatch(rule):
            weekday, month, day = WEEKDAYS.index(match[1]), int(match[2]), int(match[3])
            return cls("weekday", month=month, day=day, weekday=weekday)
        return None

    def __str__(self) -> str:
        if self.kind == "easter":
            return f"easter{self.offset:+d}"
        day = f"{self.month:02d}-{self.day:02d}"
        return day if self.kind == "date" else f"{WEEKDAYS[self.weekday]}>={day}"


class Overlap(NamedTuple):
    """Two entries of a plaza that need the same day; `days` and `others` are all their days."""

    entry: Entry
    days: tuple[date, ...]
    other: Entry
    others: tuple[date, ...]


def easter(year: int) -> date:
    """Return Easter Sunday of a Gregorian year, 1583-9999 (the anonymous computus of 1876).

    Raise `CalendarError` for another year.
    """
    if not GREGORIAN_FROM <= year <= MAXYEAR:
        raise CalendarError(f"Easter is reckoned for {GREGORIAN_FROM}-{MAXYEAR}, not {year}")
    century, in_century = divmod(year, 100)
    leap_centuries, century_rest = divmod(century, 4)
    lunar_correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * (year % 19) + century - leap_centuries - lunar_correction + 15) % 30
    leaps, rest = divmod(in_century, 4)
    to_sunday = (32 + 2 * century_rest + 2 * leaps - epact - rest) % 7
    late = (year % 19 + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def first_day(rule: str, year: int) -> date:
    """Return the day of a rule in a year: `07-07`, `easter+49` or `sunday>=03-22`.

    Raise `CalendarError` where the rule is invalid, or its day does not exist (29 February is never
    accepted) or lies outside the year.
    """
    day = _named_day(rule, year)
    if day.year != year:
        raise CalendarError(f"{rule!r} falls on {day}, outside {year}")
    return day


def _named_day(rule: str, year: int) -> date:
    start = Start.parse(rule)
    if start is None:
        raise CalendarError(f"{rule!r} is no rule for a day; try 07-07, easter+49 or sunday>=03-22")
    if start.kind == "easter":
        return easter(year) + timedelta(days=start.offset)
    day = _day_of(start.month, start.day, year, rule)
    if start.kind == "weekday":
        day += timedelta(days=(start.weekday - day.weekday()) % 7)
    return day


def _day_of(month: int, day: int, year: int, rule: str) -> date:
    if not MINYEAR <= year < MAXYEAR:
        raise CalendarError(f"a season cannot be in the year {year}")
    if (month, day) == (2, 29):
        raise CalendarError(f"{rule!r}: 29 February does not exist in every year")
    try:
        return date(year, month, day)
    except ValueError:
        raise CalendarError(f"{rule!r}: there is no day {month:02d}-{day:02d}") from None


def dates(entries: Iterable[Entry], year: int) -> list[PlannedCorrida]:
    """Return all corridas of a year, by date, then by plaza.

    Entries are dated in order: each takes the first days of its pattern on which its plaza is free,
    so that no plaza has two corridas on a day.

    Raise `CalendarError`, naming the entry, for an invalid rule, number or pattern of days, and
    where an entry would run past the end of the year.
    """
    taken: set[tuple[str, date]] = set()
    planned: list[PlannedCorrida] = []
    for entry in entries:
        corridas = list(_dated(entry, year, taken))
        taken.update((entry.plaza, corrida.date) for corrida in corridas)
        planned += corridas
    return sorted(planned, key=lambda corrida: (corrida.date, corrida.plaza))


class Agenda:
    """The days that the entries of a calendar take in a year, added in order."""

    def __init__(self, year: int) -> None:
        self.year = year
        self._taken: dict[tuple[str, date], Entry] = {}

    def add(self, entry: Entry) -> Overlap | None:
        """Add an entry; return the earlier one that takes one of its own days, if there is one.

        A run of Sundays may skip the ferias of its plaza. Raise `CalendarError` as `dates` does.
        """
        days = [corrida.date for corrida in _dated(entry, self.year, ())]
        for day in days:
            other = self._taken.get((entry.plaza, day))
            if other and (entry.days != "sunday" or other.days == "sunday"):
                others = tuple(d for (_, d), holder in self._taken.items() if holder is other)
                return Overlap(entry, tuple(days), other, others)
        for corrida in list(_dated(entry, self.year, self._taken)):
            self._taken[entry.plaza, corrida.date] = entry
        return None


def overlap(entries: Iterable[Entry], year: int) -> Overlap | None:
    """Return the first entry that would lose one of its own days to an earlier entry.

    Raise `CalendarError` as `dates` does.
    """
    agenda = Agenda(year)
    return next(filter(None, map(agenda.add, entries)), None)


def _dated(entry: Entry, year: int, taken: Container[tuple[str, date]]) -> Iterator[PlannedCorrida]:
    try:
        days = _days(entry, year)
        for ordinal in range(1, entry.corridas + 1):
            day = next(day for day in days if (entry.plaza, day) not in taken)
            yield PlannedCorrida(entry.feria, entry.plaza, day, ordinal)
    except CalendarError as error:
        raise CalendarError(f"{entry.feria} ({entry.plaza}): {error}") from None


def _days(entry: Entry, year: int) -> Iterator[date]:
    """Yield the days on which an entry may have corridas; raise at the end of the year."""
    if entry.corridas < 1:
        raise CalendarError(f"{entry.corridas} corridas; there must be at least one")
    if entry.days not in DAY_PATTERNS:
        raise CalendarError(f"{entry.days!r} are no days; choose from {', '.join(DAY_PATTERNS)}")
    return _in_pattern(first_day(entry.starts, year), entry)


def _in_pattern(first: date, entry: Entry) -> Iterator[date]:
    for after in range((date(first.year, 12, 31) - first).days + 1):
        day = first + timedelta(days=after)
        if _has_corrida(day, after, entry.days):
            yield day
    raise CalendarError(
        f"{entry.corridas} corridas on {entry.days} days from {entry.starts!r}"
        f" run past the end of {first.year}"
    )


def _has_corrida(day: date, after: int, days: str) -> bool:
    """Return whether the day that many days after the first fits the pattern."""
    if days == "alternate":
        return after % 2 == 0
    if days == "weekend":
        return day.weekday() in (SATURDAY, SUNDAY)
    return days == "daily" or day.weekday() == SUNDAY
