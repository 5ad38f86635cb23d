"""Calendar rules of a season: Easter, first days, patterns of days, one corrida per plaza and
day.
"""

import pickle
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.world.calendar import (
    DAY_PATTERNS,
    CalendarEntry,
    CalendarError,
    PlannedCorrida,
    Start,
    dates,
    easter,
    first_break,
    first_day,
    overlap,
)


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [
        (1583, 4, 10),
        (1818, 3, 22),
        (1886, 4, 25),
        (1943, 4, 25),
        (1954, 4, 18),
        (1961, 4, 2),
        (1981, 4, 19),
        (2000, 4, 23),
        (2008, 3, 23),
        (2019, 4, 21),
        (2024, 3, 31),
        (2025, 4, 20),
        (2026, 4, 5),
        (2027, 3, 28),
        (2038, 4, 25),
        (2049, 4, 18),
        (2285, 3, 22),
    ],
)
def test_easter_matches_published_dates(year: int, month: int, day: int) -> None:
    assert easter(year) == date(year, month, day)


@given(st.integers(1583, 9999))
def test_easter_is_a_sunday_from_22_march_to_25_april(year: int) -> None:
    found = easter(year)
    assert found.weekday() == 6
    assert date(year, 3, 22) <= found <= date(year, 4, 25)


@given(st.integers(1583, 3000))
def test_easter_is_the_sunday_after_the_paschal_moon(year: int) -> None:
    """Compute Easter a second time by the Gregorian church tables (golden number, epact, moon)."""
    century, golden = year // 100 + 1, year % 19 + 1
    epact = (11 * golden + 20 + (8 * century + 5) // 25 - 5 - (3 * century // 4 - 12)) % 30
    if epact == 24 or (epact == 25 and golden > 11):
        epact += 1
    moon = 44 - epact if epact <= 23 else 74 - epact
    paschal = date(year, 3, 1).toordinal() + moon - 1
    assert easter(year).toordinal() == paschal + 7 - paschal % 7


@pytest.mark.parametrize("year", [1582, 0, -4, 10_000])
def test_easter_outside_1583_to_9999_is_rejected(year: int) -> None:
    with pytest.raises(CalendarError, match="1583-9999"):
        easter(year)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("07-07", date(2026, 7, 7)),
        ("12-31", date(2026, 12, 31)),
        ("easter+0", date(2026, 4, 5)),
        ("easter+49", date(2026, 5, 24)),
        ("easter-47", date(2026, 2, 17)),
        ("sunday>=04-18", date(2026, 4, 19)),
        ("sunday>=04-19", date(2026, 4, 19)),
        ("monday>=04-19", date(2026, 4, 20)),
        ("saturday>=04-19", date(2026, 4, 25)),
    ],
)
def test_first_day_of_a_calendar_rule(rule: str, expected: date) -> None:
    assert first_day(rule, 2026) == expected


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("", "no rule for a day"),
        ("7-7", "no rule for a day"),
        ("07-07 ", "no rule for a day"),
        ("easter", "no rule for a day"),
        ("easter+", "no rule for a day"),
        ("domingo>=04-18", "no rule for a day"),
        ("sunday>04-18", "no rule for a day"),
        ("13-01", "no day 13-01"),
        ("04-31", "no day 04-31"),
        ("sunday>=02-30", "no day 02-30"),
        ("02-29", "29 February does not exist"),
        ("thursday>=02-29", "29 February does not exist"),
        ("easter-200", "outside 2028"),
        ("easter+300", "outside 2028"),
        ("sunday>=12-31", None),
        ("monday>=12-31", "outside 2028"),
    ],
)
def test_calendar_rules_without_a_valid_day_are_rejected(rule: str, message: str | None) -> None:
    if message is None:
        assert first_day(rule, 2028) == date(2028, 12, 31)
        return
    with pytest.raises(CalendarError, match=message):
        first_day(rule, 2028)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ("daily", [6, 7, 8, 9]),
        ("alternate", [6, 8, 10, 12]),
        ("weekend", [9, 10, 16, 17]),
        ("sunday", [10, 17, 24, 31]),
    ],
)
def test_day_patterns_of_calendar_entries_give_the_expected_dates(
    days: str, expected: list[int]
) -> None:
    planned = dates([CalendarEntry("San Isidro", "madrid", "05-06", 4, days)], 2026)
    assert [corrida.date for corrida in planned] == [date(2026, 5, day) for day in expected]
    assert [corrida.ordinal for corrida in planned] == [1, 2, 3, 4]


def test_later_entry_of_a_plaza_uses_the_days_still_free() -> None:
    feria = CalendarEntry("Feria", "sevilla", "04-11", 2, "weekend")
    sundays = CalendarEntry("Temporada", "sevilla", "04-12", 2, "sunday")
    assert dates([feria, sundays], 2026) == [
        PlannedCorrida("Feria", "sevilla", date(2026, 4, 11), 1),
        PlannedCorrida("Feria", "sevilla", date(2026, 4, 12), 2),
        PlannedCorrida("Temporada", "sevilla", date(2026, 4, 19), 1),
        PlannedCorrida("Temporada", "sevilla", date(2026, 4, 26), 2),
    ]


