"""API schemas of a game: the form of its sheets, and its table as a seat sees it.

A game registers its `GameSchema` in `AppConfig.ready()`. A position is rendered through the view
of one seat, so hidden information cannot leave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from leagues.games import JSON, Game, Position


@dataclass(frozen=True, kw_only=True)
class GameSchema:
    """What a game tells.

    `sheet`: the JSON schema of what its referee reads. `move`: how a move is written, in a
    sentence. `view`: of a position, what a seat sees, or a watcher (None), as plain JSON;
    `revealed`: the round is over and replayed, nothing is hidden.
    """

    sheet: Mapping[str, Any]
    move: str
    view: Callable[[Position, int | None, bool], JSON]


_schemas: dict[str, GameSchema] = {}
NO_SCHEMA = GameSchema(
    sheet={"type": "object"}, move="", view=lambda position, seat, revealed: None
)


def register_schema(key: str, told: GameSchema) -> None:
    """Tell programs of the game with this key."""
    _schemas[key] = told


def schema_of(game: Game) -> GameSchema:
    """What a game tells; of one that tells nothing, that its sheets are objects."""
    return _schemas.get(game.key, NO_SCHEMA)
