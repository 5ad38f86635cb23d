"""Dominoes in the API: converts a seat's view of a hand to JSON.

The resources for tables, matches and leagues of all games are in `leagues.api.resources`.
"""

from __future__ import annotations

from typing import Final

from api.types import JSON, JSONObject
from dominoes.engine import HandOutcome, Train
from dominoes.game import KEY
from dominoes.table import DominoPosition, tiles_to_json
from dominoes.tabletop.sheets import sheet_schema
from leagues.games import Position
from leagues.games import schema as game_schema

MOVE_NOTATION: Final = (
    "`6|3` sets the first tile; `>2|5` and `<5|2` play the tile at the right and the left end, in "
    "the direction in which it is written; `>2+5` lays it across; `draw`; `pass`."
)


def register_schema() -> None:
    game_schema.register_schema(
        KEY, game_schema.GameSchema(sheet=sheet_schema, move=MOVE_NOTATION, view=view_to_json)
    )


def view_to_json(position: Position, seat: int | None, revealed: bool) -> JSON:
    """Return the part of a hand that a seat or a spectator may see, as JSON.

    With `revealed` the tiles of all hands are included.
    """
    assert isinstance(position, DominoPosition)
    view = position.view(seat)
    if view is None:
        return None
    held = position.held() if revealed else view.revealed
    return {
        "leader": view.leader,
        "turn": view.turn,
        "tiles": tiles_to_json(view.held),
        "counts": list(view.counts),
        "boneyard": view.boneyard,
        "can_draw": view.can_draw,
        "train": str(Train(view.train, view.ends)),
        "ends": [] if view.ends is None else [str(end) for end in view.ends],
        "legal": [str(move) for move in view.legal],
        "log": [{"seat": entry.seat, "move": str(entry.move)} for entry in view.log],
        "totals": list(view.totals),
        "outcome": None if view.outcome is None else _outcome_to_json(view.outcome),
        "revealed": None if held is None else [tiles_to_json(tiles) for tiles in held],
    }


def _outcome_to_json(outcome: HandOutcome) -> JSONObject:
    return {
        "ended": outcome.ended_by,
        "out": outcome.out,
        "pips": list(outcome.pips),
        "side_pips": list(outcome.side_pips),
        "winner": outcome.winner,
        "points": list(outcome.points),
    }
