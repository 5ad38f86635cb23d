"""Single values as files hold them: text, numbers, dates; read strictly, refused in words."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import UTC, datetime, time, tzinfo

from leagues.exchange.findings import Code, Refused
from leagues.exchange.records import MOST_POINTS

MOST_BYTES = 16 * 1024 * 1024
NOON = time(12)
"""When a match is taken to have been played of which only the day is known."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.0{1,9})?")
_SUM = re.compile(r"[+-]?[0-9]{1,9}([+-][0-9]{1,9}){0,99}")
_TERM = re.compile(r"[+-]?[0-9]+")
_DATE = re.compile(
    r"(19|20|21)[0-9]{2}-[01][0-9]-[0-3][0-9]"
    r"([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?)?"
)
_WHOLE_DAY = len("2026-03-05")


def decoded(data: bytes | str) -> str:
    """The text of a file; `Refused` where it is too large or not UTF-8."""
    if len(data) > MOST_BYTES:
        raise Refused(Code.SIZE, most=MOST_BYTES)
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(Code.ENCODING) from None


def parsed(data: bytes | str) -> object:
    """The value that a JSON file holds; `Refused` where it is none."""
    text = decoded(data)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(Code.NOT_JSON) from None


def text_of(value: object, field: str, most: int, *, lines: bool = False) -> str:
    """Text, composed and without space around it; several lines only where they may be.

    None is empty. `Refused` where it is no text, too long, or holds signs no text has.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused(Code.SHAPE, field=field)
    if len(value) > 4 * most + 100:
        raise Refused(Code.TEXT, field=field)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Refused(Code.TEXT, field=field) from None
    composed = unicodedata.normalize("NFC", value)
    kept = [" ".join(line.split()) for line in composed.splitlines()]
    text = ("\n" if lines else " ").join(kept).strip()
    if len(text) > most or any(unicodedata.category(sign) == "Cc" for sign in text if sign != "\n"):
        raise Refused(Code.TEXT, field=field)
    return text


def number_of(value: object, field: str, *, least: int = -MOST_POINTS) -> int | None:
    """A whole number, or None where there is none; `Refused` where it is something else."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) <= MOST_POINTS:
        value = int(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = int(value.strip().partition(".")[0])
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(Code.NUMBER, field=field, value=value)
    if not least <= value <= MOST_POINTS:
        raise Refused(Code.NUMBER, field=field, value=value)
    return value


def sum_of(value: object, field: str) -> int | None:
    """A number, or a sum written out (`3+20+5`); None where there is none."""
    if isinstance(value, str):
        written = "".join(value.split())
        if len(written) <= 1_000 and _SUM.fullmatch(written):
            return number_of(sum(map(int, _TERM.findall(written))), field)
        return number_of(written, field)
    return number_of(value, field)


def moment_of(value: object, zone: tzinfo) -> datetime:
    """When, in UTC; a time without a zone is one of `zone`, a day alone its noon."""
    if not isinstance(value, str) or not _DATE.fullmatch(value.strip()):
        raise Refused(Code.DATE, value=value)
    try:
        moment = datetime.fromisoformat(value.strip())
        if len(value.strip()) == _WHOLE_DAY:
            moment = datetime.combine(moment, NOON)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(Code.DATE, value=value) from None


def written_moment(moment: datetime) -> str:
    """A time as files hold it: in UTC, to the microsecond where it has any."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
