"""Writes a lidia (the fight with one bull) on one line, with every card in the order drawn.

    I 07+31 12 44b+05 ... | II 66 03 ... | III 21 58bh40! 02 | ? 10 24 | K 08.61 33.02a | = 19 50

Two digits are a card (its place in the deck, 00-69), and `I`, `II` and `III` are the acts of the
fight. `+31` or `-31` is the card that scored, with the sign of the score. `b` is the bull's
reaction, followed by its own card if the rules draw one. `h40` is the card drawn for an injury,
followed by `!` if the matador is out. `?` precedes the number that decides whether the bull is
spared, and `*` means that it is spared. `K` precedes pairs of a kill card and a warning card,
followed by `a` if there is a time warning. `=` precedes the final number.
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
    """Return the one-line notation of a fight from its events so far."""
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
    """Return the sign of a score.

    A score of 0 gets `+`, because the number 0 has no sign.
    """
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
