"""Dominoes in the API: a seat's view of a hand as JSON.

Tables, matches and leagues of all games are served by `leagues.api`.
"""

from __future__ import annotations

from typing import Any, Final

from dominoes.engine import Outcome, Train, View
from dominoes.game import KEY
from dominoes.table import DominoPosition, tiles_to_json
from dominoes.tabletop.sheets import sheet_schema
from leagues.games import Position
from leagues.games import schema as game_schema

MOVE_NOTATION: Final = (
    "`6|3` sets the first tile; `>2|5` and `<5|2` play the tile as it lies at the right and the "
    "left end; `>2+5` lays it across; `draw`; `pass`."
)


def register_schema() -> None:
    game_schema.register_schema(
        KEY, game_schema.GameSchema(sheet=sheet_schema, move=MOVE_NOTATION, view=view_to_json)
    )


def view_to_json(position: Position, seat: int | None, revealed: bool) -> Any:
    """Return what a seat or a watcher sees of the hand. With `revealed` all hands are open."""
    assert isinstance(position, DominoPosition)
    seen = position.view(seat)
    if seen is None:
        return None
    held = position.held() if revealed else seen.revealed
    return {
        "leader": seen.leader,
        "turn": seen.turn,
        "tiles": tiles_to_json(seen.held),
        "counts": list(seen.counts),
        "boneyard": seen.boneyard,
        "can_draw": seen.can_draw,
        "train": str(Train(seen.train, seen.ends)),
        "ends": [] if seen.ends is None else [str(end) for end in seen.ends],
        "legal": [str(move) for move in seen.legal],
        "log": _log_to_json(seen),
        "totals": list(seen.totals),
        "outcome": None if seen.outcome is None else _outcome_to_json(seen.outcome),
        "revealed": None if held is None else [tiles_to_json(tiles) for tiles in held],
    }


def _log_to_json(seen: View) -> list[dict[str, Any]]:
    """Return every move as all players saw it. A draw shows no tile."""
    return [{"seat": said.seat, "move": str(said.move)} for said in seen.log]


def _outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "ended": outcome.ended,
        "out": outcome.out,
        "pips": list(outcome.pips),
        "side_pips": list(outcome.side_pips),
        "winner": outcome.winner,
        "points": list(outcome.points),
    }
