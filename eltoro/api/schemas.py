"""The three ways in which an evening is handed in, as a JSON schema; see `eltoro.sheets`."""

from __future__ import annotations

from typing import Any, Final

WHOLE: Final = {"type": "integer"}
BY_SEAT: Final = {"type": "array", "minItems": 2, "maxItems": 6}
FACE: Final = {"type": "integer", "minimum": 1, "maximum": 6}
DAY: Final = {
    "type": "object",
    "properties": {
        "destinations": {
            "type": "array",
            "maxItems": 5,
            "items": {"type": "string"},
            "description": "The keys of the five that lay out.",
        },
        "arrived": {
            **BY_SEAT,
            "items": {"type": "array", "items": WHOLE},
            "description": "By seat, how many runners at each of them.",
        },
        "gained": {**BY_SEAT, "items": WHOLE, "description": "Points by action cards."},
        "dice": {
            **BY_SEAT,
            "items": {"anyOf": [FACE, {"type": "array", "items": FACE}, {"type": "null"}]},
            "description": "What was rolled for an effect of the day before.",
        },
    },
    "required": ["destinations", "arrived"],
}
POINTS: Final = {
    "type": "object",
    "properties": {
        "kind": {"const": "points"},
        "days": {
            "type": "array",
            "items": {**BY_SEAT, "items": WHOLE},
            "description": "The points of each day by seat: the weakest evidence.",
        },
    },
    "required": ["kind", "days"],
}
ARRIVALS: Final = {
    "type": "object",
    "properties": {"kind": {"const": "arrivals"}, "days": {"type": "array", "items": DAY}},
    "required": ["kind", "days"],
}
LOG: Final = {
    "type": "object",
    "properties": {
        "kind": {"const": "log"},
        "seed": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "moves": {"type": "array", "maxItems": 2000, "items": {"type": "string"}},
    },
    "required": ["kind", "seed", "moves"],
}
SHEET: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "An evening of Running with the Bulls",
    "oneOf": [POINTS, ARRIVALS, LOG],
}
