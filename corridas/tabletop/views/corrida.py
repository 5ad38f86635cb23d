"""A corrida at a table: the form for its lidias with its buttons, and the page after submission."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from corridas.engine import BULLS, DECK_SIZE
from corridas.tabletop.operations import refusal
from corridas.tabletop.sheets import Pad
from corridas.tabletop.views.entry import (
    CARDS,
    LIDIAS,
    WAYS,
    AtCorrida,
    Writing,
    at_corrida,
    first_open,
    reading_of,
    typed_lidia,
    whole,
)
from corridas.tabletop.views.home import frame
from corridas.tabletop.views.lidia_form import form_context, tabs
from leagues.exceptions import OperationError
from leagues.matches.views.matches import ticket_context
from leagues.matches.views.sheets import (
    hand_in_sheet,
    judge_sheet,
    leave_unchanged,
    perform_action,
    redirect_to_form,
    save_sheet,
    sheet_to_rewrite,
)
from leagues.models import Match


class Fate(NamedTuple):
    """The fate of a submitted corrida.

    `kind` is `filed`, `kept`, `waits` or `refused`; `said` is the sentence for it.
    """

    kind: str
    said: str


def fate_of(at: AtCorrida) -> Fate:
    """Return what has happened, or will happen, to a submitted corrida."""
    if at.match.state == Match.State.VOID:
        return Fate("kept", _("This corrida does not count and is not in any record book."))
    if at.match.state in Match.UNSETTLED:
        return _coming(at)
    return _done(at)


def _done(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table and table.circuit and table.filed_at:
        words = {"name": table.circuit.name}
        return Fate("filed", _("This corrida is in the record book of %(name)s.") % words)
    if table and table.circuit:
        said = _(
            "This corrida is kept here but does not count in %(name)s: the director does not "
            "accept corridas played at a table."
        )
        return Fate("kept", said % {"name": table.circuit.name})
    if league:
        return Fate("filed", _("This corrida counts in %(name)s.") % {"name": league.name})
    return Fate(
        "kept",
        _("This corrida is kept here. It was not played for the record book of any circuit."),
    )


def _coming(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table is None or table.circuit is None:
        if league:
            return Fate(
                "waits",
                _("Once confirmed, this corrida will count in %(name)s.") % {"name": league.name},
            )
        return Fate(
            "waits",
            _(
                "Once confirmed, this corrida will be kept here. It will not go into the "
                "record book of any circuit."
            ),
        )
    words = {"name": table.circuit.name, "reason": refusal(at.match.pk)}
    if words["reason"]:
        said = _("This corrida can’t be added to %(name)s as it stands. %(reason)s")
        return Fate("refused", said % words)
    if table.given or table.circuit.tables_count:
        return Fate(
            "waits",
            _("Once confirmed, this corrida will go into the record book of %(name)s.") % words,
        )
    said = _(
        "Once confirmed, this corrida will be kept here but will not count: the director of "
        "%(name)s does not accept corridas played at a table."
    )
    return Fate("waits", said % words)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the open lidia; to visitors who may not write, the submitted corrida."""
    at = at_corrida(request, pk)
    if at.may_write and not at.framed:
        return frame(request, at)
    if request.method == "POST":
        answered = act(at)
        if answered is None:
            return render(request, "corridas/tabletop.html#answer", form_context(at, at.writing))
        pressed_by_htmx = "HX-Request" in request.headers and not at.previewing
        at = at_corrida(request, pk)
        if not (pressed_by_htmx and at.may_write):
            return answered
        context = form_context(at, at.writing) | {"fragment": True}
        return render(request, "corridas/tabletop.html#lidia", context)
    if not at.may_write:
        return render(request, "corridas/tabletop_handed_in.html", _handed_in(at))
    return render(request, "corridas/tabletop.html", form_context(at, _opened(at)))


def _opened(at: AtCorrida) -> Writing:
    """Return the requested lidia, by default the browser's last one, or the first
    incomplete one.
    """
    writing = at.writing
    turn = whole(at.request.GET.get("bull", ""))
    if turn is not None and 1 <= turn <= 6 and turn - 1 != writing.turn:
        writing.open(turn - 1)
        at.keep(writing)
        return at.writing
    if "writing" not in at.kept:
        writing.open(first_open(at.judged(at.content)))
        at.keep(writing)
        return at.writing
    return writing


def _handed_in(at: AtCorrida) -> dict[str, Any]:
    reading, names = at.judged(), at.billings()
    return {
        "at": at,
        "tabs": tabs(at.sheet, reading, names),
        "names": names,
        "reading": reading,
        "fate": fate_of(at),
        "leads": _leads(at, names, reading.leads),
        **ticket_context(at.request, at.match, at.player),
    }


