"""The match of a page with its visitor: the evening being entered, or the real board."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest, QueryDict

from eltoro.engine import Due, RealBoard, Rules
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from eltoro.stage.scene import unique_names
from eltoro.table import KEY
from eltoro.tabletop.forms import EveningForm
from eltoro.tabletop.sheets import (
    Morning,
    Reading,
    SheetKind,
    SheetRules,
    aside_lines,
    ending_sentence,
    read_evening,
)
from leagues.exceptions import OperationError
from leagues.matches.views.sheets import SheetView
from leagues.models import Match, MatchSeat
from leagues.permissions import Action

DAYS_KEY: Final = "days"
"""Where a sheet keeps its days."""


@dataclass(slots=True, kw_only=True)
class MatchSheet(SheetView[EveningForm]):
    """A match of this game with who looks at it, and the rules it is played by."""

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def law(self) -> SheetRules:
        """What of the rules a sheet is held against."""
        return SheetRules.of(self.rules, self.players)

    @property
    def days(self) -> list[Any]:
        """The days written so far, as the sheet has them."""
        if self.content.get("kind") != SheetKind.ARRIVALS:
            return []
        found = self.content.get(DAYS_KEY)
        return list(found) if isinstance(found, list) else []

    def read(self, days: list[Any]) -> Reading:
        """The referee's answer to these days."""
        return read_evening(self.rules, self.players, arrivals_sheet(days))

    def read_points(self, days: list[list[int]]) -> Reading:
        """The referee's answer to the points of each day."""
        sheet = {"kind": SheetKind.POINTS.value, DAYS_KEY: days}
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
        return ending_sentence(end, self.names) if end else ""

    @property
    def asides(self) -> list[str]:
        """The runners that a card led aside, a sentence a day."""
        return aside_lines(self.shown, self.names)

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

    def number(self, writing: EveningForm) -> int:
        """Which day is being written, from 0."""
        return writing.place if 0 <= writing.place < len(self.days) else len(self.days)

    def began(self, number: int) -> tuple[Morning, ...]:
        """With what each player begins the day of this number."""
        before = self.reading.days[:number]
        first = (self.law.morning(),) * self.players
        return before[-1].tomorrow or first if before else first

    @property
    def writing(self) -> EveningForm:
        """What is being written."""
        found = EveningForm.kept(self.kept.get("writing"))
        if self.days:
            found.way = "arrivals"
        return found

    def begin_anew(self) -> EveningForm:
        """An empty form, in the way of the one before."""
        return EveningForm(way=self.writing.way)


def arrivals_sheet(days: list[Any]) -> dict[str, Any]:
    """The sheet of an evening written day by day."""
    return {"kind": SheetKind.ARRIVALS.value, DAYS_KEY: days}


def get_match_sheet(request: HttpRequest, pk: int) -> MatchSheet:
    """The match of this number with who looks at it; 404 for who may not see it."""
    return MatchSheet.find(request, pk, KEY)


@dataclass(slots=True)
class MatchBoard:
    """What the page of a kept board is about.

    `keeping`, `kept`: None before somebody begins. `given`: the fields of a form that was refused,
    with `refused`, so that nothing typed is lost.
    """

    at: MatchSheet
    keeping: Keeping | None
    kept: RealBoard | None
    given: QueryDict = field(default_factory=lambda: QueryDict(""))
    refused: OperationError | None = None

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.at.match

    @property
    def names(self) -> list[str]:
        """The names by seat, no two alike."""
        return unique_names(self.at.names)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may keep this board now."""
        return self.match.state == Match.State.DRAFT and Action.WRITE in self.at.may

    @property
    def due(self) -> Due | None:
        """What is asked for next, of who may answer."""
        return self.kept.due if self.kept and self.may_write else None


def get_match_board(request: HttpRequest, pk: int) -> MatchBoard:
    """The board of the match with this number; 404 for who may not see the match."""
    at = get_match_sheet(request, pk)
    keeping = Keeping.objects.filter(match=at.match).first()
    if keeping is not None:
        keeping.match = at.match  # the one read already, with its league
    return MatchBoard(at=at, keeping=keeping, kept=real_board_of(keeping) if keeping else None)
