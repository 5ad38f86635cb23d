"""What a game provides: rule options, a referee, a table, records and a calibration."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Protocol, Self

from django.utils.translation import gettext as _

from actas import Part

JSON = Any
"""Whatever the game writes; it goes into the database as it is."""


class RulesRefused(ValueError):  # noqa: N818  a refusal that a person can mend
    """Options that make no rule set; `field` names the one to blame, where there is one."""

    def __init__(self, sentence: str, field: str = "") -> None:
        self.field = field
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A named rule set: `key` is its address, `options` what differs from the default."""

    key: str
    name: str
    summary: str
    options: Mapping[str, JSON]


@dataclass(frozen=True, kw_only=True)
class Option:
    """One setting of a club's own rule set, as a form shows it.

    `choices` are value and label; without them it is a whole number from `low` to `high`, or,
    where both are None, a yes or no.
    """

    key: str
    label: str
    help: str = ""
    choices: Sequence[tuple[str, str]] = ()
    low: int | None = None
    high: int | None = None
    default: JSON = None


def refusal_reason(options: Sequence[Option], key: str, *, ruling: str, whole: str = "") -> str:
    """Why options make no rule set, in the language of who asks.

    `key` names the one to blame; `whole`: the game's own sentence of a whole number, to be filled
    with `option`, `low`, `high` and `ruling`.
    """
    option = next((option for option in options if option.key == key), None)
    if option is None:
        return _("“%(name)s” is not an option.") % {"name": key}
    words = {"option": option.label, "ruling": ruling, "low": option.low, "high": option.high}
    if option.low is None:
        return _("%(option)s: choose one of the options offered (Ruling %(ruling)s).") % words
    return whole % words


@dataclass(frozen=True, kw_only=True)
class Objection:
    """What the referee finds wrong: where (`hands/2/held/1`), in a sentence, by which ruling."""

    path: str
    sentence: str
    ruling: str = ""


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What follows from a sheet: points and places by seat, from seat 0.

    `places` begin with 1, equal ones share; they are empty while the match is not over.
    `evidence` is `score` (taken on trust), `open` (recounted, but whether the figures are possible
    is undecided), `sheet` (recounted) or `log` (every move replayed).
    A sheet with objections counts for nothing. `short` says in a sentence that a match was over
    before its goal was reached; it is empty where it was played to the end.
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
        """Of a sheet that cannot be judged at all: no points, and the reason."""
        return cls(
            points=(0,) * seats, places=(), over=False, evidence="score", objections=(objection,)
        )


class Referee(Protocol):
    """Judges what a real table wrote down."""

    def judge(self, *, rules: JSON, seats: int, sheet: JSON) -> Judgement:
        """What follows from the sheet, or what contradicts it. Never raises for bad content."""


class Book(Protocol):
    """A game's own book beside the leagues': it follows what counts and what counts no more.

    Called in the transaction that writes the sheet, or writes or takes away the result; an
    `OperationError` of theirs undoes it and is told to who asked.
    """

    def written(self, match: int, content: JSON, *, person: int) -> None:
        """This person wrote or handed in a sheet of the match; its content is from outside."""

    def enter(self, match: int, *, at: dt.datetime) -> None:
        """The match with this number counts from now on."""

    def strike(self, match: int, *, at: dt.datetime) -> None:
        """The match with this number counts no more."""

    def runs(self, match: int, person: int) -> bool:
        """Whether this person runs what the match is for, as an organiser runs a league."""


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


class RoundActa(Protocol):
    """What a game adds to the records anyone can check (`actas`): of its rounds, and of sheets."""

    @property
    def kind(self) -> str:
        """What the acta of a round is called: `hand`, `game`; empty for a game of real tables."""

    @property
    def engine(self) -> str:
        """The version of the rules that are in force here."""

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """What chance brought to a round that is over, in full, and what came of it: `result`.

        Raises MoveRefused where its moves fit no game.
        """

    def read_round(self, document: Part, *, number: int, seats: int) -> Mapping[str, JSON]:
        """The same anew from a document alone, with its `rules`, `stake`, `moves` and `points`.

        Raises ValueError, in a sentence, for what cannot be played.
        """

    def read_rules(self, rules: Part) -> JSON:
        """Options out of a document, fit for the game's table. Raises ValueError."""

    @property
    def beside(self) -> Sequence[str]:
        """The names of what `beside_sheet` gives."""

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        """What a referee needs besides rules and sheet, to be written into the acta of a sheet."""

    def judge_sheet(self, document: Part, *, seats: int) -> Judgement:
        """What follows from the sheet in a document, which alone is read. Raises ValueError."""


class Figure(NamedTuple):
    """A measured figure as it is printed: what, how much, its bounds, whether it lies inside."""

    what: str
    figure: str
    bounds: str
    inside: bool


class Calibration(Protocol):
    """What a game offers as its `calibration`: bots play, and figures must lie within bounds.

    It goes into other processes; the same portions give the same figures.
    """

    @property
    def portions(self) -> Sequence[Any]:
        """What there is to play, in portions of some seconds at most."""

    def play(self, portion: Any) -> Any:
        """What came of one portion."""

    def figures(self, played: Sequence[Any]) -> Sequence[Figure]:
        """Every figure with its bounds."""

    def report(self, played: Sequence[Any]) -> str:
        """What is told besides and has no bounds, as tables in Markdown."""
