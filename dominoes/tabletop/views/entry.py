"""The entry form for a hand from a real table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dominoes.tabletop.forms import (
    BLOCKED,
    INPUT_MODES,
    LEFT,
    MAX_MOVES,
    MOVES,
    SCORE,
    HandForm,
    form_of_hand,
)
from dominoes.tabletop.sheets import objection_sentence, read_match, write_hand
from dominoes.tabletop.views.answer import Answer, answer_hand, answer_score
from dominoes.tabletop.views.match_sheet import HANDS_KEY, MatchSheet, get_match_sheet
from dominoes.tabletop.views.pickers import (
    MOVE_PREFIX,
    TILE_PREFIX,
    build_picker,
    course_of,
    only_move,
    train_context,
)
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


def perform(at: MatchSheet) -> HttpResponse | None:
    """Perform the action of a button. Returns None if only the referee's fragment is requested."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST, at.players)

    return perform_action(at, writing, ACTIONS, fill)


def _apply_fix(at: MatchSheet, writing: HandForm, rest: str) -> HttpResponse:
    """Assign a tile to one of the seats said to hold it."""
    tile, _colon, seat = rest.partition(":")
    owner = parse_number(seat)
    if owner is not None:
        writing.give(tile, owner)
    at.keep(writing)
    return redirect_to_form(at, "#answer")


def _change_input_mode(at: MatchSheet, writing: HandForm, rest: str) -> HttpResponse:
    if rest in INPUT_MODES:
        writing.way = rest
        writing.out = "" if rest == MOVES else writing.out
    at.keep(writing)
    return redirect_to_form(at)


def _tap_tile(at: MatchSheet, writing: HandForm, rest: str) -> HttpResponse:
    """Lay the tapped tile, or ask at which end and how."""
    course = course_of(at, writing)
    move = only_move(course, rest) if course is not None else ""
    if move:
        return _add_move(at, writing, move)
    writing.tile = rest[:8]
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _add_move(at: MatchSheet, writing: HandForm, rest: str) -> HttpResponse:
    """Add a move, or show why it is impossible."""
    course = course_of(at, writing)
    if course is None:
        raise OperationError(_("First say who laid the first tile."))
    fault = course.add(rest)
    if fault is not None:
        raise OperationError(objection_sentence(fault, at.names))
    writing.moves = [*writing.moves, rest][:MAX_MOVES]
    writing.tile = ""
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _take_move_back(at: MatchSheet, writing: HandForm, _rest: str) -> HttpResponse:
    writing.moves, writing.tile, writing.out = writing.moves[:-1], "", ""
    at.keep(writing)
    return redirect_to_form(at, "#train")


def _end_blocked(at: MatchSheet, writing: HandForm, _rest: str) -> HttpResponse:
    """Mark the hand as blocked: nobody could ever play again."""
    writing.out = BLOCKED
    at.keep(writing)
    return redirect_to_form(at, "#left")


def _save_hand(at: MatchSheet, writing: HandForm, _rest: str) -> HttpResponse:
    """Add the hand to the sheet. Submit the sheet if the match is won."""
    found = answer_hand(at, writing)
    if not found.ready:
        at.keep(writing)
        return redirect_to_form(at, "#answer")
    hands = put_part(at.hands, write_hand(writing.written(at.players)), writing.place)
    content = {**at.content, HANDS_KEY: hands}
    content.pop("totals", None)
    if found.wins and writing.place < 0:
        return _hand_in(at, content)
    save_sheet(at, content)
    at.keep(None)
    messages.success(at.request, _("The hand has been saved."))
    return redirect_to_form(at)


def _hand_in(at: MatchSheet, content: Mapping[str, Any]) -> HttpResponse:
    """Submit the sheet without empty values."""
    said = {name: value for name, value in content.items() if value not in (None, False)}
    return hand_in_sheet(at, said)


def _finish_match(at: MatchSheet, _writing: HandForm, rest: str) -> HttpResponse:
    """Submit the sheet because the match is won or the table has stopped."""
    content = {HANDS_KEY: at.hands, "stopped": rest == "stopped"}
    return _hand_in(at, content)


