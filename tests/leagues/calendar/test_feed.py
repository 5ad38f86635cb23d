"""The fixtures feed, read back as a calendar program would."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Component

from leagues.fixtures.calendar import CalendarEntry, calendar_file

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
THURSDAY = datetime(2026, 3, 5, 20, tzinfo=ZoneInfo("Europe/Madrid"))


def events(*occasions: CalendarEntry, now: datetime = NOW) -> list[Component]:
    """What a program finds in the feed."""
    calendar = Calendar.from_ical(
        calendar_file(occasions, name="Thursdays", domain="example.org", now=now)
    )
    assert str(calendar["x-wr-calname"]) == "Thursdays"
    return list(calendar.walk("VEVENT"))


def occasion(key: str = "fixture/17", **more: object) -> CalendarEntry:
    values: dict[str, object] = {"summary": "ana - kiko", "changed": NOW, "starts": THURSDAY}
    return CalendarEntry(key=key, **{**values, **more})  # type: ignore[arg-type]


def test_an_appointment_is_in_utc_and_takes_its_length() -> None:
    (event,) = events(occasion(length=timedelta(minutes=90)))
    assert event.decoded("dtstart") == datetime(2026, 3, 5, 19, tzinfo=UTC)
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(minutes=90)
    assert b"DTSTART:20260305T190000Z" in event.to_ical()
    assert str(event["status"]) == "CONFIRMED"
    assert str(event["transp"]) == "OPAQUE"


def test_without_an_appointment_the_last_hour_of_the_deadline_is_marked() -> None:
    (event,) = events(occasion(starts=None, deadline=THURSDAY))
    assert event.decoded("dtend") == THURSDAY
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(hours=1)
    assert str(event["transp"]) == "TRANSPARENT"


def test_without_any_time_there_is_nothing_to_mark() -> None:
    assert events(occasion(starts=None)) == []


def test_what_is_void_is_crossed_out_under_the_same_name() -> None:
    (before,) = events(occasion())
    (after,) = events(occasion(void=True, version=1), now=NOW + timedelta(days=1))
    assert before["uid"] == after["uid"] == "fixture-17@example.org"
    assert str(after["status"]) == "CANCELLED"
    assert (before["sequence"], after["sequence"]) == (0, 1)


def test_a_postponed_fixture_keeps_its_name_and_moves() -> None:
    (before,) = events(occasion())
    (after,) = events(occasion(starts=THURSDAY + timedelta(weeks=1), version=1))
    assert before["uid"] == after["uid"]
    assert after.decoded("dtstart") - before.decoded("dtstart") == timedelta(weeks=1)


def test_the_clock_is_an_argument() -> None:
    one = calendar_file([occasion()], name="T", domain="example.org", now=NOW)
    assert one == calendar_file([occasion()], name="T", domain="example.org", now=NOW)
    (event,) = events(occasion())
    assert event.decoded("dtstamp") == NOW


def test_they_come_in_the_order_of_their_times() -> None:
    found = events(
        occasion("fixture/3", starts=THURSDAY + timedelta(days=1)),
        occasion("fixture/1", starts=None, deadline=THURSDAY),
    )
    assert [str(event["uid"]) for event in found] == [
        "fixture-1@example.org",
        "fixture-3@example.org",
    ]


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        events(occasion(starts=datetime(2026, 3, 5, 20)))


@given(st.text(), st.text(), st.text())
def test_no_words_can_break_out_of_their_field(summary: str, description: str, place: str) -> None:
    (event,) = events(occasion(summary=summary, description=description, place=place))
    assert str(event["uid"]) == "fixture-17@example.org"
    assert str(event["status"]) == "CONFIRMED"
    assert (
        str(event["summary"]).split()
        == "".join(letter if letter.isprintable() else " " for letter in summary).split()
    )


def test_lines_commas_and_semicolons_survive() -> None:
    words = "Table 3; bring the set,\nthe one with 91 tiles"
    (event,) = events(occasion(description=words, address="https://example.org/matches/17/"))
    assert str(event["description"]) == words
    assert str(event["url"]) == "https://example.org/matches/17/"
