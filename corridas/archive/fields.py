"""What stands in an entry, field by field: nothing is taken that a row could not hold."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from actas import Part
from corridas.archive.limits import YEARS
from corridas.engine import RANGES, Range

Reader = Callable[[Part], Any]
Fields = Mapping[str, Reader]
_SLUG: Final = re.compile(r"[-a-zA-Z0-9_]+")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def record(part: Part, fields: Fields, *, beside: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with these fields and no others, but for those `beside`, which are not read."""
    names = part.mapping().keys()
    strange = [name for name in names if name not in fields and name not in beside]
    if strange:
        raise part.wrong(_("An entry can’t contain “%(name)s”.") % {"name": strange[0][:40]})
    return {name: read(part[name]) for name, read in fields.items()}


def slug(longest: int = 60) -> Reader:
    """An address of so many signs at most."""

    def read(part: Part) -> str:
        text = part.text(longest)
        if not _SLUG.fullmatch(text):
            raise part.wrong(_("An address may only contain letters, digits and hyphens."))
        return text

    return read


def words(longest: int, *, least: int = 0) -> Reader:
    """A text of so many signs, on one line."""

    def read(part: Part) -> str:
        text = part.text(longest)
        if len(text) < least or _CONTROL.search(text):
            raise part.wrong(_("This must be a single line of text."))
        return text

    return read


def whole(low: int, high: int) -> Reader:
    """A whole number within bounds."""
    return lambda part: part.whole(low, high)


def maybe(read: Reader) -> Reader:
    """The same, or nothing."""
    return lambda part: None if part.value is None else read(part)


def one_of(*known: object) -> Reader:
    """One of these, by value and type."""

    def read(part: Part) -> Any:
        if not any(part.value == one and type(part.value) is type(one) for one in known):
            raise part.wrong(_("This value is not allowed here."))
        return part.value

    return read


yes_or_no: Final = one_of(True, False)
year: Final = whole(*YEARS)


def day(part: Part) -> dt.date:
    """A date as 2026-05-15."""
    text = part.text(10)
    try:
        found = dt.date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise part.wrong(_("Write dates as 2026-05-15."))
    return found


def instant(part: Part) -> dt.datetime:
    """An instant in universal time, as it is written here."""
    text = part.text(40)
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        found = None
    known = found is not None and found.tzinfo is not None and not found.utcoffset()
    if found is None or not known or found.isoformat() != text:
        raise part.wrong(_("Write times as 2026-05-15T18:00:00+00:00."))
    return found


def octets(least: int, most: int) -> Reader:
    """So many bytes in hexadecimal digits."""

    def read(part: Part) -> bytes:
        text = part.text(2 * most)
        if len(text) < 2 * least or not _HEX.fullmatch(text):
            raise part.wrong(_("This must consist of hexadecimal digits."))
        return bytes.fromhex(text)

    return read


def many(read: Reader, most: int, least: int = 0) -> Reader:
    """A list of so many of the same."""
    return lambda part: [read(one) for one in part.items(most, least)]


def of(fields: Fields) -> Reader:
    """An object with these fields."""
    return lambda part: record(part, fields)


def ranges(part: Part) -> dict[str, str]:
    """The ranges of a card in their notation; `CardError` for what is none."""
    told: dict[str, str] = record(part, dict.fromkeys(RANGES, words(7)))
    for text in told.values():
        if str(Range.parse(text)) != text:
            raise part.wrong(_("Enter a range as 81-94, 7 or -."))
    return told


digits: Final = octets(32, 32)
SEEDLESS: Final = octets(0, 32)