def test_corridas_of_one_day_are_ordered_by_plaza_slug() -> None:
    entries = [
        CalendarEntry("B", "ronda", "09-05", 1, "daily"),
        CalendarEntry("A", "arles", "09-05", 1, "daily"),
    ]
    assert [corrida.plaza for corrida in dates(entries, 2026)] == ["arles", "ronda"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (CalendarEntry("F", "p", "05-06", 0, "daily"), r"F \(p\): 0 corridas"),
        (CalendarEntry("F", "p", "05-06", -3, "daily"), "at least one"),
        (
            CalendarEntry("F", "p", "05-06", 3, "nightly"),
            "“nightly” are no days; choose from daily",
        ),
        (CalendarEntry("F", "p", "soon", 3, "daily"), r"F \(p\): “soon” is no rule"),
        (CalendarEntry("F", "p", "12-30", 3, "daily"), "run past the end of 2026"),
        (CalendarEntry("F", "p", "05-06", 60, "sunday"), "60 corridas on sunday days from “05-06”"),
    ],
)
def test_invalid_calendar_entries_are_rejected(entry: CalendarEntry, message: str) -> None:
    with pytest.raises(CalendarError, match=message):
        dates([CalendarEntry("G", "q", "05-06", 1, "daily"), entry], 2026)


FERIA = CalendarEntry("Feria", "p", "03-03", 4, "daily")  # Wednesday to Saturday in 2027
SUNDAYS = CalendarEntry("Sundays", "p", "03-07", 3, "sunday")


@pytest.mark.parametrize(
    ("entries", "other"),
    [
        ([FERIA, CalendarEntry("F", "p", "03-03", 3, "daily")], "Feria"),
        ([FERIA, CalendarEntry("F", "p", "03-06", 1, "daily")], "Feria"),
        ([FERIA, CalendarEntry("F", "p", "03-01", 2, "alternate")], "Feria"),
        ([FERIA, CalendarEntry("F", "p", "03-06", 2, "weekend")], "Feria"),
        ([SUNDAYS, CalendarEntry("F", "p", "03-20", 2, "daily")], "Sundays"),
        ([SUNDAYS, CalendarEntry("F", "p", "03-14", 1, "sunday")], "Sundays"),
        ([FERIA, CalendarEntry("F", "p", "03-07", 3, "daily")], None),
        ([FERIA, CalendarEntry("F", "q", "03-03", 3, "daily")], None),
        ([FERIA, CalendarEntry("F", "p", "03-02", 2, "weekend")], "Feria"),
        ([FERIA._replace(corridas=6), SUNDAYS], None),
        (
            [FERIA._replace(corridas=6), SUNDAYS, CalendarEntry("F", "p", "03-28", 1, "daily")],
            "Sundays",
        ),
    ],
)
def test_overlapping_ferias_are_found_but_sundays_avoid_a_feria(
    entries: list[CalendarEntry], other: str | None
) -> None:
    found = overlap(entries, 2027)
    assert (found.other.feria if found else None) == other
    if found:
        assert found.entry is entries[-1]
        assert set(found.days) & set(found.others)


def test_overlap_lists_all_days_of_both_ferias() -> None:
    late = CalendarEntry("F", "p", "03-06", 2, "daily")
    found = overlap([FERIA, late], 2027)
    march = [date(2027, 3, day) for day in range(3, 8)]
    assert found == (late, tuple(march[3:]), FERIA, tuple(march[:4]))


@given(st.text(max_size=14))
def test_parsed_calendar_rule_is_written_back_unchanged(text: str) -> None:
    assert Start.parse(text) is None or Start.parse(str(Start.parse(text))) == Start.parse(text)


RULES = st.one_of(
    st.dates(date(2001, 1, 1), date(2001, 9, 30)).map(lambda day: f"{day:%m-%d}"),
    st.integers(-60, 120).map(lambda days: f"easter{days:+d}"),
    st.dates(date(2001, 1, 1), date(2001, 9, 30)).map(lambda day: f"sunday>={day:%m-%d}"),
)
ENTRIES = st.builds(
    CalendarEntry,
    feria=st.sampled_from("FGH"),
    plaza=st.sampled_from("pqr"),
    starts=RULES,
    corridas=st.integers(1, 4),
    days=st.sampled_from(DAY_PATTERNS),
)


@given(st.lists(ENTRIES, max_size=3), st.integers(1900, 2200))
def test_each_corrida_has_a_separate_day_in_its_plaza(
    entries: list[CalendarEntry], year: int
) -> None:
    planned = dates(entries, year)
    assert len(planned) == sum(entry.corridas for entry in entries)
    days = [(corrida.date, corrida.plaza) for corrida in planned]
    assert days == sorted(set(days))
    assert {corrida.date.year for corrida in planned} <= {year}
    if not overlap(entries, year):
        alone = [day for e in entries if e.days != "sunday" for day in dates([e], year)]
        assert set(alone) <= set(planned)


