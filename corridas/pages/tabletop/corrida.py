"""The page of a corrida at a real table: the form for its lidias, later the submitted result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from api.types import JSONObject
from corridas.engine import BULLS, DECK_SIZE
from corridas.pages.tabletop.entry import (
    CARDS,
    LIDIAS,
    WAYS,
    AtCorrida,
    Writing,
    first_open,
    parse_integer,
    reading_of,
    typed_lidia,
)
from corridas.pages.tabletop.home import frame
from corridas.pages.tabletop.lidia_form import Tab, form_context, tabs
from corridas.tabletop.operations import refusal
from corridas.tabletop.sheets import Pad, SheetReading
from leagues.exceptions import OperationError
from leagues.models import Match
from leagues.pages.matches.matches import TicketContext, ticket_context


class ResultStatus(NamedTuple):
    """Whether and where a submitted corrida counts.

    `kind` is `filed` (it counts), `kept` (it is stored but counts nowhere), `waits` (for
    confirmation) or `refused`. `message` is a sentence for the page that explains it.
    """

    kind: str
    message: str


def result_status(at: AtCorrida) -> ResultStatus:
    if at.match.state == Match.State.VOID:
        return ResultStatus("kept", _("This corrida does not count and is not in any record book."))
    if at.match.state in Match.UNSETTLED:
        return _pending(at)
    return _settled(at)


def _settled(at: AtCorrida) -> ResultStatus:
    table, league = at.table, at.match.league
    if table and table.circuit and table.filed_at:
        words = {"name": table.circuit.name}
        return ResultStatus("filed", _("This corrida is in the record book of %(name)s.") % words)
    if table and table.circuit:
        message = _(
            "This corrida is kept here but does not count in %(name)s: the director does not "
            "accept corridas played at a table."
        )
        return ResultStatus("kept", message % {"name": table.circuit.name})
    if league:
        return ResultStatus("filed", _("This corrida counts in %(name)s.") % {"name": league.name})
    return ResultStatus(
        "kept",
        _("This corrida is kept here. It was not played for the record book of any circuit."),
    )


def _pending(at: AtCorrida) -> ResultStatus:
    table, league = at.table, at.match.league
    if table is None or table.circuit is None:
        if league:
            return ResultStatus(
                "waits",
                _("Once confirmed, this corrida will count in %(name)s.") % {"name": league.name},
            )
        return ResultStatus(
            "waits",
            _(
                "Once confirmed, this corrida will be kept here. It will not go into the "
                "record book of any circuit."
            ),
        )
    words = {"name": table.circuit.name, "reason": refusal(at.match.pk)}
    if words["reason"]:
        message = _("This corrida can’t be added to %(name)s as it is. %(reason)s")
        return ResultStatus("refused", message % words)
    if table.given or table.circuit.tables_count:
        return ResultStatus(
            "waits",
            _("Once confirmed, this corrida will go into the record book of %(name)s.") % words,
        )
    message = _(
        "Once confirmed, this corrida will be kept here but will not count, because the "
        "director of %(name)s does not accept corridas played at a real table."
    )
    return ResultStatus("waits", message % words)


OPEN: Final = "#lidia"


class LidiaEntry(AtCorrida):
    """The form in which the players of a real table enter the fights (lidias) of their corrida.

    Each method `do_…` handles one of its buttons.
    """

    def fill_draft(self, writing: Writing) -> None:
        writing.fill(self.request.POST)

    def _pad(self, turn: int) -> Pad:
        pad = self.pad(turn)
        if pad is None:
            raise OperationError(
                _(
                    "You can’t enter this lidia card by card unless you enter all earlier lidias "
                    "that way too."
                )
            )
        return pad

    def do_card(self, writing: Writing, argument: str) -> HttpResponse:
        card, pad = parse_integer(argument), self._pad(writing.turn)
        if card is None or not 0 <= card < DECK_SIZE:
            raise OperationError(
                _("“%(text)s” is not a card. Enter a number from 0 to 69.") % {"text": argument}
            )
        if pad.awaits is None:
            raise OperationError(_("This lidia is over, so you can’t add any more cards."))
        if card not in pad.left:
            raise OperationError(_("Card %(card)s has already been drawn.") % {"card": card})
        self._store(writing.turn, {**self.lidias[writing.turn], CARDS: [*pad.cards, card]})
        writing.way = CARDS
        return self.store_and_redirect(writing, OPEN)

    def do_typed(self, writing: Writing, _argument: str) -> HttpResponse:
        return self.do_card(writing, self.request.POST.get("card", "").strip())

    def do_back(self, writing: Writing, _argument: str) -> HttpResponse:
        lidia = self.lidias[writing.turn]
        cards = lidia.get(CARDS)
        if not isinstance(cards, list) or not cards:
            raise OperationError(_("There is no card to undo."))
        kept = {name: value for name, value in lidia.items() if name != CARDS}
        self._store(writing.turn, {**kept, CARDS: cards[:-1]} if cards[:-1] else kept)
        return self.store_and_redirect(writing, OPEN)

    def do_put(self, writing: Writing, _argument: str) -> HttpResponse:
        """Save the lidia typed into the form.

        If the referee finds a contradiction, nothing is saved and the form shows what was typed.
        """
        lidia = typed_lidia(self, writing, self.pad(writing.turn), self.judged(self.content))
        reading = self.judged(self.with_lidia(writing.turn, lidia))
        read_lidia = reading_of(reading, writing.turn)
        if read_lidia is None or not read_lidia.stands:
            return self.store_and_redirect(writing, "#answer")
        self._store(writing.turn, lidia)
        self.store_draft(writing)
        messages.success(
            self.request,
            _("The lidia with bull %(bull)s has been saved.") % {"bull": writing.turn + 1},
        )
        return self.redirect(OPEN)

    def do_wipe(self, writing: Writing, _argument: str) -> HttpResponse:
        self._store(writing.turn, {})
        return self.store_and_redirect(None, OPEN)

    def do_input_mode(self, writing: Writing, argument: str) -> HttpResponse:
        if argument in WAYS:
            writing.way = argument
        return self.store_and_redirect(writing, OPEN)

    def do_bull(self, writing: Writing, argument: str) -> HttpResponse:
        turn = parse_integer(argument)
        if turn is not None and 1 <= turn <= BULLS:
            writing.open(turn - 1)
        return self.store_and_redirect(writing, OPEN)

    def _store(self, turn: int, lidia: JSONObject) -> None:
        self.save(self.with_lidia(turn, lidia))

    def do_send(self, writing: Writing, _argument: str) -> HttpResponse:
        content = self._content_with(writing)
        reading = self.judged(content)
        if not reading.stands:
            raise OperationError(
                _(
                    "Some lidias are still incomplete or contain errors. Check them before you "
                    "submit the corrida."
                )
            )
        lidias = content[LIDIAS][: len(reading.lidias)]
        return self.hand_in({**content, LIDIAS: lidias})

    def _content_with(self, writing: Writing) -> JSONObject:
        """Return the sheet of the corrida together with the fight in the form, if that is not saved
        yet.

        Raise `OperationError` if the fight cannot be saved.
        """
        stored = {**self.content, LIDIAS: self.lidias}
        if writing.way == CARDS or not any(writing.typed.values()):
            return stored
        lidia = typed_lidia(self, writing, self.pad(writing.turn), self.judged(self.content))
        content = self.with_lidia(writing.turn, lidia)
        read_lidia = reading_of(self.judged(content), writing.turn)
        if lidia != self.lidias[writing.turn] and (read_lidia is None or not read_lidia.stands):
            raise OperationError(
                _(
                    "The changes to the lidia with bull %(bull)s are not saved yet, and the "
                    "lidia is incomplete or contains errors. Correct it, or open it again to "
                    "discard the changes, before you submit the corrida."
                )
                % {"bull": writing.turn + 1}
            )
        return content

    def do_rewrite(self, _writing: Writing, _argument: str) -> HttpResponse:
        content = self.sheet_to_rewrite().content
        self.store_draft(Writing(), sheet=content if isinstance(content, dict) else {})
        return self.redirect()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form of the open lidia, or handle one of its buttons.

    Visitors who may not write see the submitted corrida.
    """
    at = LidiaEntry.find_view(request, pk)
    # An imported result may lack plaza, cartel (the announced matadors) and bulls. Correcting it
    # begins with the form for these, but can be cancelled like any other correction.
    if at.may_write and not at.framed and request.POST.get("do") != "leave":
        return frame(request, at)
    if request.method == "POST":
        response = at.perform_action()
        if response is None:
            return render(request, "corridas/tabletop.html#answer", form_context(at, at.draft))
        pressed_by_htmx = "HX-Request" in request.headers and not at.previewing
        at = LidiaEntry.find_view(request, pk)
        if not (pressed_by_htmx and at.may_write):
            return response
        context = {**form_context(at, at.draft), "fragment": True}
        return render(request, "corridas/tabletop.html#lidia", context)
    if not at.may_write:
        return render(request, "corridas/tabletop_handed_in.html", _handed_in(at))
    return render(request, "corridas/tabletop.html", form_context(at, _opened(at)))


