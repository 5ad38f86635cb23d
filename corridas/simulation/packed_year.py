"""The stored input of a winter, so that the winter can be recalculated after rows have changed."""

from __future__ import annotations

import datetime as dt
import json
import zlib
from dataclasses import asdict
from typing import Any, NotRequired, TypedDict

from api.types import JSONObject
from corridas.engine import MatadorCard as EngineCard
from corridas.world.winter import Career, HerdYear, OpenDate, Year
from fairness import canonical


class PackedYear(TypedDict):
    """A `Year`, the input of a winter, as JSON.

    Years of version 1 have neither `version` nor `calendar`. `sealed` is set for a season that was
    imported without the potentials of its matadors. It is their SHA-256 digest, and the winter
    cannot be recalculated then.
    """

    year: int
    careers: list[JSONObject]
    herds: list[JSONObject]
    taken: list[str]
    plazas: list[str]
    version: NotRequired[int]
    calendar: NotRequired[list[JSONObject]]
    sealed: NotRequired[str]


def pack(year: Year) -> bytes:
    document: PackedYear = {
        "year": year.year,
        "careers": [_career_document(career) for career in year.careers],
        "herds": [asdict(herd) for herd in year.herds],
        "taken": list(year.taken),
        "plazas": list(year.plazas),
    }
    if year.version > 1:
        days = [{**place._asdict(), "date": place.date.isoformat()} for place in year.calendar]
        document |= {"version": year.version, "calendar": days}
    return pack_document(document)


def pack_document(document: PackedYear) -> bytes:
    return zlib.compress(canonical(document))


def unpack(packed: bytes) -> PackedYear:
    document: PackedYear = json.loads(zlib.decompress(packed))
    return document


def year_of(document: PackedYear) -> Year:
    return Year(
        year=document["year"],
        careers=tuple(_career(**career) for career in document["careers"]),
        herds=tuple(HerdYear(**herd) for herd in document["herds"]),
        taken=tuple(document["taken"]),
        plazas=tuple(document["plazas"]),
        version=document.get("version", 1),
        calendar=tuple(_open_date(**place) for place in document.get("calendar", ())),
    )


def _open_date(*, date: str, **fields: Any) -> OpenDate:
    return OpenDate(date=dt.date.fromisoformat(date), **fields)


def _career_document(career: Career) -> JSONObject:
    card = career.card
    own = {name: getattr(career, name) for name in Career.__slots__ if name != "card"}
    day = card.to_json()["alternativa"]
    return own | {"counts": dict(career.counts), "card": card.face(), "alternativa": day}


def _career(
    *, slug: str, name: str, card: JSONObject, alternativa: str | None, **fields: Any
) -> Career:
    face = {"name": name, "key": slug, "alternativa": alternativa, **card}
    return Career(slug=slug, name=name, card=EngineCard.from_json(face), **fields)
