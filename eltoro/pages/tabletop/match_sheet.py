"""A match of El Toro as a visitor may see it, and the answer of the referee (the rule checker) to
the game that is being entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from api.types import JSONObject
from eltoro.engine import Rules
from eltoro.pages.tabletop.forms import ARRIVALS, POINTS, EveningForm, number_error
from eltoro.table import KEY
from eltoro.tabletop.sheets import (
    OF_THE_DECK,
    DayReading,
    Ending,
    Morning,
    Objection,
    ScoresheetReading,
    SheetKind,
    SheetRules,
    aside_lines,
    day_summary,
    ending_sentence,
    impossible_points,
    judge_day,
    objection_sentence,
    read_evening,
    tomorrow_lines,
    write_day,
)
from leagues.models import MatchSeat
from leagues.pages.forms import parse_number
from leagues.pages.matches.sheets import AnswerLine, SheetView, not_ready_reason, put_part
from leagues.text import join_with_and

DAYS_KEY: Final = "days"


@dataclass(slots=True, kw_only=True)
class MatchSheet(SheetView[EveningForm]):
    """A match of El Toro as shown to a visitor, together with the rules of the match."""

    game: ClassVar[str] = KEY
    draft_class: ClassVar[type[EveningForm]] = EveningForm

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def law(self) -> SheetRules:
        return SheetRules.of(self.rules, self.players)

    @property
    def days(self) -> list[JSONObject]:
        if self.content.get("kind") != SheetKind.ARRIVALS:
            return []
        days = self.content.get(DAYS_KEY)
        return list(days) if isinstance(days, list) else []

    def read(self, days: Sequence[JSONObject]) -> ScoresheetReading:
        return read_evening(self.rules, self.players, arrivals_sheet(days))

    def read_points(self, days: list[list[int]]) -> ScoresheetReading:
        sheet = {"kind": SheetKind.POINTS.value, DAYS_KEY: days}
        return read_evening(self.rules, self.players, sheet)

    @property
    def reading(self) -> ScoresheetReading:
        return self.read(self.days)

    @property
    def sheet_reading(self) -> ScoresheetReading:
        """The result of checking the submitted sheet, or else the days entered so far."""
        if self.submitted is None:
            return self.reading
        return read_evening(self.rules, self.players, self.submitted.content)

    @property
    def verdict(self) -> str:
        """A sentence about the end of the game. Empty while the game continues."""
        end = self.sheet_reading.ending
        return ending_sentence(end, self.names) if end else ""

    @property
    def asides(self) -> list[str]:
        return aside_lines(self.sheet_reading, self.names)

    @property
    def by_player(self) -> list[tuple[MatchSeat, list[int | None], int]]:
        """Each player's points by day (None for an invalid day) and the total."""
        days = self.sheet_reading.days
        return [
            (
                seat,
                [None if day.objections else day.points[seat.number] for day in days],
                sum(day.points[seat.number] for day in days),
            )
            for seat in self.seats
        ]

    def number(self, draft: EveningForm) -> int:
        return draft.place if 0 <= draft.place < len(self.days) else len(self.days)

    def mornings_before(self, number: int) -> tuple[Morning, ...]:
        before = self.reading.days[:number]
        first = (self.law.morning(),) * self.players
        return before[-1].tomorrow or first if before else first

    @property
    def draft(self) -> EveningForm:
        form = EveningForm.from_stored(self.stored_form.get("writing"))
        if self.days:
            form.way = ARRIVALS
        return form


def arrivals_sheet(days: Sequence[JSONObject]) -> JSONObject:
    return {"kind": SheetKind.ARRIVALS.value, DAYS_KEY: days}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRow:
    """A player in the table of points: place (0 if unknown), points by day, and total."""

    seat: int
    name: str
    place: int
    days: tuple[int | None, ...]
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeAnswer:
    """The referee's answer beside the form.

    `verdict`: a sentence about the end of the game. `tomorrow`: effects on the next day. `last`:
    True if submitting this form ends the game. `waiting`: the reason why the form cannot be
    submitted yet.
    """

    lines: tuple[AnswerLine, ...]
    rows: tuple[PointsRow, ...] = ()
    verdict: str = ""
    tomorrow: tuple[str, ...] = ()
    ready: bool
    last: bool = True
    waiting: str = ""
    days: range = field(default_factory=lambda: range(0))


def answer_form(at: MatchSheet, draft: EveningForm) -> RefereeAnswer:
    return _answer_points(at, draft) if draft.way == POINTS else _answer_day(at, draft)


