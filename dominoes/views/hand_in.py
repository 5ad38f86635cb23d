"""Handing in a hand from a real table: the page for every step of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dominoes.forms import BLOCKED, LEFT, MOST_MOVES, MOVES, SCORE, WAYS, Writing, rewritten
from dominoes.sheets import read_match, say, write_hand
from dominoes.views.answering import Answer, answer
from dominoes.views.at_match import HANDS, AtMatch, at_match
from dominoes.views.moving import LAID, TAPPED, course_of, lay, moving
from dominoes.views.picker import picker
from dominoes.views.score import score_answer
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


def act(at: AtMatch) -> HttpResponse | None:
    """One press of a button; None: only the referee's answer is asked for, as a fragment."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST, at.players)

    return perform_action(at, writing, DEEDS, fill)


def _mend(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Leave a tile with one of those who are said to hold it."""
    tile, _colon, seat = rest.partition(":")
    owner = parse_number(seat)
    if owner is not None:
        writing.give(tile, owner)
    at.keep(writing)
    return redirect_to_form(at, "#answer")


def _way(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Write the hand down in another way."""
    if rest in WAYS:
        writing.way = rest
        writing.out = "" if rest == MOVES else writing.out
    at.keep(writing)
    return redirect_to_form(at)


def _tile(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Lay the tapped tile, or ask at which end and how."""
    course = course_of(at, writing)
    move = lay(course, rest) if course is not None else ""
    if move:
        return _move(at, writing, move)
    writing.tile = rest[:8]
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _move(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """One more move; one that cannot have been stays out, with the reason."""
    course = course_of(at, writing)
    if course is None:
        raise OperationError(_("First say who laid the first tile."))
    fault = course.add(rest)
    if fault is not None:
        raise OperationError(say(fault, at.names))
    writing.moves = [*writing.moves, rest][:MOST_MOVES]
    writing.tile = ""
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _back(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Take the last move back."""
    writing.moves, writing.tile, writing.out = writing.moves[:-1], "", ""
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _stuck(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """The hand ends here: nobody could ever play again."""
    writing.out = BLOCKED
    at.keep(writing)
    return redirect_to_form(at, "#left")


def _send(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Write the hand on the sheet; the one that wins the match hands it in."""
    found = answer(at, writing)
    if not found.ready:
        at.keep(writing)
        return redirect_to_form(at, "#answer")
    hands = put_part(at.hands, write_hand(writing.written(at.players)), writing.place)
    content = {**at.content, HANDS: hands}
    content.pop("totals", None)
    if found.wins and writing.place < 0:
        return _hand_in(at, content)
    save_sheet(at, content)
    at.keep(None)
    messages.success(at.request, _("The hand has been saved."))
    return redirect_to_form(at)


def _hand_in(at: AtMatch, content: Mapping[str, Any]) -> HttpResponse:
    """Hand in what the sheet says, and nothing of what it does not."""
    said = {name: value for name, value in content.items() if value not in (None, False)}
    return hand_in_sheet(at, said)


def _finish(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Hand in what is written: the match is won, or the table stopped here."""
    content = {HANDS: at.hands, "stopped": rest == "stopped"}
    return _hand_in(at, content)


def _score(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Hand in the totals alone."""
    found = score_answer(at, writing)
    if not found.ready:
        at.keep(writing)
        return redirect_to_form(at, "#answer")
    totals, _why = writing.read_totals()
    stopped = bool(at.request.POST.get("stopped"))
    content = {"totals": totals, "stopped": stopped}
    reading = read_match(at.rules, at.players, content)
    if not reading.over:
        raise OperationError(
            _(
                "No player has %(target)s points yet. Tick the box to say that you stopped "
                "there, or play on."
            )
            % {"target": at.rules.target}
        )
    return _hand_in(at, content)


def _undo(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take the last hand back into the form."""
    if not at.hands:
        raise OperationError(_("There is no hand to undo."))
    last = at.hands[-1]
    save_sheet(at, {**at.content, HANDS: at.hands[:-1]})
    at.keep(rewritten(last, -1))
    return redirect_to_form(at)


def _edit(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Take one of the hands up again, to be written anew in its place."""
    place = parse_number(rest)
    if place is None or not 0 <= place < len(at.hands):
        raise OperationError(_("That hand is not on the scoresheet."))
    at.keep(rewritten(at.hands[place], place))
    return redirect_to_form(at)


def _rewrite(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take up a sheet that was handed in, to write it anew."""
    content = sheet_to_rewrite(at).content
    sheet = content if isinstance(content, dict) else {}
    hands = sheet.get(HANDS) or []
    totals = [str(total) for total in sheet.get("totals") or []]
    way = SCORE if totals and not hands else LEFT
    at.keep(Writing(way=way, totals=totals), sheet={HANDS: hands})
    return redirect_to_form(at)


DEEDS: Final[Mapping[str, Callable[[AtMatch, Writing, str], HttpResponse]]] = {
    "read": judge_sheet,
    "mend": _mend,
    "way": _way,
    TAPPED.rstrip(":"): _tile,
    LAID.rstrip(":"): _move,
    "back": _back,
    "stuck": _stuck,
    "send": _send,
    "finish": _finish,
    "score": _score,
    "undo": _undo,
    "edit": _edit,
    "clear": clear_sheet,
    "rewrite": _rewrite,
    "leave": leave_unchanged,
}
"""By the value of a button, what it does."""

PAPERS: Final = SheetTemplates(
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
    shown = parse_number(writing.who)
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