def _opened(at: AtCorrida) -> Writing:
    writing = at.draft
    turn = parse_integer(at.request.GET.get("bull", ""))
    if turn is not None and 1 <= turn <= 6 and turn - 1 != writing.turn:
        writing.open(turn - 1)
        at.store_draft(writing)
        return at.draft
    if "writing" not in at.stored_form:
        writing.open(first_open(at.judged(at.content)))
        at.store_draft(writing)
        return at.draft
    return writing


class HandedInContext(TicketContext):
    """Template context of a corrida whose result has been submitted.

    `leads` are pairs of a matador's name and the name of the player who led him.
    """

    at: AtCorrida
    tabs: list[Tab]
    names: list[str]
    reading: SheetReading
    fate: ResultStatus
    leads: list[tuple[str, str]]


def _handed_in(at: AtCorrida) -> HandedInContext:
    reading, names = at.judged(), at.billings()
    return {
        "at": at,
        "tabs": tabs(at.sheet, reading, names),
        "names": names,
        "reading": reading,
        "fate": result_status(at),
        "leads": _leads(at, names, reading.leads),
        **ticket_context(at.request, at.match, at.player),
    }


def _leads(at: AtCorrida, names: Sequence[str], leads: tuple[int, ...]) -> list[tuple[str, str]]:
    return [
        (name, at.names[seat] if seat < at.players else "")
        for name, seat in zip(names, leads, strict=False)
    ]
