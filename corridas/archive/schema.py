"""Schema of season files: the kinds of entries, their order, and their strictly read fields."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from actas import Part
from api.types import JSONObject
from corridas.archive.bundle import YEARS
from corridas.engine import BULLS, DECK_SIZE, MATADORS, RANGES, Ending, Range
from corridas.models import Corrida
from corridas.models.escalafon import COUNTERS

Reader = Callable[[Part], Any]
Fields = Mapping[str, Reader]
_SLUG: Final = re.compile(r"[-a-zA-Z0-9_]+")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def record(part: Part, fields: Fields, *, beside: tuple[str, ...] = ()) -> JSONObject:
    """Read an object with exactly these fields. The keys in `beside` are allowed but not read."""
    names = part.mapping().keys()
    strange = [name for name in names if name not in fields and name not in beside]
    if strange:
        raise part.wrong(_("An entry can’t contain “%(name)s”.") % {"name": strange[0][:40]})
    return {name: read(part[name]) for name, read in fields.items()}


def slug(longest: int = 60) -> Reader:
    """Read a slug of at most `longest` characters."""

    def read(part: Part) -> str:
        text = part.text(longest)
        if not _SLUG.fullmatch(text):
            raise part.wrong(_("An address may only contain letters, digits and hyphens."))
        return text

    return read


def words(longest: int, *, least: int = 0) -> Reader:
    """Read one line of text of `least` to `longest` characters."""

    def read(part: Part) -> str:
        text = part.text(longest)
        if len(text) < least or _CONTROL.search(text):
            raise part.wrong(_("This must be a single line of text."))
        return text

    return read


def whole(low: int, high: int) -> Reader:
    """Read a whole number from `low` to `high`."""
    return lambda part: part.whole(low, high)


def maybe(read: Reader) -> Reader:
    return lambda part: None if part.value is None else read(part)


def one_of(*known: object) -> Reader:
    def read(part: Part) -> Any:
        if not any(part.value == one and type(part.value) is type(one) for one in known):
            raise part.wrong(_("This value is not allowed here."))
        return part.value

    return read


yes_or_no: Final = one_of(True, False)
year: Final = whole(*YEARS)


def day(part: Part) -> dt.date:
    text = part.text(10)
    try:
        found = dt.date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.isoformat() != text:
        raise part.wrong(_("Write dates as 2026-05-15."))
    return found


def instant(part: Part) -> dt.datetime:
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
    def read(part: Part) -> bytes:
        text = part.text(2 * most)
        if len(text) < 2 * least or not _HEX.fullmatch(text):
            raise part.wrong(_("This must consist of hexadecimal digits."))
        return bytes.fromhex(text)

    return read


def many(read: Reader, most: int, least: int = 0) -> Reader:
    return lambda part: [read(one) for one in part.items(most, least)]


def of(fields: Fields) -> Reader:
    return lambda part: record(part, fields)


def ranges(part: Part) -> dict[str, str]:
    """Read the ranges of a card in their notation. Raises `CardError` if they are invalid."""
    told: dict[str, str] = record(part, dict.fromkeys(RANGES, words(7)))
    for text in told.values():
        if str(Range.parse(text)) != text:
            raise part.wrong(_("Enter a range as 81-94, 7 or -."))
    return told


digits: Final = octets(32, 32)
SEEDLESS: Final = octets(0, 32)

# The order of the kinds. `date`, a corrida that was never fought, appears among the corridas.
ORDER: Final = (
    *("season", "deck", "plazas", "herds", "sires", "matadors", "ferias", "corrida", "careers"),
    *("debuts", "cards", "news", "winter", "escalafon", "awards", "records", "end", "promises"),
)
ONCE: Final = frozenset({"season", "winter", "end", "promises"})
LINKS: Final = ("kind", "n", "before")

small, points, count = whole(0, 32_000), whole(-32_000, 32_000), whole(0, 1_000_000)
BULL_NUMBER: Final = {"year": whole(1800, 2600), "number": small}
SEASON: Final[Fields] = {
    "circuit": slug(40),
    "year": year,
    "rules": lambda part: {name: part[name].text() for name in part.mapping()},
    "seed": digits,
    "commitment": digits,
}
DECK: Final[Fields] = {
    "digest": words(64, least=64),
    "lines": many(words(300), DECK_SIZE, DECK_SIZE),
}
PLAZA: Final[Fields] = {
    "slug": slug(),
    "name": words(60),
    "city": words(60),
    "country": words(2),
    "continent": one_of("EU", "AM"),
    "category": whole(1, 3),
    "seats": maybe(whole(1, 99_999)),
}
HERD: Final[Fields] = {
    "slug": slug(),
    "name": words(60),
    "country": words(2),
    "continent": one_of("EU", "AM"),
    "encaste": words(40),
    "renown": maybe(small),
}
_BULL: Final[Fields] = {
    **BULL_NUMBER,
    "name": words(30),
    "coat": words(30),
    "weight": whole(300, 800),
}
SIRE: Final[Fields] = {"herd": slug(), **_BULL}
CARD: Final[Fields] = {
    "printing": whole(1, 32_000),
    "rating": whole(1, 100),
    "since": maybe(year),
    "ranges": ranges,
}
_PERSON: Final[Fields] = {
    "slug": slug(),
    "name": words(60),
    "apodo": words(40),
    "country": words(2),
    "birthplace": words(60),
    "born": words(10),
    "style": words(30),
}
MAN: Final[Fields] = {
    **_PERSON,
    "died": words(10),
    "deathplace": words(60),
    "alternativa": maybe(day),
    "alternativa_place": words(60),
    "fictional": yes_or_no,
    "padrino": maybe(slug()),
    "testigo": maybe(slug()),
    "cards": many(of(CARD), 400),
}
DEBUT: Final[Fields] = _PERSON
FERIA: Final[Fields] = {
    "slug": slug(120),
    "name": words(80),
    "plaza": slug(),
    "starts": day,
    "ends": day,
}
_HELD: Final[Fields] = {"plaza": slug(), "feria": maybe(slug(120)), "date": day}
DATE: Final[Fields] = {
    **_HELD,
    "state": one_of(Corrida.State.FAILED.value, Corrida.State.ANNOUNCED.value),
}
CORRIDA: Final[Fields] = {
    **_HELD,
    "state": one_of(*(state.value for state in Corrida.OVER)),
    "origin": one_of(*Corrida.Origin.values),
    "posted_at": maybe(instant),
    "herd": slug(),
    "deck": words(64, least=64),
    "engine": words(4),
    "by_hand": yes_or_no,
    "commitment": SEEDLESS,
    "matadors": many(
        of(
            {
                "slug": slug(),
                "printing": whole(1, 32_000),
                "instead_of": maybe(slug()),
            }
        ),
        MATADORS,
        MATADORS,
    ),
    "bulls": many(
        of({**_BULL, "sire": maybe(many(whole(0, 32_000), 2, 2))}),
        BULLS,
        BULLS,
    ),
}
LIDIA: Final[Fields] = {
    "turn": whole(1, BULLS),
    "ending": one_of(*(ending.value for ending in Ending)),
    "injured": whole(0, 7),
    "matador_points": points,
    "bull_points": points,
    "kill_points": points,
    "avisos": whole(0, 3),
    "score": maybe(points),
    "number": maybe(whole(1, 100)),
    "trophy": maybe(whole(0, 3)),
    "vuelta": maybe(yes_or_no),
    "crowd": maybe(whole(1, 6)),
    "bull": whole(0, BULLS - 1),
    "starter": whole(0, MATADORS - 1),
    "finisher": maybe(whole(0, MATADORS - 1)),
    "draws": octets(0, 2_000),
}
COUNTS: Final[Fields] = dict.fromkeys(COUNTERS, count)
CAREER: Final[Fields] = {
    "slug": slug(),
    "name": words(60),
    "country": words(2),
    "age": whole(-1000, 1000),
    "state": one_of("novillero", "active", "retired"),
    "seasons": small,
    "card": of({"rating": whole(1, 100), "ranges": ranges}),
    "retired_for": whole(0, 1000),
    "counts": lambda part: {name: part[name].whole(0, 1_000_000) for name in part.mapping()},
    "hurt_days": count,
    "form": words(10),
    "alternativa": maybe(lambda part: day(part).isoformat()),
}
HERD_YEAR: Final[Fields] = {
    "slug": slug(),
    "country": words(2),
    "continent": one_of("EU", "AM"),
    "renown": small,
    **dict.fromkeys(("bulls", "ears", "indultos", "vueltas", "three_avisos"), count),
}
PRESSED: Final[Fields] = {"slug": slug(), **CARD}
WINTER: Final[Fields] = {
    "seed": digits,
    "commitment": digits,
    "herds": many(of(HERD_YEAR), 2_000),
    "taken": many(words(60), 20_000),
    "plazas": many(slug(), 500),
    "sealed": words(64, least=64),
}
ESCALAFON: Final[Fields] = {"slug": slug(), "category": whole(1, 3), **COUNTS}
END: Final[Fields] = {"corridas": whole(0, 5_000)}

_WHO: Final[Fields] = {"slug": slug(), "name": words(60)}
_MOVED: Final[Fields] = {"before": small, "after": small}
NEWS: Final[dict[str, Fields]] = {
    "retired": {**_WHO, "why": words(20)},
    "returned": _WHO,
    "alternativa": {
        **_WHO,
        "padrino": of(_WHO),
        "testigo": of(_WHO),
        "plaza": words(60),
        "date": lambda part: day(part).isoformat(),
    },
    "debut": {**_WHO, "country": words(2), "birthplace": words(60), "age": whole(0, 1000)},
    "card": {**_WHO, **_MOVED, "printing": whole(1, 32_000)},
    "herd": {**_WHO, **_MOVED},
    "sire": {"name": words(30), "number": small, "herd": of(_WHO)},
}
