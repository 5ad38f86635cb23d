"""What a game tells programs: the form of its sheets, and what a seat sees of its table.

A game offers its `Told` from its `AppConfig.ready`. What it tells of a position goes through its
own view of that seat, so that nothing hidden can leave.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from leagues.games import JSON, Game, Position


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a game tells.

    `sheet`: the JSON schema of what its referee reads. `move`: how a move is written, in a
    sentence. `view`: of a position, what a seat sees, or a watcher (None), as plain JSON;
    `revealed`: the round is over and replayed, nothing is hidden.
    """

    sheet: Mapping[str, Any]
    move: str
    view: Callable[[Position, int | None, bool], JSON]


_told: dict[str, Told] = {}
NOTHING = Told(sheet={"type": "object"}, move="", view=lambda position, seat, revealed: None)


def offer(key: str, told: Told) -> None:
    """Tell programs of the game with this key."""
    _told[key] = told


def of(game: Game) -> Told:
    """What a game tells; of one that tells nothing, that its sheets are objects."""
    return _told.get(game.key, NOTHING)
