"""The public state of the town, and what one seat may see of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from eltoro.engine.board import Sign
from eltoro.engine.moves import Ask
from eltoro.engine.rules import Rules


class Phase(StrEnum):
    """The phase of a day.

    MORNING until all bulls are out. CARDS while cards are played. RUNNERS when the runners
    have moved. BULLS when the bulls have moved too and nothing is rolled yet. CHARGE from the
    first runner rolled until the token is passed. EVENING from the scoring. OVER.
    """

    MORNING = "morning"
    CARDS = "cards"
    RUNNERS = "runners"
    BULLS = "bulls"
    CHARGE = "charge"
    EVENING = "evening"
    OVER = "over"


class Die(NamedTuple):
    """A die in town: the index of its space (-1 for a 1 not yet placed) and its face."""

    space: int
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """Everything that is open.

    `day`: 1 to 3. `step`: rows crossed, from 0, which increases when the token is passed.
    `first`: who has the first-player token. `runners`: by seat and number, `None` if
    trampled. `bulls`: by number. `tokens`: the seat whose token is on a sign. `tokens_left`:
    by seat. `destinations`: indexes into `rules.destinations` for d1 to d5. `totals`,
    `day_points` (by day, by seat). `effects`: by seat, the destinations in effect today, and
    from the scoring on those of tomorrow. `hand_sizes`, `deck_left`, `discards` (indexes into
    `rules.cards`, in the order discarded).
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
    """All that one seat may see, or a watcher if `seat` is `None`.

    `hand`: the own cards, indexes into `rules.cards`, ascending, () for a watcher. `turn`:
    the seat to decide, `None` when the game is over. `ask`: the decision.
    """

    rules: Rules
    players: int
    seat: int | None
    town: Town
    hand: tuple[int, ...]
    turn: int | None
    ask: Ask | None
