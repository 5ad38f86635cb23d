"""Parses sheets from arbitrary JSON, and writes hands as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from dominoes.engine import RANGES, HandSheet, Held, Objection, domino_set

MAX_HANDS: Final = 500
MAX_MOVES: Final = 1001
MAX_SEATS: Final = len(domino_set(RANGES["highest"][1]))
# The largest set deals so many seats a tile each (Ruling D-2).
MAX_TEXT: Final = 40
# Maximum characters of a tile or a move.
MAX_NUMBER: Final = 1_000_000
# Larger pips and totals are replaced by this, which is impossible anyway.

JSON = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A match as recorded. `faults` are the parts that cannot be read."""

    hands: tuple[HandSheet, ...] = ()
    totals: tuple[int, ...] | None = None
    stopped: bool = False
    faults: tuple[Objection, ...] = ()


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
        return Sheet(faults=(Objection(fault.path, "unreadable", {"sentence": ""}),))


def write_hand(written: HandSheet) -> dict[str, JSON]:
    found: dict[str, JSON] = {
        "leader": written.leader,
        "out": written.out,
        "blocked": written.blocked,
        "held": [_write_held(held) for held in written.held],
    }
    if written.moves:
        found["moves"] = list(written.moves)
    if written.deal is not None:
        found["deal"] = [list(hand) for hand in written.deal]
    return found


def _write_held(held: Held) -> JSON:
    if held.tiles is not None:
        return {"tiles": list(held.tiles)}
    return None if held.pips is None else {"pips": held.pips}


def _sheet(content: JSON, players: int) -> Sheet:
    if not isinstance(content, dict):
        raise _Unreadable("hands")
    hands = _list(content.get("hands") or [], MAX_HANDS, "hands")
    totals = content.get("totals")
    return Sheet(
        hands=tuple(_hand(hand, players, f"hands/{at}/") for at, hand in enumerate(hands)),
        totals=None if totals is None else tuple(_totals(totals)),
        stopped=_flag(content.get("stopped"), "stopped"),
    )


def _totals(content: JSON) -> list[int]:
    found = [_whole(value, "totals") for value in _list(content, MAX_SEATS, "totals")]
    return [_known_number(value, "totals") for value in found]


def _known_number(value: int | None, path: str) -> int:
    if value is None:
        raise _Unreadable(path)
    return value


def _hand(content: JSON, players: int, path: str) -> HandSheet:
    if not isinstance(content, dict):
        raise _Unreadable(path.rstrip("/") or "hands")
    held = content.get("held")
    seats = [None] * players if held is None else _list(held, MAX_SEATS, f"{path}held")
    deal = content.get("deal")
    return HandSheet(
        leader=_whole(content.get("leader"), f"{path}leader"),
        out=_whole(content.get("out"), f"{path}out"),
        blocked=_flag(content.get("blocked"), f"{path}out"),
        held=tuple(_held(what, f"{path}held/{seat}") for seat, what in enumerate(seats)),
        moves=_texts(content.get("moves") or [], MAX_MOVES, f"{path}moves"),
        deal=None if deal is None else _deal(deal, f"{path}deal"),
    )


def _deal(content: JSON, path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_texts(hand, 200, path) for hand in _list(content, MAX_SEATS, path))


def _held(content: JSON, path: str) -> Held:
    if content is None:
        return Held()
    if not isinstance(content, dict):
        raise _Unreadable(path)
    tiles = content.get("tiles")
    return Held(
        tiles=None if tiles is None else _texts(tiles, 200, path),
        pips=_whole(content.get("pips"), path),
    )


def _list(content: JSON, most: int, path: str) -> list[JSON]:
    if not isinstance(content, list) or len(content) > most:
        raise _Unreadable(path)
    return content


def _texts(content: JSON, most: int, path: str) -> tuple[str, ...]:
    found = _list(content, most, path)
    if not all(isinstance(text, str) for text in found):
        raise _Unreadable(path)
    return tuple(text[:MAX_TEXT] for text in found)


def _whole(content: JSON, path: str) -> int | None:
    """Return a whole number or None. Raises for booleans and floats."""
    if content is None:
        return None
    if isinstance(content, bool) or not isinstance(content, int):
        raise _Unreadable(path)
    return max(-MAX_NUMBER, min(MAX_NUMBER, content))


def _flag(content: JSON, path: str) -> bool:
    if content is not None and not isinstance(content, bool):
        raise _Unreadable(path)
    return bool(content)
