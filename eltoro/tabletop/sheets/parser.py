"""Parses scoresheets from arbitrary JSON, and writes days as JSON."""

from __future__ import annotations

from functools import cache

from api.types import JSON
from eltoro.tabletop.sheets.reading import Objection, RecordedDay, Sheet


def read_sheet(content: JSON, players: int) -> Sheet:
    """Parse a scoresheet. Never raises an error: objections to invalid values are in `faults`."""
    from pydantic import ValidationError

    from core.documents.schema import error_paths
    from eltoro.tabletop.sheets.format import FORMATS

    kind = content.get("kind") if isinstance(content, dict) else None
    if not isinstance(kind, str) or kind not in FORMATS:
        return _unreadable("kind")
    try:
        sheet = FORMATS[kind].model_validate(content, context={"players": players})
    except ValidationError as error:
        return _unreadable(*error_paths(error))
    return sheet.to_sheet(players)


def _unreadable(*paths: str) -> Sheet:
    return Sheet(faults=tuple(Objection(path=path, code="unreadable") for path in paths))


@cache
def sheet_schema() -> dict[str, JSON]:
    from core.documents.schema import json_schema
    from eltoro.tabletop.sheets.format import FORMATS

    return json_schema("An evening of Running with the Bulls", *FORMATS.values())


def write_day(day: RecordedDay) -> dict[str, JSON]:
    document = {
        "destinations": list(day.destinations),
        "arrived": [list(row) for row in day.arrived],
        "gained": list(day.gained),
        "dice": [_write_dice(faces) for faces in day.dice],
    }
    return {**document, "aside": list(day.aside)} if day.aside else document


def _write_dice(faces: tuple[int, ...]) -> JSON:
    if len(faces) > 1:
        return list(faces)
    return faces[0] if faces else None
