"""Interface of a game: rule options, referee, table, records and calibration."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from actas import Part
from api.types import JSON


class RulesRefused(ValueError):
    """Invalid rule options. `field` names the option concerned, if there is one."""

    def __init__(self, sentence: str, field: str = "") -> None:
        self.field = field
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A named rule set. `options` are the differences from the default."""

    key: str
    name: str
    summary: str
    options: Mapping[str, JSON]


@dataclass(frozen=True, kw_only=True)
class Option:
    """A setting of a club's own rule set, as a form shows it.

    `choices` are value and label. Without them it is an integer from `low` to `high`, or a boolean
    if both are None.
    """

    key: str
    label: str
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()
    low: int | None = None
    high: int | None = None
    default: JSON = None


@dataclass(frozen=True, kw_only=True)
class Objection:
    """An error found by the referee: place (`hands/2/held/1`), sentence and ruling."""

    path: str
    sentence: str
    ruling: str = ""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Result of a sheet: points and places by seat, from seat 0.

    `places` begin with 1, ties share a place. They are empty while the match is not over.
    `evidence` is `score` (not checked), `open` (calculated, but possibly impossible), `sheet`
    (calculated) or `log` (every move replayed). A sheet with objections has no result. `short`
    explains why a match ended before its goal was reached, and is empty if it was played to the
    end.
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    over: bool
    evidence: str
    objections: tuple[Objection, ...] = ()
    lines: tuple[str, ...] = ()
    short: str = ""

    @classmethod
    def refused(cls, seats: int, objection: Objection) -> Self:
        """Return the judgement of an unreadable sheet: no points, and the reason."""
        return cls(
            points=(0,) * seats, places=(), over=False, evidence="score", objections=(objection,)
        )


class Referee(Protocol):
    """Referee of sheets from real tables."""

    def judge(
        self, *, rules: JSON, seats: int, sheet: JSON, names: Sequence[str] = ()
    ) -> Judgement:
        """Judge a sheet. Never raises for invalid content.

        Sentences call the players by `names`, by seat; without them, by their seats.
        """


class Book(Protocol):
    """Hook for a game's own records about matches, beside those of the leagues.

    It is called in the transaction that saves a sheet or saves or removes a result. An
    `OperationError` rolls the transaction back and is shown to the user.
    """

    def written(self, match: int, content: JSON, *, person: int) -> None:
        """The player saved or entered a sheet of the match. Its content is not trusted."""

    def enter(self, match: int, *, at: dt.datetime) -> None:
        """The match counts from now on."""

    def strike(self, match: int, *, at: dt.datetime) -> None:
        """The match no longer counts."""

    def runs(self, match: int, person: int) -> bool:
        """Return whether the player manages the match, as an organiser manages a league."""


class MoveRefused(ValueError):
    """A move that the rules do not allow, with a translated message and the ruling."""

    def __init__(self, sentence: str, ruling: str = "") -> None:
        self.ruling = ruling
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class RoundLog:
    """A stored round of a table: number from 1, seed (32 bytes), stake and moves."""

    number: int
    seed: bytes
    stake: JSON
    moves: tuple[str, ...]


class Position(Protocol):
    """Immutable state of a table, computed from its rounds.

    `turn` is the seat to move, None between rounds and at the end. `points` are those of the match
    by seat, over finished rounds. `places` by seat are empty before the end of the match. `made`
    counts the moves of the round.
    """

    @property
    def turn(self) -> int | None:
        """Seat to move."""

    @property
    def made(self) -> int:
        """Number of moves in the present round."""

    @property
    def round_over(self) -> bool:
        """True if the present round is over or none has begun."""

    @property
    def match_over(self) -> bool:
        """True once the match has a winner."""

    @property
    def points(self) -> tuple[int, ...]:
        """Points of the match by seat."""

    @property
    def places(self) -> tuple[int, ...]:
        """Places by seat, from 1. Empty before the end."""


class TableGame(Protocol):
    """A game that can be played at a table of the site.

    Everything is computed from rules, rounds, seeds and moves: the same input gives the same
    position. Randomness comes from the round's seed by label, also in the middle of a round. The
    core only knows seats, turns and moves as text.
    """

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the stake of the next round as plain JSON, which is fixed before it begins (F-2).

        `rounds` are all rounds so far, which are over.
        """

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Position:
        """Return the position after these rounds. The last may be unfinished.

        Raises MoveRefused if a stored move is illegal.
        """

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> Position:
        """Return the position after one more move. Raises MoveRefused, also for a wrong seat."""

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> Sequence[str]:
        """Convert form fields to moves in notation: one, or several of the same turn.

        `position` is the one that `seat` saw, which need not be its turn. Raises MoveRefused.
        """

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        """Return the move of the named bot for the seat to move."""

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
        """Return the context of `template` for `seat`, or for a spectator (None).

        Spectators see no hidden information while a round goes on. `names` and `notes` (a word
        under each) are by seat. `chosen` are the fields of a rejected move. With `revealed`, a
        finished round is replayed and nothing is hidden. The position may be before the first
        round.
        """

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the sheet of a finished match for the referee."""

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """Return differences between the rounds and their seeds. Empty if everything matches."""

    @property
    def template(self) -> str:
        """Name of the template fragment of a scene."""


class RoundActa(Protocol):
    """Interface for a game's part of the verifiable records (`actas`) of rounds and sheets."""

    @property
    def kind(self) -> str:
        """Name of a round in its acta, such as `hand` or `game`. Empty for games of real tables."""

    @property
    def engine(self) -> str:
        """Version of the rules in force."""

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """Return everything that the seed determined in a finished round, and its `result`.

        Raises MoveRefused if the moves are illegal.
        """

    def read_round(self, document: Part, *, number: int, seats: int) -> Mapping[str, JSON]:
        """Calculate the same from a document alone, with `rules`, `stake`, `moves` and `points`.

        Raises ValueError with a message if it can't be played.
        """

    def read_rules(self, rules: Part) -> JSON:
        """Read rule options for the game's table from a document. Raises ValueError."""

    @property
    def beside(self) -> Sequence[str]:
        """Names of the members that `beside_sheet` returns."""

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        """Return what a referee needs besides rules and sheet, for the acta of a sheet."""

    def judge_sheet(self, document: Part, *, names: Sequence[str]) -> Judgement:
        """Judge the sheet in a document, without other data. Raises ValueError."""


class Figure(NamedTuple):
    """A measured figure for printing: name, value, bounds, and whether it is within them."""

    what: str
    figure: str
    bounds: str
    inside: bool


class Calibration(Protocol):
    """Interface of a game's calibration: bots play, and figures must be within bounds.

    Instances are sent to other processes. The same portions give the same figures.
    """

    @property
    def portions(self) -> Sequence[Any]:
        """Return portions of work that take some seconds at most."""

    def play(self, portion: Any) -> Any:
        """Return the data of one portion."""

    def figures(self, played: Sequence[Any]) -> Sequence[Figure]:
        """Return every figure with its bounds."""

    def report(self, played: Sequence[Any]) -> str:
        """Return further tables without bounds, in Markdown."""