def _hand_in_score(at: MatchSheet, writing: HandForm, _rest: str) -> HttpResponse:
    found = answer_score(at, writing)
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


def _undo_hand(at: MatchSheet, _writing: HandForm, _rest: str) -> HttpResponse:
    """Move the last hand back into the form."""
    if not at.hands:
        raise OperationError(_("There is no hand to undo."))
    last = at.hands[-1]
    save_sheet(at, {**at.content, HANDS_KEY: at.hands[:-1]})
    at.keep(form_of_hand(last, -1))
    return redirect_to_form(at)


def _edit_hand(at: MatchSheet, _writing: HandForm, rest: str) -> HttpResponse:
    """Load a hand into the form to correct it."""
    place = parse_number(rest)
    if place is None or not 0 <= place < len(at.hands):
        raise OperationError(_("That hand is not on the scoresheet."))
    at.keep(form_of_hand(at.hands[place], place))
    return redirect_to_form(at)


def _rewrite_sheet(at: MatchSheet, _writing: HandForm, _rest: str) -> HttpResponse:
    """Load a submitted sheet to correct it."""
    content = sheet_to_rewrite(at).content
    sheet = content if isinstance(content, dict) else {}
    hands = sheet.get(HANDS_KEY) or []
    totals = [str(total) for total in sheet.get("totals") or []]
    way = SCORE if totals and not hands else LEFT
    at.keep(HandForm(way=way, totals=totals), sheet={HANDS_KEY: hands})
    return redirect_to_form(at)


ACTIONS: Final[Mapping[str, Callable[[MatchSheet, HandForm, str], HttpResponse]]] = {
    "read": judge_sheet,
    "mend": _apply_fix,
    "way": _change_input_mode,
    TILE_PREFIX.rstrip(":"): _tap_tile,
    MOVE_PREFIX.rstrip(":"): _add_move,
    "back": _take_move_back,
    "stuck": _end_blocked,
    "send": _save_hand,
    "finish": _finish_match,
    "score": _hand_in_score,
    "undo": _undo_hand,
    "edit": _edit_hand,
    "clear": clear_sheet,
    "rewrite": _rewrite_sheet,
    "leave": leave_unchanged,
}
# By the value of a button.

PAPERS: Final = SheetTemplates(
    form="dominoes/hand_in.html",
    answer="dominoes/hand_in.html#answer",
    handed_in="dominoes/handed_in.html",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form for the next hand, or the confirmation of a submitted match."""
    return show_form(get_match_sheet(request, pk), PAPERS, perform, form_context)


def form_context(at: MatchSheet, writing: HandForm) -> dict[str, Any]:
    answered = _answer_for(at, writing)
    course = course_of(at, writing) if writing.way == MOVES else None
    sheet, seats = at.sheet, _missing_seats(at, writing)
    held = {seat: writing.tiles.get(str(seat), []) for seat in seats}
    played = course.played if course is not None else 0
    pickers = [
        build_picker(at.rules, seat, held, writing.pips.get(str(seat), ""), played)
        for seat in _shown_seats(at, writing, seats)
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
        "train": train_context(at, writing) if writing.way == MOVES else None,
        "ended": course is not None and course.over is not None,
        "totals": writing.totals or [""] * at.players,
        "may_stop": any(sheet.totals) and not sheet.objections and sheet.winner is None,
    }


def _shown_seats(at: MatchSheet, writing: HandForm, seats: list[int]) -> list[int]:
    """Return the seats whose tiles are shown, including who went out, which may be corrected."""
    return list(range(at.players)) if writing.way == LEFT else seats


def _answer_for(at: MatchSheet, writing: HandForm) -> Answer:
    return answer_score(at, writing) if writing.way == SCORE else answer_hand(at, writing)


def _missing_seats(at: MatchSheet, writing: HandForm) -> list[int]:
    """Return the seats whose tiles are still needed."""
    if writing.way == SCORE:
        return []
    out = writing.out_seat
    if writing.way == MOVES:
        course = course_of(at, writing)
        out = None if course is None else course.out
        if course is None or (course.over is None and writing.out != BLOCKED):
            return []
    return [seat for seat in range(at.players) if seat != out]
