"""Interfaces that a game implements: rule options, referee, table, records and calibration."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from actas import DocumentPart
from api.types import JSON


class RulesRefused(ValueError):
    """The rule options are invalid. `field` is the key of the invalid option, or empty."""

    def __init__(self, sentence: str, field: str = "") -> None:
        self.field = field
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A named rule set of a game. `options` may omit rule options that have their default."""

    key: str
    name: str
    summary: str
    options: Mapping[str, JSON]


@dataclass(frozen=True, kw_only=True)
class RuleOption:
    """A rule option that a form shows for the rules of a club.

    `choices` are pairs of value and label. Without choices, the option is an integer from `low` to
    `high`, or a boolean if both are None.
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
    """An error in a scoresheet: its location (`hands/2/held/1`), a sentence, and the ruling it
    violates.
    """

    path: str
    sentence: str
    ruling: str = ""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """Result of checking a scoresheet.

    `points` and `places` are by seat. `places` begin with 1, and tied players share a place. Both
    are empty while the match is not over. `evidence` says how far the result was checked: `score`
    (not at all), `open` (points were calculated, but may be impossible), `sheet` (points were
    calculated) or `log` (every move was replayed). A scoresheet with objections has no result.
    `short` explains why a match ended before its goal was reached. It is empty if the match was
    played to the end.
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    over: bool
    evidence: str
    objections: tuple[Objection, ...] = ()
    lines: tuple[str, ...] = ()
    short: str = ""

    @classmethod
    def unreadable_sheet(cls, seats: int, objection: Objection) -> Self:
        """Return the judgement of an unreadable scoresheet: no points, and the reason."""
        return cls(
            points=(0,) * seats, places=(), over=False, evidence="score", objections=(objection,)
        )


class Referee(Protocol):
    """The part of a game that checks scoresheets of matches at real tables against the rules."""

    def judge(
        self, *, rules: JSON, seats: int, sheet: JSON, names: Sequence[str] = ()
    ) -> Judgement:
        """Check a scoresheet. Never raises for invalid content.

        `names` are the names of the players by seat, for use in sentences. Without names, sentences
        name the seats.
        """


class MatchRecords(Protocol):
    """Hooks with which a game keeps its own records about matches.

    Methods are called in the transaction that saves a scoresheet, or that saves or removes a
    result. An `OperationError` rolls the transaction back and is shown to the user.
    """

    def sheet_saved(self, match: int, content: JSON, *, person: int) -> None:
        """Called when a player saves a draft of a scoresheet or enters it.

        The content has not been validated yet.
        """

    def enter(self, match: int, *, at: dt.datetime) -> None:
        """Called when the match begins to count."""

    def match_struck(self, match: int, *, at: dt.datetime) -> None:
        """Called when the match no longer counts."""

    def runs(self, match: int, person: int) -> bool:
        """Return whether the player manages the match, like an organiser of a league."""


class MoveRefused(ValueError):
    """A move is against the rules. Has a translated message and the code of the ruling."""

    def __init__(self, sentence: str, ruling: str = "") -> None:
        self.ruling = ruling
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class RoundLog:
    """A stored round of a live table: number (from 1), seed (32 bytes), stake and moves."""

    number: int
    seed: bytes
    stake: JSON
    moves: tuple[str, ...]


