"""Template tags and filters of pages of live tables: time limits, moves and finished rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import League, Table
from leagues.tables.visibility import RoundCommitment, SeatView, TableView
from leagues.text import join_with_and

register = template.Library()


class Spacing(NamedTuple):
    """Layout of the drawing of a round's moves, which is 302 units wide.

    `in_row` is the number of moves per row, `step` their distance, `edge` their distance from the
    edge, and `row` the height of a row.
    """

    in_row: int
    step: float
    edge: float
    row: int


# Moves without links.
PLAIN_SPACING: Final = Spacing(22, 13.6, 8, 24)
# Layout if moves are links, which must be far enough apart for touch screens.
LINK_SPACING: Final = Spacing(12, 25, 13, 28)


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Remaining time until a deadline of a game table: in seconds, as a percentage, and as text."""

    seconds: int
    allowed: int
    share: int
    until: int
    days: bool
    left: str


@dataclass(frozen=True, kw_only=True)
class BracketStep:
    x: str
    seat: int
    name: str
    href: str
    now: bool


@dataclass(frozen=True, kw_only=True)
class BracketRow:
    top: int
    end: str
    steps: tuple[BracketStep, ...]


@register.simple_tag
def clock_of(table: TableView) -> Clock | None:
    until = table.deadline
    if until is None:
        return None
    left = max(0, int((until - timezone.now()).total_seconds()))
    # The remaining time can be longer than the time limit for a move, as in the pause between
    # rounds. The percentage then refers to the remaining time.
    allowed = max(table.table.allowance if table.turn is not None else left, left, 1)
    return Clock(
        seconds=left,
        allowed=allowed,
        share=100 * left // allowed,
        until=int(until.timestamp() * 1000),
        days=table.table.pace == Table.Pace.DAYS,
        left=timeuntil(until),
    )


@register.simple_tag
def placed(table: TableView) -> list[SeatView]:
    return sorted(table.sitters, key=lambda sitter: (sitter.place, sitter.number))


@register.simple_tag
def winners(table: TableView) -> str:
    return join_with_and([sitter.name for sitter in table.sitters if sitter.place == 1])


@register.simple_tag
def match_address(table: TableView, may_open: bool) -> str:
    """Return the URL of the match that resulted from a live table, or an empty string.

    The URL is for players and, if the league is public, for everybody. Fragments are cached for all
    spectators, so the page passes `may_open` if another visitor may open the match.
    """
    match, public = table.table.match_id, League.Visibility.PUBLIC
    if not match:
        return ""
    is_open = may_open or table.seat is not None
    in_public = Table.objects.filter(pk=table.id, league__visibility=public)
    return reverse("match", args=(match,)) if is_open or in_public.exists() else ""


@register.simple_tag
def opened_rounds(table: TableView) -> list[RoundCommitment]:
    return [promise for promise in table.promises if promise.number <= table.rounds_over]


@register.inclusion_tag("leagues/_play.html#track")
def track(table: TableView, replay: Any = None) -> dict[str, object]:
    made = [move for move in table.log.moves if move.round == table.moment.round]
    if not replay:
        made = [move for move in made if move.number <= table.moves_made]
    names = [sitter.name for sitter in table.sitters]
    here, spacing = (replay.move, LINK_SPACING) if replay else (len(made), PLAIN_SPACING)
    steps = [
        BracketStep(
            x=f"{spacing.edge + spacing.step * (place % spacing.in_row):g}",
            seat=move.seat,
            name=_("Move %(number)s: %(name)s") % {"number": place + 1, "name": names[move.seat]},
            href=reverse("table_replay", args=(table.id, replay.round, place + 1))
            if replay
            else "",
            now=place + 1 == here,
        )
        for place, move in enumerate(made)
    ]
    rows = _rows(steps, spacing)
    return {
        "replay": replay,
        "rows": rows,
        "steps": steps,
        "start": f"{spacing.edge:g}",
        "summary": ngettext("%(count)s move so far", "%(count)s moves so far", here)
        % {"count": here},
        "height": max(1, len(rows)) * spacing.row,
    }


def _rows(steps: Sequence[BracketStep], spacing: Spacing) -> list[BracketRow]:
    firsts = range(0, len(steps), spacing.in_row)
    rows = [tuple(steps[first : first + spacing.in_row]) for first in firsts]
    return [
        BracketRow(top=number * spacing.row, end=row[-1].x, steps=row)
        for number, row in enumerate(rows)
    ]
