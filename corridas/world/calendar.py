"""Plans the calendar of a season: the dates of all its ferias and their corridas.

A feria is a festival of several corridas in one plaza (bullring). `corridas/data/README.md`
explains the date rules used in `ferias.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Self

# First whole year of the Gregorian calendar. Easter is not calculated for earlier years.
GREGORIAN_FROM = 1583

# A year without 29 February, used to check date rules independently of a season.
COMMON_YEAR = 2001

# Maximum number of calendar entries, and maximum number of corridas of one entry.
MAX_ENTRIES = 500
LONGEST_YEAR = 366
# Offsets in days from Easter Sunday (22 March to 25 April) that can fall into the same year.
EASTER_RANGE = (-115, 284)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SATURDAY, SUNDAY = 5, 6
DAY_PATTERNS = ("daily", "alternate", "weekend", "sunday")

_MONTH_DAY = re.compile(r"(\d\d)-(\d\d)")
_EASTER = re.compile(r"easter([+-]\d{1,3})")
_WEEKDAY = re.compile(rf"({'|'.join(WEEKDAYS)})>=(\d\d)-(\d\d)")


# Error message for each error code. Messages are formatted with `%` and the error's params, and the
# site translates them for the reader.
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
    """A date rule is invalid, or a feria does not fit into its year.

    `code` is a key of `CALENDAR_FAULTS`, and `params` fill the message. `entry` is the calendar
    entry with the error, if known.
    """

    def __init__(self, code: str, entry: CalendarEntry | None = None, **params: object) -> None:
        self.code, self.entry, self.params = code, entry, params
        sentence = CALENDAR_FAULTS[code] % params
        super().__init__(f"{entry.feria} ({entry.plaza}): {sentence}" if entry else sentence)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the code, the entry and the params; the message is rebuilt from them."""
        return _calendar_error, (self.code, self.entry, self.params)


def _calendar_error(
    code: str, entry: CalendarEntry | None, params: dict[str, object]
) -> CalendarError:
    return CalendarError(code, entry, **params)


class CalendarEntry(NamedTuple):
    """A calendar entry: a feria, or a series of single corridas, in one plaza.

    `feria` is its name and `plaza` the slug of its bullring. `starts` is the rule for its first
    day, such as `07-07` or `easter+49`. `corridas` is the number of corridas, at least 1. `days` is
    the pattern of its days: `daily`, `alternate`, `weekend` or `sunday`.
    """

    feria: str
    plaza: str
    starts: str
    corridas: int
    days: str


class PlannedCorrida(NamedTuple):
    """A corrida with a plaza and a date but no matadors yet.

    `ordinal` is its number within the calendar entry, starting at 1.
    """

    feria: str
    plaza: str
    date: date
    ordinal: int


class Start(NamedTuple):
    """The parsed rule for the first day of a feria, for use in forms.

    `kind` says which fields apply. `date`: `month` and `day`. `easter`: `offset`, the number of
    days from Easter Sunday. `weekday`: the first `weekday` (0 is Monday) on or after `month` and
    `day`.
    """

    kind: Literal["date", "easter", "weekday"]
    month: int = 0
    day: int = 0
    weekday: int = 0
    offset: int = 0

    @classmethod
    def parse(cls, rule: str) -> Self | None:
        """Parse a date rule. Return None if its syntax is invalid.

        The result may be a day that does not exist, such as 30 February.
        """
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
    """Two calendar entries of the same plaza that need the same day.

    `days` are all days of `entry`, and `others` all days of `other`.
    """

    entry: CalendarEntry
    days: tuple[date, ...]
    other: CalendarEntry
    others: tuple[date, ...]


def easter(year: int) -> date:
    """Return Easter Sunday of a year from 1583 to 9999 (anonymous Gregorian computus, 1876).

    Raises `CalendarError` for any other year.
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
    """Return the date that a rule such as `07-07`, `easter+49` or `sunday>=03-22` gives in a year.

    Raises `CalendarError` if the rule is invalid, if the day does not exist (29 February is never
    accepted), or if it falls into another year.
    """
    day = _named_day(rule, year)
    if day.year != year:
        raise CalendarError("outside", rule=rule, day=day, year=year)
    return day


def check_rule(rule: str) -> None:
    """Raise `CalendarError` if a date rule is invalid in every year."""
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


def dates(entries: Iterable[CalendarEntry], year: int) -> list[PlannedCorrida]:
    """Return all corridas of a year, ordered by date and plaza.

    Entries are planned in order. Each takes the first days of its pattern on which its plaza is
    free, so a plaza never has two corridas on one day.

    Raises `CalendarError`, which names the entry, for an invalid rule, number or pattern of days,
    and if an entry does not fit into the year.
    """
    taken: set[tuple[str, date]] = set()
    planned: list[PlannedCorrida] = []
    for entry in entries:
        corridas = list(_dated(entry, year, taken))
        taken.update((entry.plaza, corrida.date) for corrida in corridas)
        planned += corridas
    return sorted(planned, key=lambda corrida: (corrida.date, corrida.plaza))


class Agenda:
    """The days of a year that are taken by calendar entries. Entries are added in order."""

    def __init__(self, year: int) -> None:
        self.year = year
        self._taken: dict[tuple[str, date], CalendarEntry] = {}

    def add(self, entry: CalendarEntry) -> Overlap | None:
        """Add an entry. Return the overlap if an earlier entry already takes one of its days.

        A series of Sundays is allowed to skip the ferias of its plaza. Raises `CalendarError` as
        `dates` does.
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