class Position(Protocol):
    """Immutable state of a live table, calculated from its rounds."""

    @property
    def turn(self) -> int | None:
        """Return the seat whose turn it is. None between rounds and at the end of the match."""

    @property
    def made(self) -> int:
        """Return the number of moves made in the present round."""

    @property
    def round_over(self) -> bool:
        """Return whether the present round is over or no round has begun."""

    @property
    def match_over(self) -> bool:
        """Return whether the match has a winner."""

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points of each seat in the match, from finished rounds."""

    @property
    def places(self) -> tuple[int, ...]:
        """Return the place of each seat, counted from 1. Empty before the end of the match."""


class TableGame(Protocol):
    """Interface of a game that can be played at a live table of the site.

    Positions are calculated from rules, rounds, seeds and moves. The same input gives the same
    position. Random choices, even in the middle of a round, are derived from the round's seed and a
    label. Code outside the game knows only seats, turns and moves as text.
    """

    def stake(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the stake of the next round as JSON, which is fixed before the round begins
        (Ruling F-2).

        `rounds` are all previous rounds.
        """

    def restore(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Position:
        """Return the position after these rounds, the last of which may be unfinished.

        Raises `MoveRefused` if a stored move is illegal.
        """

    def play(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], seat: int, move: str
    ) -> Position:
        """Return the position after one more move.

        Raises `MoveRefused` for an illegal move or a wrong seat.
        """

    def read_moves(
        self, fields: Mapping[str, str], *, position: Position, seat: int
    ) -> Sequence[str]:
        """Convert form fields to moves in the game's notation. Raises `MoveRefused`.

        The result is a single move, or several moves of the same turn. `position` is the one that
        the player of `seat` saw, even if it is not that player's turn.
        """

    def bot_move(
        self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog], bot: str, seed: bytes
    ) -> str:
        """Return the move of the bot with this key for the seat whose turn it is."""

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
        """Return the context of the template fragment for a seat, or for spectators (None).

        Spectators see no hidden information during a round. `names` and `notes` (a short text under
        each name) are by seat. `chosen` are the fields of a rejected move. With `revealed`, a
        finished round is replayed and nothing is hidden. The position may be before the first
        round.
        """

    def sheet(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> JSON:
        """Return the scoresheet of a finished match, in the format that the referee reads."""

    def verify(self, *, rules: JSON, seats: int, rounds: Sequence[RoundLog]) -> Sequence[str]:
        """Return the differences between the rounds and what their seeds determine.

        The list is empty if everything matches.
        """

    @property
    def template(self) -> str:
        """Return the name of the template fragment that shows a position of the game."""


class RoundActa(Protocol):
    """Interface for a game's part of an acta (verifiable record) of a round or scoresheet."""

    @property
    def kind(self) -> str:
        """Return the name of a round in the record, such as `hand` or `game`.

        Empty for games of real tables.
        """

    @property
    def engine(self) -> str:
        """Return the version of the rules in force, which is stored in the record."""

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """Return everything that the seed determined in a finished round, and its `result`.

        Raises `MoveRefused` if the moves are illegal.
        """

    def read_round(self, document: DocumentPart, *, number: int, seats: int) -> Mapping[str, JSON]:
        """Calculate what `write_round` returns, from a record alone.

        Reads `rules`, `stake`, `moves` and `points` of the record. Raises `ValueError` with a
        message if the round cannot be replayed.
        """

    def read_rules(self, rules: DocumentPart) -> JSON:
        """Read the rule options of a live table from a record. Raises `ValueError`."""

    @property
    def beside(self) -> Sequence[str]:
        """Return the names of the keys in the dictionary that `beside_sheet` returns."""

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        """Return data that a referee needs besides rules and scoresheet, for the record of a
        scoresheet.
        """

    def judge_sheet(self, document: DocumentPart, *, names: Sequence[str]) -> Judgement:
        """Check the scoresheet in a record without any other data. Raises `ValueError`."""


class MeasuredFigure(NamedTuple):
    """A measured figure to print: name, value, bounds, and whether the value is within them."""

    what: str
    figure: str
    bounds: str
    inside: bool


class Calibration(Protocol):
    """Interface of a game's calibration: bots play many games, and figures must be within bounds.

    Instances are sent to other processes. The same portions of work always give the same figures.
    """

    @property
    def portions(self) -> Sequence[object]:
        """Return portions of the work, each of which takes at most a few seconds."""

    def play(self, portion: Any) -> Any:
        """Play the games of one portion and return their data."""

    def figures(self, played: Sequence[Any]) -> Sequence[MeasuredFigure]:
        """Return all figures with their bounds."""

    def report(self, played: Sequence[Any]) -> str:
        """Return further tables, for which there are no bounds, in Markdown."""
