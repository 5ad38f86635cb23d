"""Every button of the form for an evening: done, or refused in a sentence with nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from eltoro.forms import ARRIVALS, POINTS, WAYS, Writing, rewritten
from eltoro.sheets import Way, say, write_day
from eltoro.views.answering import answer
from eltoro.views.at_match import DAYS, AtMatch, sheet_of
from leagues.forms.numbers import number_of
from leagues.operations.errors import OperationError
from leagues.views.writing import (
    clear,
    hand_in_sheet,
    home,
    leave,
    press,
    put,
    read,
    save_sheet,
    sheet_to_rewrite,
)


def act(at: AtMatch) -> HttpResponse | None:
    """One press of a button; None: only the referee's answer is asked for, as a fragment."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST, at.law, at.began(at.number(writing)))

    return press(at, writing, DEEDS, fill)


def _way(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Write the evening down in another way."""
    if rest in WAYS:
        writing.way = rest
    at.keep(writing)
    return home(at)


def _send(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Write the day on the sheet; the last one hands the evening in."""
    found = answer(at, writing)
    if not found.ready:
        return read(at, writing, "")
    if writing.way == POINTS:
        return _points(at, writing, "")
    if at.number(writing) >= at.law.days:
        raise OperationError(_("All days of the evening have been entered."))
    days = put(at.days, write_day(writing.day(at.law)), writing.place)
    if found.last and not at.read(days).objections:
        return hand_in_sheet(at, sheet_of(days))
    save_sheet(at, sheet_of(days))
    at.keep(None)
    messages.success(at.request, _("The day has been saved."))
    return home(at)


def _points(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the points of each day alone."""
    if writing.way != POINTS or not answer(at, writing).ready:
        return read(at, writing, "")
    return hand_in_sheet(at, {"kind": Way.POINTS.value, DAYS: writing.points(at.law)})


def _finish(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the days that are written."""
    faults = at.reading.objections
    if faults:
        raise OperationError(say(at.rules, faults[0], at.names))
    return hand_in_sheet(at, sheet_of(at.days))


def _edit(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Take one of the days up again, to be written anew in its place."""
    place = number_of(rest)
    if place is None or not 0 <= place < len(at.days):
        raise OperationError(_("That day is not on the scoresheet."))
    at.keep(rewritten(at.days[place], place))
    return home(at, "#day")


def _rewrite(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take up a sheet that was handed in, to write it anew."""
    content = sheet_to_rewrite(at).content
    shown = at.shown
    if shown.way is Way.ARRIVALS:
        at.keep(Writing(way=ARRIVALS), sheet=sheet_of(content[DAYS]))
        return home(at)
    grid = [[str(points) for points in day.points] for day in shown.days]
    at.keep(Writing(way=POINTS, grid=grid), sheet={"kind": Way.POINTS.value})
    return home(at)


DEEDS: Final[Mapping[str, Callable[[AtMatch, Writing, str], HttpResponse]]] = {
    "read": read,
    "way": _way,
    "send": _send,
    "points": _points,
    "finish": _finish,
    "edit": _edit,
    "clear": clear,
    "rewrite": _rewrite,
    "leave": leave,
}
"""By the value of a button, what it does."""
