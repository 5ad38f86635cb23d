"""A whole lidia on one line, with every card in the order drawn.

    I 07+31 12 44b+05 ... | II 66 03 ... | III 21 58bh40! 02 | ? 10 24 | K 08.61 33.02a | = 19 50

Two digits are a card (its place in the deck, 00-69). `+31` or `-31`: the card that scored, and
which way; `b`: the bull answers, with a card of its own where the rules want one; `h40`: the card
of an injury, `!` where the matador is out; `?`: the check for indulto, `*` where the bull is
spared; `K`: kill card and warning card, `a` where it warns; `=`: the final number.
"""

from __future__ import annotations

from collections.abc import Iterable

from corridas.engine.events import (
    AvisoRead,
    BullRead,
    Digit,
    Event,
    IndultoChecked,
    InjuryRead,
    Move,
    Purpose,
    Scored,
    Stroke,
)

_TERCIO = {1: "I", 2: "| II", 3: "| III"}


def write_lidia(events: Iterable[Event]) -> str:
    """Return the line of a lidia, complete or as far as the events go."""
    return "".join(map(_token, events)).strip()


def _token(event: Event) -> str:
    match event:
        case Move(tercio=tercio, mark=mark, card=card):
            return (f" {_TERCIO[tercio]}" if mark == 1 else "") + f" {card:02}"
        case BullRead(card=card, turned=turned):
            return f"b{card:02}" if turned else "b"
        case InjuryRead(card=card, hurt=hurt):
            return f"h{card:02}" + "!" * hurt
        case Scored(card=card):
            return f"{_sign(event)}{card:02}"
        case _:
            return _closing_token(event)


def _sign(event: Scored) -> str:
    """Return the sign of a score. A card numbered 0 has no sign and is written as `+`."""
    return "-" if event.points < 0 else "+"


def _closing_token(event: Event) -> str:
    match event:
        case Digit(purpose=purpose, tens=tens, card=card):
            opening = (" | ?" if purpose is Purpose.INDULTO else " | =") if tens else ""
            return f"{opening} {card:02}"
        case IndultoChecked(spared=True):
            return "*"
        case Stroke(stroke=stroke, card=card):
            return (" | K" if stroke == 1 else "") + f" {card:02}"
        case AvisoRead(card=card, warned=warned):
            return f".{card:02}" + "a" * warned
        case _:
            return ""