def overlap(entries: Iterable[CalendarEntry], year: int) -> Overlap | None:
    """Return the first overlap between two entries of a calendar, or None.

    Raises `CalendarError` as `dates` does.
    """
    agenda = Agenda(year)
    return next(filter(None, map(agenda.add, entries)), None)


def _dated(
    entry: CalendarEntry, year: int, taken: Container[tuple[str, date]]
) -> Iterator[PlannedCorrida]:
    try:
        days = _days(entry, year)
        for ordinal in range(1, entry.corridas + 1):
            day = next(day for day in days if (entry.plaza, day) not in taken)
            yield PlannedCorrida(entry.feria, entry.plaza, day, ordinal)
    except CalendarError as error:
        raise CalendarError(error.code, entry, **error.params) from None


def _days(entry: CalendarEntry, year: int) -> Iterator[date]:
    """Yield the days on which a calendar entry may have corridas.

    Raises `CalendarError` at the end of the year.
    """
    if entry.corridas < 1:
        raise CalendarError("none", corridas=entry.corridas)
    if entry.days not in DAY_PATTERNS:
        raise CalendarError("days", days=entry.days, choices=", ".join(DAY_PATTERNS))
    return _in_pattern(first_day(entry.starts, year), entry)


def _in_pattern(first: date, entry: CalendarEntry) -> Iterator[date]:
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
    """Return whether `day` fits the pattern `days`.

    `after` is the number of days since the first day of the calendar entry.
    """
    if days == "alternate":
        return after % 2 == 0
    if days == "weekend":
        return day.weekday() in (SATURDAY, SUNDAY)
    return days == "daily" or day.weekday() == SUNDAY


def first_break(entries: Iterable[CalendarEntry], years: Iterable[int]) -> CalendarError | None:
    """Return the `CalendarError` of the first year in which the calendar is invalid, or None.

    Years are checked without creating every corrida, because a calendar of 500 entries may have
    180,000 corridas a year.
    """
    listed = list(entries)
    for year in years:
        if not _fits(listed, year):
            try:
                dates(listed, year)
            except CalendarError as error:
                return error
    return None


def _fits(entries: Sequence[CalendarEntry], year: int) -> bool:
    """Return whether `dates` accepts these entries for a year.

    The days of the year are the bits of an integer; the lowest bit is 1 January.
    """
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
        # The pattern `alternate` starts on the first day of the feria, which may be an odd or an
        # even day of the year.
        pattern = patterns[entry.days] << (first % 2 if entry.days == "alternate" else 0)
        free = pattern >> first << first & ~held & ((1 << length) - 1)
        if free.bit_count() < entry.corridas:
            return False
        taken[entry.plaza] = held | _lowest(free, entry.corridas)
    return True


@lru_cache(maxsize=14)
def _patterns(weekday: int, length: int) -> Mapping[str, int]:
    """Return the days of a year that fit each day pattern, as bits of an integer.

    `weekday` is that of 1 January and `length` the number of days of the year. The pattern
    `alternate` starts on 1 January here.
    """
    monday = date(COMMON_YEAR, 1, 1)
    days = [monday + timedelta(days=weekday + after) for after in range(length)]
    return {
        pattern: sum(
            1 << after for after, day in enumerate(days) if _has_corrida(day, after, pattern)
        )
        for pattern in DAY_PATTERNS
    }


def _lowest(bits: int, count: int) -> int:
    """Return an integer with only the lowest `count` of the set bits. At least `count` are set."""
    low, high = count, bits.bit_length()
    while low < high:
        middle = (low + high) // 2
        if (bits & ((1 << middle) - 1)).bit_count() < count:
            low = middle + 1
        else:
            high = middle
    return bits & ((1 << low) - 1)
