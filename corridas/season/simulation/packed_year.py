"""A year packed for storage, so that its winter can be replayed whatever happens to the rows."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import Any, NotRequired, TypedDict

from api.types import JSONObject
from corridas.engine import MatadorCard as EngineCard
from corridas.world.winter import Career, HerdYear, Year
from fairness import canonical


class PackedYear(TypedDict):
    """A `Year` as JSON.

    A season imported without the promises of its matadors has `sealed` too, their SHA-256 digest.
    Its winter can't be replayed here.
    """

    year: int
    careers: list[JSONObject]
    herds: list[JSONObject]
    taken: list[str]
    plazas: list[str]
    sealed: NotRequired[str]


def pack(year: Year) -> bytes:
    return pack_document(
        {
            "year": year.year,
            "careers": [_career_document(career) for career in year.careers],
            "herds": [asdict(herd) for herd in year.herds],
            "taken": list(year.taken),
            "plazas": list(year.plazas),
        }
    )


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
    )


def _career_document(career: Career) -> JSONObject:
    card = career.card
    own = {name: getattr(career, name) for name in Career.__slots__ if name != "card"}
    day = card.to_json()["alternativa"]
    return own | {"counts": dict(career.counts), "card": card.face(), "alternativa": day}


def _career(*, name: str, card: JSONObject, alternativa: str | None, **fields: Any) -> Career:
    face = {"name": name, "alternativa": alternativa, **card}
    return Career(name=name, card=EngineCard.from_json(face), **fields)
