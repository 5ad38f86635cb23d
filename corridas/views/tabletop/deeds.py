"""Every button of the form for a lidia: done, or refused in a sentence with nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from corridas.engine import BULLS, DECK_SIZE
from corridas.sheets import Pad, Reading
from corridas.views.tabletop.at_corrida import LIDIAS, AtCorrida, reading_of
from corridas.views.tabletop.writing import CARDS, WAYS, Writing, whole
from leagues.operations.errors import OperationError
from leagues.views.writing import (
    hand_in_sheet,
    home,
    leave,
    press,
    read,
    save_sheet,
    sheet_to_rewrite,
)

OPEN: Final = "#lidia"


def act(at: AtCorrida) -> HttpResponse | None:
    """One press of a button; None: only the referee's answer is asked for, as a fragment."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST)

    return press(at, writing, DEEDS, fill)


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
    """One more card, by its small number; one that cannot have been drawn stays out."""
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
    return home(at, OPEN)


def _typed_card(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    """The card whose small number was typed in."""
    return _card(at, writing, at.request.POST.get("card", "").strip())


def _back(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    """Take the last card back."""
    lidia = at.lidias[writing.turn]
    cards = lidia.get(CARDS)
    if not isinstance(cards, list) or not cards:
        raise OperationError(_("There is no card to undo."))
    kept = {name: value for name, value in lidia.items() if name != CARDS}
    _store(at, writing.turn, {**kept, CARDS: cards[:-1]} if cards[:-1] else kept)
    at.keep(writing)
    return home(at, OPEN)


def _put(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    """Write what was typed onto the sheet; what is contradicted stays in the form."""
    lidia = typed_lidia(at, writing, at.pad(writing.turn), at.judged(at.content))
    reading = at.judged(at.with_lidia(writing.turn, lidia))
    found = reading_of(reading, writing.turn)
    if found is None or not found.stands:
        at.keep(writing)
        return home(at, "#answer")
    _store(at, writing.turn, lidia)
    at.keep(writing)
    messages.success(
        at.request, _("The lidia with bull %(bull)s has been saved.") % {"bull": writing.turn + 1}
    )
    return home(at, OPEN)


def typed_lidia(
    at: AtCorrida, writing: Writing, pad: Pad | None, stored: Reading
) -> dict[str, Any]:
    """The lidia as typed, with the cards where they were written down too."""
    starter, able = people_of(stored, writing.turn)
    typed = writing.lidia(starter, able)
    cards = at.lidias[writing.turn].get(CARDS)
    return typed | ({CARDS: cards} if cards and pad is not None and pad.over else {})


def people_of(stored: Reading, turn: int) -> tuple[int, tuple[int, ...]]:
    """Who begins a lidia, and who is able then, by place of appearance (Ruling I-16)."""
    out: set[int] = set()
    for lidia in stored.lidias[:turn]:
        out |= set(lidia.result.injured) if lidia.result else set()
    able = tuple(place for place in range(3) if place not in out)
    announced = turn % 3
    return (announced if announced in able else next(iter(able), announced)), able


def _wipe(at: AtCorrida, writing: Writing, _rest: str) -> HttpResponse:
    """Nothing is written of this lidia any more."""
    _store(at, writing.turn, {})
    at.keep(None)
    return home(at, OPEN)


def _way(at: AtCorrida, writing: Writing, rest: str) -> HttpResponse:
    """Write the lidia down in another way."""
    if rest in WAYS:
        writing.way = rest
    at.keep(writing)
    return home(at, OPEN)


def _bull(at: AtCorrida, writing: Writing, rest: str) -> HttpResponse:
    """Open another lidia."""
    turn = whole(rest)
    if turn is not None and 1 <= turn <= BULLS:
        writing.open(turn - 1)
    at.keep(writing)
    return home(at, OPEN)


def _store(at: AtCorrida, turn: int, lidia: dict[str, Any]) -> None:
    save_sheet(at, at.with_lidia(turn, lidia))


def _send(at: AtCorrida, _writing: Writing, _rest: str) -> HttpResponse:
    """Hand the whole corrida in."""
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
    """Take up a sheet that was handed in, to write it anew."""
    content = sheet_to_rewrite(at).content
    at.keep(Writing(), sheet=content if isinstance(content, dict) else {})
    return home(at)


DEEDS: Final[Mapping[str, Callable[[AtCorrida, Writing, str], HttpResponse]]] = {
    "read": read,
    "card": _card,
    "typed": _typed_card,
    "back": _back,
    "put": _put,
    "wipe": _wipe,
    "way": _way,
    "bull": _bull,
    "send": _send,
    "rewrite": _rewrite,
    "leave": leave,
}
"""By the value of a button, what it does."""