def _leads(at: AtCorrida, names: Sequence[str], leads: tuple[int, ...]) -> list[tuple[str, str]]:
    return [
        (name, at.names[seat] if seat < at.players else "")
        for name, seat in zip(names, leads, strict=False)
    ]


OPEN: Final = "#lidia"


def act(at: AtCorrida) -> HttpResponse | None:
    """Handle a button. Return None where only the referee's lines are requested as a fragment."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST)

    return perform_action(at, writing, DEEDS, fill)


def _pad(at: AtCorrida, turn: int) -> Pad:
    pad = at.pad(turn)
    if pad is None:
        raise OperationError(
            _(
                "You can’t enter this lidia card by card unless you enter all earlier lidias "
                "that way too."
            )
        )
    return pad


def _card(at: AtCorrida, writing: Writing, rest: str) -> HttpResponse:
    """Add a card by its small number; an impossible one is not added."""
    card, pad = whole(rest), _pad(at, writing.turn)
    if card is None or not 0 <= card < DECK_SIZE:
        raise OperationError(
            _("“%(text)s” is not a card. Enter a number from 0 to 69.") % {"text": rest}
        )
    if pad.awaits is None:
        raise OperationError(_("This lidia is over, so you can’t add any more cards."))
    if card not in pad.left:
        raise OperationError(_("Card %(card)s has already been drawn.") % {"card": card})
    _store(at, writing.turn, {**at.lidias[writing.turn], CARDS: [*pad.cards, card]})
    writing.way = CARDS
    at.keep(writing)
    return redirect_to_form(at, OPEN)


def _typed_card(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    return _card(at, writing, at.request.POST.get("card", "").strip())


def _back(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    lidia = at.lidias[writing.turn]
    cards = lidia.get(CARDS)
    if not isinstance(cards, list) or not cards:
        raise OperationError(_("There is no card to undo."))
    kept = {name: value for name, value in lidia.items() if name != CARDS}
    _store(at, writing.turn, {**kept, CARDS: cards[:-1]} if cards[:-1] else kept)
    at.keep(writing)
    return redirect_to_form(at, OPEN)


def _put(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    """Save the form to the sheet; contradicted values stay in the form."""
    lidia = typed_lidia(at, writing, at.pad(writing.turn), at.judged(at.content))
    reading = at.judged(at.with_lidia(writing.turn, lidia))
    found = reading_of(reading, writing.turn)
    if found is None or not found.stands:
        at.keep(writing)
        return redirect_to_form(at, "#answer")
    _store(at, writing.turn, lidia)
    at.keep(writing)
    messages.success(
        at.request, _("The lidia with bull %(bull)s has been saved.") % {"bull": writing.turn + 1}
    )
    return redirect_to_form(at, OPEN)


def _wipe(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    _store(at, writing.turn, {})
    at.keep(None)
    return redirect_to_form(at, OPEN)


def _way(at: AtCorrida, writing: Writing, rest: str) -> HttpResponse:
    if rest in WAYS:
        writing.way = rest
    at.keep(writing)
    return redirect_to_form(at, OPEN)


def _bull(at: AtCorrida, writing: Writing, rest: str) -> HttpResponse:
    turn = whole(rest)
    if turn is not None and 1 <= turn <= BULLS:
        writing.open(turn - 1)
    at.keep(writing)
    return redirect_to_form(at, OPEN)


def _store(at: AtCorrida, turn: int, lidia: dict[str, Any]) -> None:
    save_sheet(at, at.with_lidia(turn, lidia))


def _send(at: AtCorrida, _writing: Writing, _rest: str) -> HttpResponse:
    reading = at.judged(at.content)
    if not reading.stands:
        raise OperationError(
            _(
                "Some lidias are still incomplete or contain errors. Check them before you "
                "submit the corrida."
            )
        )
    lidias = at.lidias[: len(reading.lidias)]
    return hand_in_sheet(at, {**at.content, LIDIAS: lidias})


def _rewrite(at: AtCorrida, _writing: Writing, _rest: str) -> HttpResponse:
    content = sheet_to_rewrite(at).content
    at.keep(Writing(), sheet=content if isinstance(content, dict) else {})
    return redirect_to_form(at)


# Actions by the value of their button.
DEEDS: Final[Mapping[str, Callable[[AtCorrida, Writing, str], HttpResponse]]] = {
    "read": judge_sheet,
    "card": _card,
    "typed": _typed_card,
    "back": _back,
    "put": _put,
    "wipe": _wipe,
    "way": _way,
    "bull": _bull,
    "send": _send,
    "rewrite": _rewrite,
    "leave": leave_unchanged,
}
