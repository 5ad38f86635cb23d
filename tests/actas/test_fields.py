"""Field readers of records: formats are mappings, and all errors are reported at once."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from actas import DocumentPart, Malformed
from actas.fields import (
    Fields,
    Reader,
    day,
    digits,
    instant,
    line,
    many,
    mapping_reader,
    maybe,
    members,
    octets,
    one_of,
    record,
    record_reader,
    slug,
    text,
    whole_number_reader,
    with_members,
    yes_or_no,
)

BULL: Fields = {"name": line(5, least=1), "number": whole_number_reader(0, 99)}
PLAZA: Fields = {
    "slug": slug(),
    "seats": maybe(whole_number_reader(1, 9)),
    "bulls": many(record_reader(BULL), 3, 1),
    "open": yes_or_no,
}
GOOD: dict[str, Any] = {
    "slug": "las-ventas",
    "seats": None,
    "bulls": [{"name": "Uno", "number": 1}],
    "open": True,
}


def errors(value: Any, read: Reader) -> list[str]:
    """Return the paths of all errors."""
    with pytest.raises(Malformed) as caught:
        read(DocumentPart(value, "7"))
    assert (caught.value.path, caught.value.sentence) == caught.value.errors[0]
    return [path for path, _sentence in caught.value.errors]


def test_field_readers_return_the_values_of_an_object() -> None:
    assert record(DocumentPart(GOOD), PLAZA) == GOOD
    assert record(DocumentPart(GOOD | {"n": 1}), PLAZA, beside=("n",)) == GOOD
    assert members(DocumentPart(GOOD), {"open": yes_or_no}) == {"open": True}
    assert mapping_reader(whole_number_reader(0, 1))(DocumentPart({"a": 0, "b": 1})) == {
        "a": 0,
        "b": 1,
    }
    assert with_members({"a": text()})(DocumentPart({"a": "x", "b": 1})) == {"a": "x"}


def test_all_errors_of_a_record_are_reported_at_once() -> None:
    bulls = [{"name": "", "number": 100}, 3, {"number": 1, "odd": 1}]
    found = errors({"slug": "a b", "bulls": bulls, "open": 1, "odd": 1}, record_reader(PLAZA))
    assert found == [
        *("7", "7/slug", "7/seats", "7/bulls/0/name", "7/bulls/0/number", "7/bulls/1"),
        *("7/bulls/2", "7/bulls/2/name", "7/open"),
    ]


def test_error_message_names_only_the_first_twenty_errors() -> None:
    with pytest.raises(Malformed) as caught:
        many(whole_number_reader(0, 1), 50)(DocumentPart([2] * 30))
    assert len(caught.value.errors) == 30
    assert str(caught.value).count("whole number") == 20
    assert str(caught.value).startswith("0: This value must be a whole number from 0 to 1. 1: ")


@pytest.mark.parametrize("value", [[], None, 3, "x"])
def test_other_value_in_place_of_an_object_is_a_single_error(value: Any) -> None:
    assert errors(value, record_reader(PLAZA)) == ["7"]
    assert errors(value, with_members(PLAZA)) == ["7"]
    assert errors(value, mapping_reader(text())) == ["7"]


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (digits(2), "00ff", b"\x00\xff"),
        (octets(1, 2), "ff", b"\xff"),
        (octets(0, 2), "", b""),
        (day, "2026-05-15", dt.date(2026, 5, 15)),
        (instant, "2026-05-15T18:00:00+00:00", dt.datetime(2026, 5, 15, 18, tzinfo=dt.UTC)),
        (one_of("a", 1), 1, 1),
        (many(text(1), 2), ["a", "b"], ["a", "b"]),
    ],
)
def test_field_reader_returns_a_valid_value(read: Reader, value: Any, found: Any) -> None:
    assert read(DocumentPart(value)) == found


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (digits(2), "00f"),
        (octets(1, 2), ""),
        (octets(1, 2), "00ff00"),
        (octets(1, 2), "FF"),
        (day, "2026-5-15"),
        (day, "20260515"),
        (instant, "2026-05-15T18:00:00"),
        (instant, "2026-05-15T18:00:00+02:00"),
        (one_of("a", 1), True),
        (yes_or_no, 1),
        (slug(3), "abcd"),
        (line(3), "a\nb"),
        (many(text(), 2), ["a"] * 3),
        (many(text(), 2, 1), []),
    ],
)
def test_field_reader_rejects_an_invalid_value(read: Reader, value: Any) -> None:
    assert errors(value, read) == ["7"]
