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


@dataclass(slots=True, kw_only=True)
class MatchSheet(SheetView[EveningForm]):
    """A match of El Toro with its visitor and rules."""

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def law(self) -> SheetRules:
        return SheetRules.of(self.rules, self.players)

    @property
    def days(self) -> list[Any]:
        if self.content.get("kind") != SheetKind.ARRIVALS:
            return []
        found = self.content.get(DAYS_KEY)
        return list(found) if isinstance(found, list) else []

    def read(self, days: list[Any]) -> Reading:
        return read_evening(self.rules, self.players, arrivals_sheet(days))

    def read_points(self, days: list[list[int]]) -> Reading:
        sheet = {"kind": SheetKind.POINTS.value, DAYS_KEY: days}
        return read_evening(self.rules, self.players, sheet)

    @property
    def reading(self) -> Reading:
        """Return the result of checking the days so far."""
        return self.read(self.days)

    @property
    def shown(self) -> Reading:
        """Return the result of checking the current days, or the submitted sheet."""
        if self.match.sheet is None or self.correcting:
            return self.reading
        return read_evening(self.rules, self.players, self.match.sheet.content)

    @property
    def verdict(self) -> str:
        """Describe the end of the evening. Empty while it goes on."""
        end = self.shown.ending
        return ending_sentence(end, self.names) if end else ""

    @property
    def asides(self) -> list[str]:
        """Return the runners led aside by cards, a sentence per day."""
        return aside_lines(self.shown, self.names)

    @property
    def by_player(self) -> list[tuple[MatchSeat, list[int | None], int]]:
        """Return each player's points by day (None for an invalid day) and total."""
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
        """Return the index of the day being entered."""
        return writing.place if 0 <= writing.place < len(self.days) else len(self.days)

    def began(self, number: int) -> tuple[Morning, ...]:
        """Return each player's start of the day."""
        before = self.reading.days[:number]
        first = (self.law.morning(),) * self.players
        return before[-1].tomorrow or first if before else first

    @property
    def writing(self) -> EveningForm:
        found = EveningForm.kept(self.kept.get("writing"))
        if self.days:
            found.way = "arrivals"
        return found

    def begin_anew(self) -> EveningForm:
        """Return an empty form in the same input mode."""
        return EveningForm(way=self.writing.way)


def arrivals_sheet(days: list[Any]) -> dict[str, Any]:
    return {"kind": SheetKind.ARRIVALS.value, DAYS_KEY: days}


def get_match_sheet(request: HttpRequest, pk: int) -> MatchSheet:
    """Return the match with its visitor. Raises Http404 if they may not see it."""
    return MatchSheet.find(request, pk, KEY)


@dataclass(slots=True)
class MatchBoard:
    """The page of a real board.

    `keeping` and `kept` are None before it is begun. `given` holds the fields of a form
    refused with `refused`, so that no input is lost.
    """

    at: MatchSheet
    keeping: Keeping | None
    kept: RealBoard | None
    given: QueryDict = field(default_factory=lambda: QueryDict(""))
    refused: OperationError | None = None

    @property
    def match(self) -> Match:
        return self.at.match

    @property
    def names(self) -> list[str]:
        """Return unique names by seat."""
        return unique_names(self.at.names)

    @property
    def may_write(self) -> bool:
        """Return True if the visitor may change this board now."""
        return self.match.state == Match.State.DRAFT and Action.WRITE in self.at.may

    @property
    def due(self) -> Due | None:
        """Return what must be entered next, if the visitor may do so."""
        return self.kept.due if self.kept and self.may_write else None


def get_match_board(request: HttpRequest, pk: int) -> MatchBoard:
    """Return the board of a match. Raises Http404 if the visitor may not see the match."""
    at = get_match_sheet(request, pk)
    keeping = Keeping.objects.filter(match=at.match).first()
    if keeping is not None:
        keeping.match = at.match  # the one read already, with its league
    return MatchBoard(at=at, keeping=keeping, kept=real_board_of(keeping) if keeping else None)
