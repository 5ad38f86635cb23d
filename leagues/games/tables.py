"""A game at a table of the site: rounds, positions, moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from django.utils.translation import gettext as _

from leagues.games.content import JSON


class MoveRefused(ValueError):  # noqa: N818  a refusal that a person can mend
    """A move that the rules do not allow: the sentence, translated, and the ruling behind it."""

    def __init__(self, sentence: str, ruling: str = "") -> None:
        self.ruling = ruling
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class RoundLog:
    """One round of a table as kept: its number from 1, seed (32 bytes), stake and moves."""

    number: int
    seed: bytes
    stake: JSON
    moves: tuple[str, ...]


class Position(Protocol):
    """Where a table stands: a fold over its rounds, never changed in place.

    `turn` is the seat to move, None between rounds and at the end. `points` are the match's so
    far by seat, rounds that are over counted. `places` by seat once the match is over, else
    empty. `made` counts the moves of the round.
    """

    @property
    def turn(self) -> int | None:
        """The seat to move."""

    @property
    def made(self) -> int:
        """Moves of the present round."""

    @property
    def round_over(self) -> bool:
        """Whether the present round is over, or none has begun."""

    @property
    def match_over(self) -> bool:
        """Whether somebody has won the match."""

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the match by seat."""

    @property
    def places(self) -> tuple[int, ...]:
        """Places by seat, from 1; empty before the end."""


class TableGame(Protocol):
    """A game that can be played at a table of the site.

    All of it is a fold: the same rules, rounds, seeds and moves give the same position. Chance
    comes from the round's seed by label, also in the middle of a round. The core knows seats,
    turn and moves as text, and nothing else.
    """

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """What the next round is played for, to be committed to before it begins (F-2).

        `rounds` are all rounds so far, over. Plain JSON; the core adds nothing to it.
        """

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Position:
        """The position after these rounds, the last of which may still go on.

        Raises MoveRefused where a kept move is not legal: the rows are no game then.
        """

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> Position:
        """The position after one more move. Raises MoveRefused, for a wrong seat too."""

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> Sequence[str]:
        """The moves that a form's fields say, in notation: one, or several of the same turn.

        `position` is what `seat` looked at; it need not be that seat's turn. Raises MoveRefused.
        """

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        """What the bot of this name plays for the seat whose turn it is."""

    def scene(
        self,
        position: Position,
        *,
        seat: int | None,
        names: Sequence[str] = (),
        notes: Sequence[str] = (),
        chosen: Mapping[str, str] | None = None,
        revealed: bool = False,
    ) -> Mapping[str, Any]:
        """What `template` draws: for who sits at `seat`, or for a watcher (None), who sees no
        hidden thing of any seat while the round goes on.

        `names` and `notes` (a word under each) are by seat; `chosen` are the fields of a move
        that was refused. `revealed`: a round that is over is replayed, nothing is hidden. A
        position before the first round is drawn too.
        """

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """The match as the referee reads it, once it is over."""

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """What differs between the rounds and what their seeds bring; nothing: all as promised."""

    @property
    def template(self) -> str:
        """The fragment that draws a scene."""


class Folded(ABC):
    """A table whose rows are a game if and only if they can be folded once more."""

    @abstractmethod
    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Position:
        """The position after these rounds. Raises MoveRefused."""

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """Why these moves cannot have been played from the seeds; nothing where they can."""
        try:
            self.restore(rules=rules, seats=seats, rounds=rounds)
        except MoveRefused as refused:
            return [str(refused)]
        return []


class RealTable:
    """In place of a table, for a game that is played with real cards alone: nothing can be laid."""

    template = ""

    def refuse(self, *fields: object, **asked: object) -> NoReturn:
        """Nothing is played for here, nobody moves, and nothing was written."""
        raise self.refusal()

    stake = restore = play = read_moves = bot_move = sheet = refuse

    def scene(self, position: Position, *, seat: int | None, **extra: Any) -> Mapping[str, Any]:
        """There is nothing to be drawn."""
        return {}

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """There was nothing to be promised."""
        return []

    def refusal(self) -> MoveRefused:
        """Why nothing can be done."""
        return MoveRefused(
            _("This game can only be played at a real table. Enter the result here afterwards.")
        )


REAL_TABLE = RealTable()
