"""Every button of the form for an evening: done, or refused in a sentence with nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from eltoro.forms import ARRIVALS, POINTS, WAYS, Writing, number_of, rewritten
from eltoro.sheets import Way, say, write_day
from eltoro.views.answering import answer
from eltoro.views.at_match import DAYS, AtMatch, sheet_of
from leagues.models import Player
from leagues.operations import matches
from leagues.operations.errors import NotAllowed, OperationError
from leagues.views.corrections import keep_correction
from leagues.views.matches import seen_version
from leagues.views.visiting import tell_refusal


def act(at: AtMatch) -> HttpResponse | None:
    """One press of a button; None: only the referee's answer is asked for, as a fragment."""
    sent = at.request.POST
    name, _colon, rest = sent.get("do", "read").partition(":")
    writing = at.writing
    try:
        if not at.may_write and name != "rewrite":
            raise NotAllowed(
                _("Only who plays this match, or a scorer of the league, may write it.")
            )
        writing.fill(sent, at.law, at.began(at.number(writing)))
        if name == "read" and at.request.headers.get("HX-Request"):
            at.keep(writing)
            return None
        return DEEDS.get(name, _read)(at, writing, rest)
    except OperationError as error:
        tell_refusal(at.request, error)
    if at.may_write:
        at.keep(writing)
    return _home(at)


def _home(at: AtMatch, anchor: str = "") -> HttpResponse:
    return redirect(reverse("eltoro_hand", args=[at.match.pk]) + anchor)


def _read(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    at.keep(writing)
    return _home(at, "#answer")


def _way(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Write the evening down in another way."""
    if rest in WAYS:
        writing.way = rest
    at.keep(writing)
    return _home(at)


def _send(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Write the day on the sheet; the last one hands the evening in."""
    found = answer(at, writing)
    if not found.ready:
        return _read(at, writing, "")
    if writing.way == POINTS:
        return _points(at, writing, "")
    if at.number(writing) >= at.law.days:
        raise OperationError(_("All days of the evening are written down."))
    days = at.with_day(write_day(writing.day(at.law)), writing.place)
    if found.last and not at.read(days).objections:
        return _hand_in(at, sheet_of(days))
    _save(at, days)
    at.keep(None)
    messages.success(at.request, _("The day is written down."))
    return _home(at)


def _save(at: AtMatch, days: list[Any]) -> None:
    """Keep the days: in the match while it is a draft, in this browser while it is corrected."""
    if at.correcting:
        at.keep(at.writing, sheet=sheet_of(days))
        return
    matches.save_draft(
        match=at.match, version=seen_version(at.request), content=sheet_of(days), by=_player(at)
    )


def _player(at: AtMatch) -> Player:
    if at.player is None:
        raise NotAllowed(_("Say first who you are."))
    return at.player


def _hand_in(at: AtMatch, sheet: Mapping[str, Any]) -> HttpResponse:
    """Hand the sheet in; a result that counts already is corrected, its consequences first."""
    if at.correcting and not at.anew:
        return keep_correction(at.request, at.match, dict(sheet))
    matches.hand_in(
        match=at.match,
        version=seen_version(at.request),
        by=_player(at),
        at=timezone.now(),
        content=dict(sheet),
    )
    at.forget()
    messages.success(at.request, _("Handed in. Another player of this match confirms it."))
    return _home(at)


def _points(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the points of each day alone."""
    if writing.way != POINTS or not answer(at, writing).ready:
        return _read(at, writing, "")
    return _hand_in(at, {"kind": Way.POINTS.value, DAYS: writing.points(at.law)})


def _finish(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the days that are written."""
    faults = at.reading.objections
    if faults:
        raise OperationError(say(at.rules, faults[0], at.names))
    return _hand_in(at, sheet_of(at.days))


def _edit(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Take one of the days up again, to be written anew in its place."""
    place = number_of(rest)
    if place is None or not 0 <= place < len(at.days):
        raise OperationError(_("There is no such day on the sheet."))
    at.keep(rewritten(at.days[place], place))
    return _home(at, "#day")


def _clear(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Begin the day anew."""
    at.keep(None)
    return _home(at)


def _rewrite(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take up a sheet that was handed in, to write it anew."""
    if not at.may_rewrite or at.match.sheet is None:
        raise NotAllowed(_("Only an organiser of the league may correct a result."))
    shown = at.shown
    if shown.way is Way.ARRIVALS:
        at.keep(Writing(way=ARRIVALS), sheet=sheet_of(at.match.sheet.content[DAYS]))
        return _home(at)
    grid = [[str(points) for points in day.points] for day in shown.days]
    at.keep(Writing(way=POINTS, grid=grid), sheet={"kind": Way.POINTS.value})
    return _home(at)


def _leave(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Leave a sheet as it was handed in."""
    at.forget()
    return _home(at)


DEEDS: Final[Mapping[str, Callable[[AtMatch, Writing, str], HttpResponse]]] = {
    "read": _read,
    "way": _way,
    "send": _send,
    "points": _points,
    "finish": _finish,
    "edit": _edit,
    "clear": _clear,
    "rewrite": _rewrite,
    "leave": _leave,
}
"""By the value of a button, what it does."""
