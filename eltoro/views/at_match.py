"""Who is at a match, what they may do with it, and the evening they are writing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest

from eltoro.engine import Rules
from eltoro.forms import Writing
from eltoro.sheets import Law, Morning, Reading, Way, asides, ended, read_evening
from eltoro.table import KEY
from leagues.matches.views.sheets import SheetView
from leagues.models import MatchSeat

DAYS: Final = "days"
"""Where a sheet keeps its days."""


@dataclass(slots=True, kw_only=True)
class AtMatch(SheetView[Writing]):
    """A match of this game with who looks at it, and the rules it is played by."""

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def law(self) -> Law:
        """What of the rules a sheet is held against."""
        return Law.of(self.rules, self.players)

    @property
    def days(self) -> list[Any]:
        """The days written so far, as the sheet has them."""
        if self.content.get("kind") != Way.ARRIVALS:
            return []
        found = self.content.get(DAYS)
        return list(found) if isinstance(found, list) else []

    def read(self, days: list[Any]) -> Reading:
        """The referee's answer to these days."""
        return read_evening(self.rules, self.players, sheet_of(days))

    def read_points(self, days: list[list[int]]) -> Reading:
        """The referee's answer to the points of each day."""
        sheet = {"kind": Way.POINTS.value, DAYS: days}
        return read_evening(self.rules, self.players, sheet)

    @property
    def reading(self) -> Reading:
        """The referee's answer to the days so far."""
        return self.read(self.days)

    @property
    def shown(self) -> Reading:
        """The referee's answer to what stands: the days being written, or the sheet handed in."""
        if self.match.sheet is None or self.correcting:
            return self.reading
        return read_evening(self.rules, self.players, self.match.sheet.content)

    @property
    def verdict(self) -> str:
        """How the evening ended, in words; empty while it has not."""
        end = self.shown.ending
        return ended(end, self.names) if end else ""

    @property
    def asides(self) -> list[str]:
        """The runners that a card led aside, a sentence a day."""
        return asides(self.shown, self.names)

    @property
    def by_player(self) -> list[tuple[MatchSeat, list[int | None], int]]:
        """What stands, player by player: the points of each day (None: it does not stand), all."""
        days = self.shown.days
        return [
            (
                seat,
                [None if day.objections else day.points[seat.number] for day in days],
                sum(day.points[seat.number] for day in days),
            )
            for seat in self.seats
        ]

    def number(self, writing: Writing) -> int:
        """Which day is being written, from 0."""
        return writing.place if 0 <= writing.place < len(self.days) else len(self.days)

    def began(self, number: int) -> tuple[Morning, ...]:
        """With what each player begins the day of this number."""
        before = self.reading.days[:number]
        first = (self.law.morning(),) * self.players
        return before[-1].tomorrow or first if before else first

    @property
    def writing(self) -> Writing:
        """What is being written."""
        found = Writing.kept(self.kept.get("writing"))
        if self.days:
            found.way = "arrivals"
        return found

    def begin_anew(self) -> Writing:
        """An empty form, in the way of the one before."""
        return Writing(way=self.writing.way)


def sheet_of(days: list[Any]) -> dict[str, Any]:
    """The sheet of an evening written day by day."""
    return {"kind": Way.ARRIVALS.value, DAYS: days}


def at_match(request: HttpRequest, pk: int) -> AtMatch:
    """The match of this number with who looks at it; 404 for who may not see it."""
    return AtMatch.find(request, pk, KEY)