@given(RULES)
def test_calendar_rule_parts_give_the_same_text(rule: str) -> None:
    assert str(Start.parse(rule)) == rule


# Calendars of later years


@pytest.mark.parametrize(
    ("entry", "year", "code"),
    [
        # 26 December 2033 is a Monday, so the Sunday after it is 1 January 2034.
        (CalendarEntry("F", "p", "sunday>=12-26", 1, "daily"), 2033, "outside"),
        # Easter Sunday is never so late that this day is 25 December.
        (CalendarEntry("F", "p", "sunday>=12-25", 1, "daily"), None, None),
        # Easter is on 25 April in 2038. In the years before it is on 24 April at the latest.
        (CalendarEntry("F", "p", "easter+251", 1, "daily"), 2038, "outside"),
        (CalendarEntry("F", "p", "easter+250", 1, "daily"), None, None),
        # Only leap years have 366 days. The leap year 2032 begins on a Thursday.
        (CalendarEntry("F", "p", "01-01", 366, "daily"), 2027, "too_long"),
        (CalendarEntry("F", "p", "01-01", 365, "daily"), None, None),
        # 30 December 2029 and 31 December 2028 are Sundays, but in 2027 neither day is.
        (CalendarEntry("F", "p", "12-25", 2, "sunday"), 2027, "too_long"),
        (CalendarEntry("F", "p", "12-25", 1, "sunday"), None, None),
        # The second day after 29 December is the last day of the year.
        (CalendarEntry("F", "p", "12-29", 2, "alternate"), None, None),
        (CalendarEntry("F", "p", "12-29", 3, "alternate"), 2027, "too_long"),
        (CalendarEntry("F", "p", "02-29", 1, "daily"), 2027, "leap_day"),
        (CalendarEntry("F", "p", "soon", 1, "daily"), 2027, "rule"),
        (CalendarEntry("F", "p", "05-06", 0, "daily"), 2027, "none"),
        (CalendarEntry("F", "p", "05-06", 1, "nightly"), 2027, "days"),
    ],
)
def test_first_year_in_which_a_feria_does_not_fit_is_found(
    entry: CalendarEntry, year: int | None, code: str | None
) -> None:
    good = CalendarEntry("G", "q", "05-06", 1, "daily")
    found = first_break([good, entry], range(2027, 2127))
    if year is None:
        assert found is None
        return
    assert found is not None
    assert found.code == code
    assert found.entry is entry
    assert first_break([good, entry], range(2027, year)) is None
    assert first_break([good, entry], range(year, year + 1)) is not None
    if "year" in found.params:
        assert found.params["year"] == year


def test_feria_without_free_days_because_of_another_is_found() -> None:
    """Easter is late in 2038. Before that year, the two days after it are free."""
    first = CalendarEntry("Pascua", "p", "easter+248", 2, "daily")
    last = CalendarEntry("Fin", "p", "12-29", 2, "daily")
    found = first_break([first, last], range(2027, 2127))
    assert found is not None
    # 248 days after 25 April is 29 December, so the feria Fin has only 31 December.
    assert (found.entry, found.params["year"]) == (last, 2038)
    assert first_break([first, last._replace(plaza="q")], range(2027, 2127)) is None


def test_years_without_a_valid_calendar_are_found() -> None:
    entries = [CalendarEntry("F", "p", "easter+0", 1, "daily")]
    assert first_break(entries, []) is None
    assert first_break(entries, [1583]) is None
    found = first_break(entries, [1582])
    assert found is not None
    assert found.code == "easter"


WIDE = st.builds(
    CalendarEntry,
    feria=st.sampled_from("FGH"),
    plaza=st.sampled_from("pq"),
    starts=st.one_of(
        st.dates(date(2001, 1, 1), date(2001, 12, 31)).map(lambda day: f"{day:%m-%d}"),
        st.integers(-115, 284).map(lambda days: f"easter{days:+d}"),
        st.dates(date(2001, 12, 10), date(2001, 12, 31)).map(lambda day: f"sunday>={day:%m-%d}"),
    ),
    corridas=st.integers(0, 60),
    days=st.sampled_from((*DAY_PATTERNS, "nightly")),
)


@given(st.lists(WIDE, max_size=4), st.integers(1900, 2500))
def test_first_break_agrees_with_computing_the_dates(
    entries: list[CalendarEntry], year: int
) -> None:
    found = first_break(entries, [year])
    if found is None:
        assert len(dates(entries, year)) == sum(entry.corridas for entry in entries)
        return
    with pytest.raises(CalendarError) as raised:
        dates(entries, year)
    assert (found.code, found.entry) == (raised.value.code, raised.value.entry)


def test_calendar_error_survives_pickling() -> None:
    entry = CalendarEntry("F", "p", "sunday>=12-26", 1, "daily")
    error = first_break([entry], [2033])
    assert error is not None
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "F (p): “sunday>=12-26” falls on 2034-01-01, outside 2033"
    assert (again.code, again.entry, again.params) == (error.code, entry, error.params)
