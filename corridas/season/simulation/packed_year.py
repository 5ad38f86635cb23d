"""A year packed for storage, so that its winter can be replayed whatever happens to the rows."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import Any

from corridas.engine import MatadorCard as EngineCard
from corridas.world.winter import Career, HerdYear, Year
from fairness import canonical


def pack(year: Year) -> bytes:
    return pack_told(
        {
            "year": year.year,
            "careers": [_written(career) for career in year.careers],
            "herds": [asdict(herd) for herd in year.herds],
            "taken": list(year.taken),
            "plazas": list(year.plazas),
        }
    )


def pack_told(document: dict[str, Any]) -> bytes:
    return zlib.compress(canonical(document))


def told_of(packed: bytes) -> dict[str, Any]:
    """Return a packed year as plain data: `year`, `careers`, `herds`, `taken`, `plazas`.

    A season imported without the promises of its matadors has `sealed` too, their SHA-256 digest.
    Its winter can't be replayed here.
    """
    document: dict[str, Any] = json.loads(zlib.decompress(packed))
    return document


def year_of(document: dict[str, Any]) -> Year:
    careers = tuple(_read(dict(career)) for career in document["careers"])
    herds = tuple(HerdYear(**herd) for herd in document["herds"])
    return Year(
        year=document["year"],
        careers=careers,
        herds=herds,
        taken=tuple(document["taken"]),
        plazas=tuple(document["plazas"]),
    )


def _written(career: Career) -> dict[str, Any]:
    card = career.card
    own = {name: getattr(career, name) for name in Career.__slots__ if name != "card"}
    day = card.to_json()["alternativa"]
    return own | {"counts": dict(career.counts), "card": card.face(), "alternativa": day}


def _read(fields: dict[str, Any]) -> Career:
    face, day = fields.pop("card"), fields.pop("alternativa")
    card = EngineCard.from_json({"name": fields["name"], "alternativa": day, **face})
    return Career(card=card, **fields)
