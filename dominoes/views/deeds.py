"""Every button of the form for a hand: done, or refused in a sentence with nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from dominoes.forms import (
    BLOCKED,
    LEFT,
    MOST_MOVES,
    MOVES,
    SCORE,
    WAYS,
    Writing,
    rewritten,
)
from dominoes.sheets import read_match, say, write_hand
from dominoes.views.answering import answer
from dominoes.views.at_match import HANDS, AtMatch
from dominoes.views.moving import LAID, TAPPED, course_of, lay
from dominoes.views.score import score_answer
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
        writing.fill(at.request.POST, at.players)

    return press(at, writing, DEEDS, fill)


def _mend(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Leave a tile with one of those who are said to hold it."""
    tile, _colon, seat = rest.partition(":")
    owner = number_of(seat)
    if owner is not None:
        writing.give(tile, owner)
    at.keep(writing)
    return home(at, "#answer")


def _way(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Write the hand down in another way."""
    if rest in WAYS:
        writing.way = rest
        writing.out = "" if rest == MOVES else writing.out
    at.keep(writing)
    return home(at)


def _tile(at: AtMatch, writing: Writing, rest: str) -> HttpResponse:
    """Lay the tapped tile, or ask at which end and how."""
    course = course_of(at, writing)
    move = lay(course, rest) if course is not None else ""
    if move:
        return _move(at, writing, move)
    writing.tile = rest[:8]
    at.keep(writing)
    return home(at, "#train")


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
    return home(at, "#train")


def _back(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Take the last move back."""
    writing.moves, writing.tile, writing.out = writing.moves[:-1], "", ""
    at.keep(writing)
    return home(at, "#train")


def _stuck(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """The hand ends here: nobody could ever play again."""
    writing.out = BLOCKED
    at.keep(writing)
    return home(at, "#left")


def _send(at: AtMatch, writing: Writing, _rest: str) -> HttpResponse:
    """Write the hand on the sheet; the one that wins the match hands it in."""
    found = answer(at, writing)
    if not found.ready:
        at.keep(writing)
        return home(at, "#answer")
    hands = put(at.hands, write_hand(writing.written(at.players)), writing.place)
    content = {**at.content, HANDS: hands}
    content.pop("totals", None)
    if found.wins and writing.place < 0:
        return _hand_in(at, content)
    save_sheet(at, content)
    at.keep(None)
    messages.success(at.request, _("The hand has been saved."))
    return home(at)


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
        return home(at, "#answer")
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
    return home(at)


def _edit(at: AtMatch, _writing: Writing, rest: str) -> HttpResponse:
    """Take one of the hands up again, to be written anew in its place."""
    place = number_of(rest)
    if place is None or not 0 <= place < len(at.hands):
        raise OperationError(_("That hand is not on the scoresheet."))
    at.keep(rewritten(at.hands[place], place))
    return home(at)


def _rewrite(at: AtMatch, _writing: Writing, _rest: str) -> HttpResponse:
    """Take up a sheet that was handed in, to write it anew."""
    content = sheet_to_rewrite(at).content
    sheet = content if isinstance(content, dict) else {}
    hands = sheet.get(HANDS) or []
    totals = [str(total) for total in sheet.get("totals") or []]
    way = SCORE if totals and not hands else LEFT
    at.keep(Writing(way=way, totals=totals), sheet={HANDS: hands})
    return home(at)


DEEDS: Final[Mapping[str, Callable[[AtMatch, Writing, str], HttpResponse]]] = {
    "read": read,
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
    "clear": clear,
    "rewrite": _rewrite,
    "leave": leave,
}
"""By the value of a button, what it does."""
