"""What follows from a sheet, and from a result that counts."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Protocol, Self

from leagues.games.content import JSON


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