def _answer_points(at: MatchSheet, draft: EveningForm) -> RefereeAnswer:
    law, grid = at.law, draft.points(at.law)
    lines = _misread_lines(at, draft)
    for day, points in enumerate(grid):
        known = [0 if total is None else total for total in points]
        lines += [_objection_line(at, fault) for fault in impossible_points(law, day, known)]
    missing = sum(total is None for points in grid for total in points)
    if not lines and missing:
        lines = [AnswerLine(state="asked", text=_missing_text(missing, law.days * law.players))]
    end = None
    if not lines:
        reading = at.read_points([[total or 0 for total in points] for points in grid])
        lines = [_objection_line(at, fault) for fault in reading.objections]
        end = reading.ending
    on_trust = _(
        "This score is possible but can’t be checked further, so it is accepted as entered."
    )
    return RefereeAnswer(
        lines=tuple(lines) or (AnswerLine(state="good", text=on_trust),),
        rows=tuple(_rows(at, grid, end)),
        verdict=ending_sentence(end, at.names) if end else "",
        ready=end is not None,
        waiting=_not_ready_reason_of(lines),
        days=range(1, law.days + 1),
    )


def _misread_lines(at: MatchSheet, draft: EveningForm) -> list[AnswerLine]:
    lines = []
    for day in range(at.law.days):
        for seat, name in enumerate(at.names):
            text = draft.typed_points(day, seat)
            if text and parse_number(text) is None:
                where = _("Day %(day)s, %(name)s:") % {"day": day + 1, "name": name}
                lines.append(AnswerLine(state="bad", text=f"{where} {number_error(text)}"))
    return lines


def _missing_text(missing: int, cells: int) -> str:
    if missing == cells:
        return _("Enter the points that each player had at the end of each day.")
    return ngettext("One field is still empty.", "%(n)s fields are still empty.", missing) % {
        "n": missing
    }


def _objection_line(at: MatchSheet, fault: Objection) -> AnswerLine:
    return AnswerLine(
        state="asked" if fault.missing else "bad",
        text=objection_sentence(at.rules, fault, at.names),
        ruling="" if fault.missing else fault.ruling,
    )


def _rows(at: MatchSheet, days: list[list[int | None]], end: Ending | None) -> list[PointsRow]:
    rows = []
    for seat, name in enumerate(at.names):
        points = tuple(day[seat] for day in days)
        known = [point for point in points if point is not None]
        rows.append(
            PointsRow(
                seat=seat,
                name=name,
                place=end.places[seat] if end else 0,
                days=points,
                total=sum(known) if known else None,
            )
        )
    return rows


def _answer_day(at: MatchSheet, draft: EveningForm) -> RefereeAnswer:
    number, day = at.number(draft), draft.day(at.law)
    reading = judge_day(at.law, number, day, at.mornings_before(number))
    lines = [AnswerLine(state="bad", text=text) for text in draft.misread(at.law)]
    lines += [_objection_line(at, fault) for fault in reading.objections]
    whole = at.read(put_part(at.days, write_day(day), draft.place))
    if not lines:
        lines = [
            _objection_line(at, fault) for fault in whole.objections if fault.code in OF_THE_DECK
        ]
    return RefereeAnswer(
        lines=(*_accepted_lines(at, reading), *lines),
        rows=tuple(_rows(at, [list(day_read.points) for day_read in whole.days], whole.ending)),
        verdict=ending_sentence(whole.ending, at.names) if whole.ending and not lines else "",
        tomorrow=tuple(_tomorrow_lines(at, number, reading)),
        ready=not lines,
        last=number + 1 == at.law.days and draft.place < 0,
        waiting=_not_ready_reason_of(lines),
        days=range(1, len(whole.days) + 1),
    )


def _accepted_lines(at: MatchSheet, reading: DayReading) -> list[AnswerLine]:
    objected = {fault.params.get("seat") for fault in reading.objections}
    if any("seat" not in fault.params for fault in reading.objections):
        return []
    return [
        AnswerLine(state="good", text=_player_line(at, reading, seat))
        for seat in range(at.players)
        if seat not in objected
    ]


def _player_line(at: MatchSheet, reading: DayReading, seat: int) -> str:
    """Return a line about a player's day.

    Example: `ana: 4 of 6 runners reached a destination. 14 points, 2 from cards.`
    """
    points = reading.points[seat]
    points_text = ngettext("%(n)s point", "%(n)s points", abs(points)) % {"n": points}
    parts = []
    if reading.by_effects[seat]:
        parts.append(_("%(n)s from yesterday’s effects") % {"n": reading.by_effects[seat]})
    if reading.by_cards[seat]:
        parts.append(_("%(n)s from cards") % {"n": reading.by_cards[seat]})
    tail = f", {join_with_and(parts)}" if parts else ""
    return f"{at.names[seat]}: {day_summary(reading, seat)} {points_text}{tail}."


def _tomorrow_lines(at: MatchSheet, number: int, reading: DayReading) -> list[str]:
    """Return sentences about effects on the next day.

    Empty after the last day, or if the day has errors.
    """
    if number + 1 >= at.law.days or reading.objections:
        return []
    lines = tomorrow_lines(at.law, reading.tomorrow, at.names)
    return lines or [_("No special effects: all players start as on the first day.")]


def _not_ready_reason_of(lines: list[AnswerLine]) -> str:
    return not_ready_reason(sum(line.state == "bad" for line in lines), bool(lines))
