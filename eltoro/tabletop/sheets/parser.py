"""Parses sheets from arbitrary JSON, and writes days as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from eltoro.tabletop.sheets.reading import Day, Objection, Sheet, SheetKind

JSON = Any
MAX_DAYS: Final = 12
MAX_SEATS: Final = 12
MAX_MOVES: Final = 2000
MAX_TEXT: Final = 120
# Maximum characters of a key or a move.
SEAT_LETTERS: Final = "abcdef"
ASIDE_PATTERN: Final = re.compile(r"[a-f][1-9][0-9]?>[^\s=>/]+")
MAX_NUMBER: Final = 1_000_000
# Larger numbers are replaced by this, which is impossible anyway.


class _Unreadable(ValueError):
    """Invalid structure of a sheet, with its path."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


def read_sheet(content: JSON, players: int) -> Sheet:
    """Parse a sheet. Never raises: errors are in `faults`."""
    try:
        return _sheet(content, players)
    except _Unreadable as fault:
        return Sheet(faults=(Objection(path=fault.path, code="unreadable"),))


def write_day(day: Day) -> dict[str, JSON]:
    found = {
        "destinations": list(day.destinations),
        "arrived": [list(row) for row in day.arrived],
        "gained": list(day.gained),
        "dice": [_write_dice(faces) for faces in day.dice],
    }
    return {**found, "aside": list(day.aside)} if day.aside else found


def _write_dice(faces: tuple[int, ...]) -> JSON:
    if len(faces) > 1:
        return list(faces)
    return faces[0] if faces else None


def _sheet(content: JSON, players: int) -> Sheet:
    if not isinstance(content, dict):
        raise _Unreadable("kind")
    kind = content.get("kind")
    if kind == SheetKind.POINTS:
        return Sheet(way=SheetKind.POINTS, points=_points(content.get("days"), players))
    if kind == SheetKind.ARRIVALS:
        days = _list(content.get("days"), MAX_DAYS, "days")
        found = tuple(_day(day, players, f"days/{at}") for at, day in enumerate(days))
        return Sheet(way=SheetKind.ARRIVALS, days=found)
    if kind == SheetKind.LOG:
        moves = _list(content.get("moves"), MAX_MOVES, "moves")
        texts = tuple(_text(move, f"moves/{at}") for at, move in enumerate(moves))
        return Sheet(way=SheetKind.LOG, seed=_text(content.get("seed"), "seed"), moves=texts)
    raise _Unreadable("kind")


def _points(content: JSON, players: int) -> tuple[tuple[int, ...], ...]:
    days = enumerate(_list(content, MAX_DAYS, "days"))
    return tuple(_wholes(row, players, f"days/{at}") for at, row in days)


def _day(content: JSON, players: int, path: str) -> Day:
    if not isinstance(content, dict):
        raise _Unreadable(path)
    laid = _list(content.get("destinations"), MAX_SEATS, f"{path}/destinations")
    arrived = _seats(content.get("arrived"), players, f"{path}/arrived")
    dice = _seats(content.get("dice", [None] * players), players, f"{path}/dice")
    return Day(
        destinations=tuple(_text(key, f"{path}/destinations/{at}") for at, key in enumerate(laid)),
        arrived=tuple(
            _wholes(row, len(laid), f"{path}/arrived/{seat}") for seat, row in enumerate(arrived)
        ),
        gained=_wholes(content.get("gained", [0] * players), players, f"{path}/gained"),
        dice=tuple(_faces(face, f"{path}/dice/{seat}") for seat, face in enumerate(dice)),
        aside=tuple(_aside(content.get("aside", []), players, f"{path}/aside")),
    )


def _aside(content: JSON, players: int, path: str) -> Iterator[str]:
    """Yield existing players' runners with the space each went to."""
    for at, value in enumerate(_list(content, MAX_MOVES, path)):
        text = _text(value, f"{path}/{at}")
        if not ASIDE_PATTERN.fullmatch(text) or SEAT_LETTERS.index(text[0]) >= players:
            raise _Unreadable(f"{path}/{at}")
        yield text


def _faces(content: JSON, path: str) -> tuple[int, ...]:
    """Return the faces that one player rolled: none, one, or a list."""
    if content is None:
        return ()
    faces = content if isinstance(content, list) else [content]
    return _wholes(faces[:MAX_SEATS], len(faces), path)


def _list(content: JSON, most: int, path: str) -> list[JSON]:
    if not isinstance(content, list) or len(content) > most:
        raise _Unreadable(path)
    return content


def _seats(content: JSON, players: int, path: str) -> list[JSON]:
    found = _list(content, MAX_SEATS, path)
    if len(found) != players:
        raise _Unreadable(path)
    return found


def _wholes(content: JSON, count: int, path: str) -> tuple[int, ...]:
    """Return `count` whole numbers. Booleans and floats are invalid."""
    found = _list(content, max(MAX_SEATS, count), path)
    if len(found) != count:
        raise _Unreadable(path)
    for at, value in enumerate(found):
        if isinstance(value, bool) or not isinstance(value, int):
            raise _Unreadable(f"{path}/{at}")
    return tuple(max(-MAX_NUMBER, min(MAX_NUMBER, value)) for value in found)


def _text(content: JSON, path: str) -> str:
    if not isinstance(content, str):
        raise _Unreadable(path)
    return content[:MAX_TEXT]
