"""API schemas of a game: its scoresheet format, and its live table as seen from a seat.

A game registers its `GameSchema` in `AppConfig.ready()`. Positions contain only what one seat can
see, so hidden information is never sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from api.types import JSON
from leagues.games import Game, Position


@dataclass(frozen=True, kw_only=True)
class GameSchema:
    """API schema of a game.

    `sheet` returns the JSON schema of its scoresheets. `move` is a text that describes the notation
    of moves. `view` returns a position as JSON for a seat or a spectator (None). With `revealed`, a
    finished round is replayed and nothing is hidden.
    """

    sheet: Callable[[], Mapping[str, object]]
    move: str
    view: Callable[[Position, int | None, bool], JSON]


_schemas: dict[str, GameSchema] = {}
NO_SCHEMA = GameSchema(
    sheet=lambda: {"type": "object"}, move="", view=lambda position, seat, revealed: None
)


def register_schema(key: str, game_schema: GameSchema) -> None:
    _schemas[key] = game_schema


def schema_of(game: Game) -> GameSchema:
    return _schemas.get(game.key, NO_SCHEMA)
