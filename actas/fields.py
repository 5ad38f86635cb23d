"""Strict readers of the fields of a record, which report all errors at once.

A format maps field names to reader functions:

    PLAZA = {"slug": slug(60), "name": line(60), "category": whole(1, 3), "seats": maybe(count)}

    row = record(part, PLAZA)
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _

from actas.parsing import DocumentPart, Error, Malformed

Reader = Callable[[DocumentPart], Any]
Fields = Mapping[str, Reader]
_SLUG: Final = re.compile(r"[-a-zA-Z0-9_]+")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def read_all(readings: Iterable[Callable[[], object]]) -> list[Any]:
    """Call all these field readers and return their results.

    Raises a single `Malformed` with the errors of all of them.
    """
    results: list[Any] = []
    errors: list[Error] = []
    for read in readings:
        try:
            results.append(read())
        except Malformed as error:
            errors += error.errors
    if errors:
        raise Malformed.from_errors(errors)
    return results


def members(part: DocumentPart, fields: Fields) -> dict[str, Any]:
    """Read the given fields of an object in a record. The object may have further fields."""
    part.mapping()

    def read_member(name: str, read: Reader) -> Any:
        return read(part[name])

    values = read_all(partial(read_member, name, read) for name, read in fields.items())
    return dict(zip(fields, values, strict=True))


def record(part: DocumentPart, fields: Fields, *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """Read an object in a record that has exactly these fields.

    The object may also have the keys in `beside`, which are not read.
    """
    names = part.mapping()

    def reject_others() -> None:
        for name in names:
            if name not in fields and name not in beside:
                raise part.malformed(_("An entry can’t contain “%(name)s”.") % {"name": name[:40]})

    fields_read: dict[str, object] = read_all((reject_others, partial(members, part, fields)))[1]
    return fields_read


def record_reader(fields: Fields) -> Reader:
    return lambda part: record(part, fields)


def with_members(fields: Fields) -> Reader:
    return lambda part: members(part, fields)


def many(read: Reader, most: int, least: int = 0) -> Reader:
    """Return a reader for a list of `least` to `most` values in a record."""
    return lambda part: read_all(partial(read, item) for item in part.items(most, least))


def mapping_reader(read: Reader) -> Reader:
    """Return a reader for an object with arbitrary member names. `read` reads each value."""
    return lambda part: members(part, dict.fromkeys(part.mapping(), read))


def maybe(read: Reader) -> Reader:
    return lambda part: None if part.value is None else read(part)


def text(longest: int = 200) -> Reader:
    return lambda part: part.text(longest)


def whole_number_reader(low: int, high: int) -> Reader:
    return lambda part: part.whole_number(low, high)


def digits(count: int) -> Reader:
    """Return a reader for exactly `count` bytes, written as hexadecimal digits."""
    return lambda part: part.digits(count)


def octets(least: int, most: int) -> Reader:
    """Return a reader for `least` to `most` bytes, written as hexadecimal digits."""

    def read(part: DocumentPart) -> bytes:
        text = part.text(2 * most)
        if len(text) < 2 * least or not _HEX.fullmatch(text):
            raise part.malformed(_("This value must consist of hexadecimal digits."))
        return bytes.fromhex(text)

    return read


def slug(longest: int = 60) -> Reader:
    def read(part: DocumentPart) -> str:
        text = part.text(longest)
        if not _SLUG.fullmatch(text):
            raise part.malformed(_("An address may only contain letters, digits and hyphens."))
        return text

    return read


def line(longest: int, *, least: int = 0) -> Reader:
    """Return a reader for one line of text of `least` to `longest` characters."""

    def read(part: DocumentPart) -> str:
        text = part.text(longest)
        if len(text) < least or _CONTROL.search(text):
            raise part.malformed(_("This value must be a single line of text."))
        return text

    return read


def one_of(*known: object) -> Reader:
    def read(part: DocumentPart) -> Any:
        if not any(part.value == choice and type(part.value) is type(choice) for choice in known):
            raise part.malformed(_("This value is not allowed here."))
        return part.value

    return read


yes_or_no: Final = one_of(True, False)


def day(part: DocumentPart) -> dt.date:
    text = part.text(10)
    try:
        parsed = dt.date.fromisoformat(text)
    except ValueError:
        parsed = None
    if parsed is None or parsed.isoformat() != text:
        raise part.malformed(_("Write dates as 2026-05-15."))
    return parsed


def instant(part: DocumentPart) -> dt.datetime:
    text = part.text(40)
    try:
        parsed = dt.datetime.fromisoformat(text)
    except ValueError:
        parsed = None
    known = parsed is not None and parsed.tzinfo is not None and not parsed.utcoffset()
    if parsed is None or not known or parsed.isoformat() != text:
        raise part.malformed(_("Write times as 2026-05-15T18:00:00+00:00."))
    return parsed
