"""Handing in an evening from a real table: the page for every step of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from eltoro import words
from eltoro.forms import ARRIVALS, POINTS, WAYS, Writing, cards_of, number_of_card, rewritten
from eltoro.sheets import Way, say, tomorrow, write_day
from eltoro.views.answering import answer
from eltoro.views.at_match import DAYS, AtMatch, at_match, sheet_of
from leagues.exceptions import OperationError
from leagues.forms import parse_number
from leagues.matches.views.sheets import (
    SheetTemplates,
    clear_sheet,
    hand_in_sheet,
    judge_sheet,
    leave_unchanged,
    perform_action,
    put_part,
    redirect_to_form,
    save_sheet,
    sheet_to_rewrite,
    show_form,
)
from leagues.models import MatchSeat


def act(at: AtMatch) -> HttpResponse | None:
    """One press of a button; None: only the referee's answer is asked for, as a fragment."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST, at.law, at.began(at.number(writing)))

    return perform_action(at, writing, DEEDS, fill)


def _way(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Write the evening down in another way."""
    if rest in WAYS:
        writing.way = rest
    at.keep(writing)
    return redirect_to_form(at)


def _send(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Write the day on the sheet; the last one hands the evening in."""
    found = answer(at, writing)
    if not found.ready:
        return judge_sheet(at, writing, "")
    if writing.way == POINTS:
        return _points(at, writing, "")
    if at.number(writing) >= at.law.days:
        raise OperationError(_("All days of the evening have been entered."))
    days = put_part(at.days, write_day(writing.day(at.law)), writing.place)
    if found.last and not at.read(days).objections:
        return hand_in_sheet(at, sheet_of(days))
    save_sheet(at, sheet_of(days))
    at.keep(None)
    messages.success(at.request, _("The day has been saved."))
    return redirect_to_form(at)


def _points(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the points of each day alone."""
    if writing.way != POINTS or not answer(at, writing).ready:
        return judge_sheet(at, writing, "")
    return hand_in_sheet(at, {"kind": Way.POINTS.value, DAYS: writing.points(at.law)})


def _finish(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the days that are written."""
    faults = at.reading.objections
    if faults:
        raise OperationError(say(at.rules, faults[0], at.names))
    return hand_in_sheet(at, sheet_of(at.days))


def _edit(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Take one of the days up again, to be written anew in its place."""
    place = parse_number(rest)
    if place is None or not 0 <= place < len(at.days):
        raise OperationError(_("That day is not on the scoresheet."))
    at.keep(rewritten(at.days[place], place))
    return redirect_to_form(at, "#day")


def _rewrite(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take up a sheet that was handed in, to write it anew."""
    content = sheet_to_rewrite(at).content
    shown = at.shown
    if shown.way is Way.ARRIVALS:
        at.keep(Writing(way=ARRIVALS), sheet=sheet_of(content[DAYS]))
        return redirect_to_form(at)
    grid = [[str(points) for points in day.points] for day in shown.days]
    at.keep(Writing(way=POINTS, grid=grid), sheet={"kind": Way.POINTS.value})
    return redirect_to_form(at)


DEEDS: Final[Mapping[str, Callable[[AtMatch, Writing, str], HttpResponse]]] = {
    "read": judge_sheet,
    "way": _way,
    "send": _send,
    "points": _points,
    "finish": _finish,
    "edit": _edit,
    "clear": clear_sheet,
    "rewrite": _rewrite,
    "leave": leave_unchanged,
}
"""By the value of a button, what it does."""

Typed = tuple[MatchSeat, str]
"""A field of one player: whose it is, and what was typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidCard:
    """A destination card in the form: whether it is ticked, and how many arrived there.

    `again`: it is not the first of its kind.
    """

    card: str
    name: str
    again: bool
    brings: str
    points: int
    checked: bool
    arrived: tuple[Typed, ...]


PAPERS: Final = SheetTemplates(
    form="eltoro/hand_in.html",
    answer="eltoro/_day_answer.html",
    handed_in="eltoro/handed_in.html",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for the evening; once the match is handed in, its ticket."""
    return show_form(at_match(request, pk), PAPERS, act, form_context)


def form_context(at: AtMatch, writing: Writing) -> dict[str, Any]:
    """What the form is drawn from: the grid or the day, and the referee's answer."""
    number, law = at.number(writing), at.law
    asked = writing.way == ARRIVALS and number < law.days
    return {
        "at": at,
        "writing": writing,
        "reading": at.reading,
        "objected": [say(at.rules, fault, at.names) for fault in at.reading.objections],
        "day": number + 1,
        "days": range(1, law.days + 1),
        "asked": asked or writing.way != ARRIVALS,
        "answer": answer(at, writing) if asked or writing.way != ARRIVALS else None,
        "cards": list(_cards(at, writing)) if asked else [],
        "mornings": list(zip(at.seats, at.began(number), strict=True)) if asked else [],
        "promised": tomorrow(law, at.began(number), at.names) if asked and number else [],
        "dice": _dice(at, writing, number) if asked else [],
        "gained": _by_seat(at, writing.gained),
        "grid": _grid(at, writing),
        "law": law,
    }


def _cards(at: AtMatch, writing: Writing) -> list[LaidCard]:
    """Every destination card there is, to be ticked where it lay out."""
    return [
        LaidCard(
            card=card,
            name=_numbered(words.destination_name(kind.destination), number_of_card(card)),
            again=number_of_card(card) > 0,
            brings=words.destination_sentence(kind.destination),
            points=kind.points,
            checked=card in writing.laid,
            arrived=tuple(_by_seat(at, writing.arrived.get(card, []))),
        )
        for card, kind in cards_of(at.law).items()
    ]


def _numbered(name: str, number: int) -> str:
    """The name of a card, told apart from the first of its kind."""
    return f"{name} ({number + 1})" if number else name


def _by_seat(at: AtMatch, typed: list[str]) -> list[Typed]:
    """What was typed beside who it is for; nothing where nothing was."""
    texts = [*typed, *[""] * at.players][: at.players]
    return list(zip(at.seats, texts, strict=True))


def _dice(at: AtMatch, writing: Writing, number: int) -> list[tuple[MatchSeat, int, str]]:
    """Every die that is due this morning: whose, which of theirs, what was typed."""
    found = []
    for seat, morning in zip(at.seats, at.began(number), strict=True):
        typed = writing.dice[seat.number] if seat.number < len(writing.dice) else []
        faces = [*typed, *[""] * morning.dice][: morning.dice]
        found += [(seat, one, face) for one, face in enumerate(faces)]
    return found


def _grid(at: AtMatch, writing: Writing) -> list[tuple[MatchSeat, list[str]]]:
    """The grid as typed, player by player."""
    days = range(at.law.days)
    return [(seat, [writing.typed_points(day, seat.number) for day in days]) for seat in at.seats]
