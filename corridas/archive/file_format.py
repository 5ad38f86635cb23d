"""Schema of season files: the kinds of entries, their order, and their fields."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from actas import DocumentPart
from actas.fields import (
    Fields,
    day,
    instant,
    line,
    many,
    mapping_reader,
    maybe,
    octets,
    one_of,
    record,
    record_reader,
    slug,
    text,
    whole_number_reader,
    yes_or_no,
)
from corridas.archive.bundle import YEARS
from corridas.engine import BULLS, DECK_SIZE, MATADORS, RANGES, CardError, Ending, Range
from corridas.models import Corrida
from corridas.models.escalafon import COUNTERS
from corridas.world.winter import VERSION

year: Final = whole_number_reader(*YEARS)


def ranges(part: DocumentPart) -> dict[str, str]:
    texts: dict[str, str] = record(part, dict.fromkeys(RANGES, line(7)))
    for written in texts.values():
        try:
            canonical = str(Range.parse(written))
        except CardError as error:
            raise part.malformed(str(error)) from error
        if canonical != written:
            raise part.malformed(_("Enter a range (81-94), a single number (7) or a hyphen (-)."))
    return texts


SEED: Final = octets(32, 32)
SEEDLESS: Final = octets(0, 32)

# The kinds of entries in their order. A corrida that was never fought is an entry of the kind
# `date` among the corridas.
ORDER: Final = (
    *("season", "deck", "plazas", "herds", "sires", "matadors", "ferias", "corrida", "careers"),
    *("debuts", "cards", "news", "winter", "escalafon", "awards", "records", "end", "promises"),
)
ONCE: Final = frozenset({"season", "winter", "end", "promises"})
LINKS: Final = ("kind", "n", "before")

small, points, count = (
    whole_number_reader(0, 32_000),
    whole_number_reader(-32_000, 32_000),
    whole_number_reader(0, 1_000_000),
)
BULL_NUMBER: Final = {"year": whole_number_reader(1800, 2600), "number": small}
SEASON: Final[Fields] = {
    "circuit": slug(40),
    "year": year,
    "rules": mapping_reader(text()),
    "seed": SEED,
    "commitment": SEED,
}
DECK: Final[Fields] = {
    "digest": line(64, least=64),
    "lines": many(line(300), DECK_SIZE, DECK_SIZE),
}
PLAZA: Final[Fields] = {
    "slug": slug(),
    "name": line(60),
    "city": line(60),
    "country": line(2),
    "continent": one_of("EU", "AM"),
    "category": whole_number_reader(1, 3),
    "seats": maybe(whole_number_reader(1, 99_999)),
}
HERD: Final[Fields] = {
    "slug": slug(),
    "name": line(60),
    "country": line(2),
    "continent": one_of("EU", "AM"),
    "encaste": line(40),
    "renown": maybe(small),
}
_BULL: Final[Fields] = {
    **BULL_NUMBER,
    "name": line(30),
    "coat": line(30),
    "weight": whole_number_reader(300, 800),
}
SIRE: Final[Fields] = {"herd": slug(), **_BULL}
CARD: Final[Fields] = {
    "printing": whole_number_reader(1, 32_000),
    "rating": whole_number_reader(1, 100),
    "since": maybe(year),
    "ranges": ranges,
}
_PERSON: Final[Fields] = {
    "slug": slug(),
    "name": line(60),
    "apodo": line(40),
    "country": line(2),
    "birthplace": line(60),
    "born": line(10),
    "style": line(30),
}
MAN: Final[Fields] = {
    **_PERSON,
    "died": line(10),
    "deathplace": line(60),
    "alternativa": maybe(day),
    "alternativa_place": line(60),
    "fictional": yes_or_no,
    "padrino": maybe(slug()),
    "testigo": maybe(slug()),
    "cards": many(record_reader(CARD), 400),
}
DEBUT: Final[Fields] = _PERSON
FERIA: Final[Fields] = {
    "slug": slug(120),
    "name": line(80),
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
    "deck": line(64, least=64),
    "engine": line(4),
    "by_hand": yes_or_no,
    "commitment": SEEDLESS,
    "matadors": many(
        record_reader(
            {
                "slug": slug(),
                "printing": whole_number_reader(1, 32_000),
                "instead_of": maybe(slug()),
            }
        ),
        MATADORS,
        MATADORS,
    ),
    "bulls": many(
        record_reader({**_BULL, "sire": maybe(many(whole_number_reader(0, 32_000), 2, 2))}),
        BULLS,
        BULLS,
    ),
}
LIDIA: Final[Fields] = {
    "turn": whole_number_reader(1, BULLS),
    "ending": one_of(*(ending.value for ending in Ending)),
    "injured": whole_number_reader(0, 7),
    "matador_points": points,
    "bull_points": points,
    "kill_points": points,
    "avisos": whole_number_reader(0, 3),
    "score": maybe(points),
    "number": maybe(whole_number_reader(1, 100)),
    "trophy": maybe(whole_number_reader(0, 3)),
    "vuelta": maybe(yes_or_no),
    "crowd": maybe(whole_number_reader(1, 6)),
    "bull": whole_number_reader(0, BULLS - 1),
    "starter": whole_number_reader(0, MATADORS - 1),
    "finisher": maybe(whole_number_reader(0, MATADORS - 1)),
    "draws": octets(0, 2_000),
}
COUNTS: Final[Fields] = dict.fromkeys(COUNTERS, count)
CAREER: Final[Fields] = {
    "slug": slug(),
    "name": line(60),
    "country": line(2),
    "age": whole_number_reader(-1000, 1000),
    "state": one_of("novillero", "active", "retired"),
    "seasons": small,
    "card": record_reader({"rating": whole_number_reader(1, 100), "ranges": ranges}),
    "retired_for": whole_number_reader(0, 1000),
    "counts": mapping_reader(count),
    "hurt_days": count,
    "form": line(10),
    "alternativa": maybe(lambda part: day(part).isoformat()),
}
HERD_YEAR: Final[Fields] = {
    "slug": slug(),
    "country": line(2),
    "continent": one_of("EU", "AM"),
    "renown": small,
    **dict.fromkeys(("bulls", "ears", "indultos", "vueltas", "three_avisos"), count),
}
PRESSED: Final[Fields] = {"slug": slug(), **CARD}
OPEN_DATE: Final[Fields] = {
    "date": lambda part: day(part).isoformat(),
    "plaza": slug(),
    "category": whole_number_reader(1, 3),
    "country": line(2),
}
# Additional fields of a winter that was played by version 2 of the rules or a later one.
WINTER_VERSION: Final[Fields] = {
    "version": whole_number_reader(2, VERSION),
    "calendar": many(record_reader(OPEN_DATE), 5_000),
}
# Additional field of a winter after which all cards were printed again.
NEW_CARDS: Final[Fields] = {"new_cards_at": instant}
WINTER: Final[Fields] = {
    "seed": SEED,
    "commitment": SEED,
    "herds": many(record_reader(HERD_YEAR), 2_000),
    "taken": many(line(60), 20_000),
    "plazas": many(slug(), 500),
    "sealed": line(64, least=64),
}
ESCALAFON: Final[Fields] = {"slug": slug(), "category": whole_number_reader(1, 3), **COUNTS}
END: Final[Fields] = {"corridas": whole_number_reader(0, 5_000)}

_WHO: Final[Fields] = {"slug": slug(), "name": line(60)}
_MOVED: Final[Fields] = {"before": small, "after": small}
NEWS: Final[dict[str, Fields]] = {
    "retired": {**_WHO, "why": line(20)},
    "returned": _WHO,
    "alternativa": {
        **_WHO,
        "padrino": record_reader(_WHO),
        "testigo": record_reader(_WHO),
        "plaza": line(60),
        "date": lambda part: day(part).isoformat(),
    },
    "debut": {
        **_WHO,
        "country": line(2),
        "birthplace": line(60),
        "age": whole_number_reader(0, 1000),
    },
    "card": {**_WHO, **_MOVED, "printing": whole_number_reader(1, 32_000)},
    "herd": {**_WHO, **_MOVED},
    "sire": {"name": line(30), "number": small, "herd": record_reader(_WHO)},
}
