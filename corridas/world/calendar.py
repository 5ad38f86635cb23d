"""The calendar of a season: the first day of each feria and the days of its corridas.

The README beside `corridas/data/ferias.csv` explains the rules of its dates.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Self

# The first whole year of the Gregorian calendar: Easter is not computed before it.
GREGORIAN_FROM = 1583

# A year without 29 February, for checks that are not about a season.
COMMON_YEAR = 2001

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


# The sentence of each stable code, to be formatted with `%` and the params of the error. The site
# translates it for the reader.
CALENDAR_FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rule": "“%(rule)s” is no rule for a day; try 07-07, easter+49 or sunday>=03-22",
        "leap_day": "“%(rule)s”: 29 February does not exist in every year",
        "no_day": "“%(rule)s”: there is no day %(day)s",
        "outside": "“%(rule)s” falls on %(day)s, outside %(year)s",
        "year": "a season cannot be in the year %(year)s",
        "easter": "Easter is reckoned for %(first)s-%(last)s, not %(year)s",
        "none": "%(corridas)s corridas; there must be at least one",
        "days": "“%(days)s” are no days; choose from %(choices)s",
        "too_long": "%(corridas)s corridas on %(days)s days from “%(rule)s” run past the end of"
        " %(year)s",
    }
)


class CalendarError(ValueError):
    """An invalid date rule, or a feria that does not fit into its year.

    `code` is one of `CALENDAR_FAULTS`, `params` fills its sentence. `entry` is the feria, where the
    error was found in one.
    """

    def __init__(self, code: str, entry: "Entry | None" = None, **params: object) -> None:
        self.code, self.entry, self.params = code, entry, params
        sentence = CALENDAR_FAULTS[code] % params
        super().__init__(f"{entry.feria} ({entry.plaza}): {sentence}" if entry else sentence)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the code, the entry and the params, from which the rest follows."""
        return _calendar_error, (self.code, self.entry, self.params)


def _calendar_error(code: str, entry: "Entry | None", params: dict[str, object]) -> CalendarError:
    return CalendarError(code, entry, **params)


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
        raise CalendarError("easter", first=GREGORIAN_FROM, last=MAXYEAR, year=year)
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
        raise CalendarError("outside", rule=rule, day=day, year=year)
    return day


def check_rule(rule: str) -> None:
    """Raise `CalendarError` for a rule that is invalid in every year."""
    try:
        first_day(rule, COMMON_YEAR)
    except CalendarError as error:
        if error.code != "outside":
            raise


def _named_day(rule: str, year: int) -> date:
    start = Start.parse(rule)
    if start is None:
        raise CalendarError("rule", rule=rule)
    if start.kind == "easter":
        return easter(year) + timedelta(days=start.offset)
    day = _day_of(start.month, start.day, year, rule)
    if start.kind == "weekday":
        day += timedelta(days=(start.weekday - day.weekday()) % 7)
    return day


def _day_of(month: int, day: int, year: int, rule: str) -> date:
    if not MINYEAR <= year < MAXYEAR:
        raise CalendarError("year", year=year)
    if (month, day) == (2, 29):
        raise CalendarError("leap_day", rule=rule)
    try:
        return date(year, month, day)
    except ValueError:
        raise CalendarError("no_day", rule=rule, day=f"{month:02d}-{day:02d}") from None


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
        raise CalendarError(error.code, entry, **error.params) from None


def _days(entry: Entry, year: int) -> Iterator[date]:
    """Yield the days on which an entry may have corridas; raise at the end of the year."""
    if entry.corridas < 1:
        raise CalendarError("none", corridas=entry.corridas)
    if entry.days not in DAY_PATTERNS:
        raise CalendarError("days", days=entry.days, choices=", ".join(DAY_PATTERNS))
    return _in_pattern(first_day(entry.starts, year), entry)


def _in_pattern(first: date, entry: Entry) -> Iterator[date]:
    for after in range((date(first.year, 12, 31) - first).days + 1):
        day = first + timedelta(days=after)
        if _has_corrida(day, after, entry.days):
            yield day
    raise CalendarError(
        "too_long",
        corridas=entry.corridas,
        days=entry.days,
        rule=entry.starts,
        year=first.year,
    )


def _has_corrida(day: date, after: int, days: str) -> bool:
    """Return whether the day that many days after the first fits the pattern."""
    if days == "alternate":
        return after % 2 == 0
    if days == "weekend":
        return day.weekday() in (SATURDAY, SUNDAY)
    return days == "daily" or day.weekday() == SUNDAY


def first_break(entries: Iterable[Entry], years: Iterable[int]) -> CalendarError | None:
    """Return the error that `dates` raises in the first of these years in which it does, or None.

    A year is checked without dating each corrida, because 500 entries may have 180,000 a year.
    """
    listed = list(entries)
    for year in years:
        if not _fits(listed, year):
            try:
                dates(listed, year)
            except CalendarError as error:
                return error
    return None


def _fits(entries: Sequence[Entry], year: int) -> bool:
    """Return whether `dates` accepts these entries. Days of the year are bits, 1 January first."""
    if not MINYEAR <= year < MAXYEAR:
        return False
    january = date(year, 1, 1)
    length = (date(year + 1, 1, 1) - january).days
    patterns = _patterns(january.weekday(), length)
    taken: dict[str, int] = {}
    for entry in entries:
        if entry.corridas < 1 or entry.days not in patterns:
            return False
        try:
            first = (first_day(entry.starts, year) - january).days
        except CalendarError:
            return False
        held = taken.get(entry.plaza, 0)
        # Every second day counts from the first day of the feria, which may be odd or even.
        pattern = patterns[entry.days] << (first % 2 if entry.days == "alternate" else 0)
        free = pattern >> first << first & ~held & ((1 << length) - 1)
        if free.bit_count() < entry.corridas:
            return False
        taken[entry.plaza] = held | _lowest(free, entry.corridas)
    return True


@lru_cache(maxsize=14)
def _patterns(weekday: int, length: int) -> Mapping[str, int]:
    """Return the days of each pattern in a year that begins on a weekday, `alternate` from then."""
    monday = date(COMMON_YEAR, 1, 1)
    days = [monday + timedelta(days=weekday + after) for after in range(length)]
    return {
        pattern: sum(
            1 << after for after, day in enumerate(days) if _has_corrida(day, after, pattern)
        )
        for pattern in DAY_PATTERNS
    }


def _lowest(bits: int, count: int) -> int:
    """Return the lowest `count` of the bits that are set, of which there are enough."""
    low, high = count, bits.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (bits & ((1 << middle) - 1)).bit_count() < count:
            low = middle + 1
        else:
            high = middle
    return bits & ((1 << low) - 1)
