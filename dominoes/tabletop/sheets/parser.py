"""Parses scoresheets from arbitrary JSON, and writes hands as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from api.types import JSON
from dominoes.engine import FinalTiles, HandSheet, Objection


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A recorded match. `faults` are objections to values that cannot be parsed."""

    hands: tuple[HandSheet, ...] = ()
    totals: tuple[int, ...] | None = None
    stopped: bool = False
    faults: tuple[Objection, ...] = ()


def read_sheet(content: JSON, players: int) -> Sheet:
    """Parse a scoresheet. Never raises an error: objections to invalid values are in `faults`."""
    from pydantic import ValidationError

    from core.documents.schema import error_paths
    from dominoes.tabletop.sheets.format import SheetFormat

    try:
        sheet = SheetFormat.model_validate(content)
    except ValidationError as error:
        # In the entry form, a single field says who went out or that the hand was blocked.
        # Therefore errors in `blocked` are reported at `out`.
        paths = [path.replace("/blocked", "/out") or "hands" for path in error_paths(error)]
        return Sheet(
            faults=tuple(
                Objection(path, "unreadable", {"sentence": ""}) for path in dict.fromkeys(paths)
            )
        )
    return Sheet(
        hands=tuple(hand.to_hand(players) for hand in sheet.hands),
        totals=sheet.totals,
        stopped=sheet.stopped,
    )


@cache
def sheet_schema() -> dict[str, JSON]:
    from core.documents.schema import json_schema
    from dominoes.tabletop.sheets.format import SheetFormat

    return json_schema("A match of Matador, hand by hand", SheetFormat)


def write_hand(written: HandSheet) -> dict[str, JSON]:
    document: dict[str, JSON] = {
        "leader": written.leader,
        "out": written.out,
        "blocked": written.blocked,
        "held": [_write_held(held) for held in written.held],
    }
    if written.moves:
        document["moves"] = list(written.moves)
    if written.deal is not None:
        document["deal"] = [list(hand) for hand in written.deal]
    return document


def _write_held(held: FinalTiles) -> JSON:
    if held.tiles is not None:
        return {"tiles": list(held.tiles)}
    return None if held.pips is None else {"pips": held.pips}
