"""A year packed for good, so that its winter can be played again whatever became of the rows."""

from __future__ import annotations

import datetime as dt
import json
import zlib
from dataclasses import asdict
from typing import Any

from corridas.engine import MatadorCard as EngineCard
from corridas.engine import Range
from corridas.world.winter import Career, HerdYear, Year
from fairness import canonical


def pack(year: Year) -> bytes:
    """A year in a few kilobytes, to be played again from."""
    return pack_told(
        {
            "year": year.year,
            "careers": [_written(career) for career in year.careers],
            "herds": [asdict(herd) for herd in year.herds],
            "taken": list(year.taken),
            "plazas": list(year.plazas),
        }
    )


def pack_told(told: dict[str, Any]) -> bytes:
    """The same of a year that is told already; with `sealed`, its promises are kept elsewhere."""
    return zlib.compress(canonical(told))


def told_of(packed: bytes) -> dict[str, Any]:
    """A packed year as plain data: `year`, `careers`, `herds`, `taken`, `plazas`.

    `sealed` stands in that of a season taken over from another site without the promises of its
    men: SHA-256 over them. Such a winter cannot be played again here.
    """
    told: dict[str, Any] = json.loads(zlib.decompress(packed))
    return told


def year_of(told: dict[str, Any]) -> Year:
    """A year out of plain data, which is left as it is."""
    careers = tuple(_read(dict(career)) for career in told["careers"])
    herds = tuple(HerdYear(**herd) for herd in told["herds"])
    return Year(
        year=told["year"],
        careers=careers,
        herds=herds,
        taken=tuple(told["taken"]),
        plazas=tuple(told["plazas"]),
    )


def _written(career: Career) -> dict[str, Any]:
    card = career.card
    own = {name: getattr(career, name) for name in Career.__slots__ if name != "card"}
    printed = {"rating": card.rating, "ranges": card.ranges()}
    day = card.alternativa.isoformat() if card.alternativa else None
    return own | {"counts": dict(career.counts), "card": printed, "alternativa": day}


def _read(told: dict[str, Any]) -> Career:
    printed, day = told.pop("card"), told.pop("alternativa")
    card = EngineCard(
        name=told["name"],
        rating=printed["rating"],
        alternativa=dt.date.fromisoformat(day) if day else None,
        **{name: Range.parse(text) for name, text in printed["ranges"].items()},
    )
    return Career(card=card, **told)
