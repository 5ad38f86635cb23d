"""The public state of a game of El Toro, and the part of a game that a seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from eltoro.engine.board import Sign
from eltoro.engine.moves import DecisionKind
from eltoro.engine.rules import Rules


class Phase(StrEnum):
    """The phase of a day.

    MORNING lasts until all bulls have been rolled. In CARDS cards are played. RUNNERS begins when
    the runners have moved. BULLS begins when the bulls have moved too, and no runner that matches a
    bull has been rolled yet. CHARGE begins with the first runner rolled and ends when the
    first-player token is passed. EVENING begins with the scoring of the day. OVER is the end of the
    game.
    """

    MORNING = "morning"
    CARDS = "cards"
    RUNNERS = "runners"
    BULLS = "bulls"
    CHARGE = "charge"
    EVENING = "evening"
    OVER = "over"


class Die(NamedTuple):
    """A die on the board: the index of its space and its face.

    The space is -1 for a 1 that is not yet placed.
    """

    space: int
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """The public state of a game, which all players and spectators may see.

    `day`: 1 to 3. `step`: number of rows crossed. It increases when the first-player token is
    passed. `first`: the seat that has the first-player token. `runners`: by seat and number, `None`
    if trampled. `bulls`: by number. `tokens`: the seat whose token is on each path sign.
    `tokens_left`: tokens not on the board, by seat. `destinations`: indexes into
    `rules.destinations` for d1 to d5. `totals`: total points by seat. `day_points`: points by day
    and by seat. `effects`: by seat, the destinations whose effects apply today. After the scoring,
    these are the effects of the next day. `hand_sizes`, `deck_left`: numbers of cards. `discards`:
    indexes into `rules.cards`, in the order in which cards were discarded.
    """

    day: int
    step: int
    phase: Phase
    first: int
    runners: tuple[tuple[Die | None, ...], ...]
    bulls: tuple[Die, ...]
    tokens: Mapping[Sign, int]
    tokens_left: tuple[int, ...]
    destinations: tuple[int, ...]
    totals: tuple[int, ...]
    day_points: tuple[tuple[int, ...], ...]
    effects: tuple[tuple[int, ...], ...]
    hand_sizes: tuple[int, ...]
    deck_left: int
    discards: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.runners)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The part of a game that a seat may see, or a spectator if `seat` is `None`.

    `hand`: the seat's own cards as indexes into `rules.cards`, ascending, empty for a spectator.
    `turn`: the seat that must decide, `None` when the game is over. `ask`: the kind of its
    decision.
    """

    rules: Rules
    players: int
    seat: int | None
    town: Town
    hand: tuple[int, ...]
    turn: int | None
    ask: DecisionKind | None
