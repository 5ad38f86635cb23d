"""Handing in a hand from a real table: the page for every step of it."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dominoes.forms import BLOCKED, LEFT, MOVES, SCORE, Writing
from dominoes.views.answering import Answer, answer
from dominoes.views.at_match import AtMatch, at_match
from dominoes.views.deeds import act
from dominoes.views.moving import course_of, moving
from dominoes.views.picker import picker
from dominoes.views.score import score_answer
from leagues.forms.numbers import number_of
from leagues.views.writing import Papers, show_form

PAPERS: Final = Papers(
    form="dominoes/hand_in.html",
    answer="dominoes/_hand_answer.html",
    handed_in="dominoes/handed_in.html",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for the next hand; once the match is handed in, its ticket."""
    return show_form(at_match(request, pk), PAPERS, act, form_context)


def form_context(at: AtMatch, writing: Writing) -> dict[str, Any]:
    """What the form is drawn from: steps, pickers, the train, the referee's answer."""
    answered = _answer(at, writing)
    course = course_of(at, writing) if writing.way == MOVES else None
    sheet, seats = at.sheet, _seats_left(at, writing)
    held = {seat: writing.tiles.get(str(seat), []) for seat in seats}
    played = course.played if course is not None else 0
    pickers = [
        picker(at.rules, seat, held, writing.pips.get(str(seat), ""), played)
        for seat in _seats_drawn(at, writing, seats)
    ]
    shown = number_of(writing.who)
    return {
        "at": at,
        "writing": writing,
        "answer": answered,
        "pickers": pickers,
        "shown": shown if shown in seats else next(iter(seats), None),
        "out": writing.out_seat,
        "sheet": sheet,
        "hands": list(zip(sheet.hands, sheet.before, strict=True)),
        "number": (writing.place if writing.place >= 0 else len(at.hands)) + 1,
        "train": moving(at, writing) if writing.way == MOVES else None,
        "ended": course is not None and course.over is not None,
        "totals": writing.totals or [""] * at.players,
        "may_stop": any(sheet.totals) and not sheet.objections and sheet.winner is None,
    }


def _seats_drawn(at: AtMatch, writing: Writing, seats: list[int]) -> list[int]:
    """Whose tiles the page has room for: who went out may yet turn out to be somebody else."""
    return list(range(at.players)) if writing.way == LEFT else seats


def _answer(at: AtMatch, writing: Writing) -> Answer:
    return score_answer(at, writing) if writing.way == SCORE else answer(at, writing)


def _seats_left(at: AtMatch, writing: Writing) -> list[int]:
    """Whose tiles are asked for: who went out has none."""
    if writing.way == SCORE:
        return []
    out = writing.out_seat
    if writing.way == MOVES:
        course = course_of(at, writing)
        out = None if course is None else course.out
        if course is None or (course.over is None and writing.out != BLOCKED):
            return []
    return [seat for seat in range(at.players) if seat != out]
