"""Direction cards, aimed: only what they change until the evening is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from eltoro.bots.aim import Aim
from eltoro.bots.outlook import Outlook
from eltoro.bots.streets import Sign
from eltoro.engine import Card

PARITIES: Final = ("even", "odd")


def place(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """A token on a sign that runners have still to pass; another's goes back to its owner."""
    seat = outlook.seat
    kept, prefix = outlook.signs[seat], ""
    if not outlook.view.town.tokens_left[seat]:
        given = max(sorted(kept), key=lambda sign: outlook.with_signs(seat, kept - {sign}))
        kept, prefix = kept - {given}, f"{_name(outlook, given)}>"
    for sign in outlook.streets.board.signs:
        if sign not in outlook.signs[seat] and outlook.is_ahead(sign[0]):
            signs = kept | {sign}
            gain = outlook.with_signs(seat, signs) + _replaced(outlook, sign)
            yield Aim(gain, (prefix + _name(outlook, sign),), signs=signs)


def _replaced(outlook: Outlook, sign: Sign) -> float:
    """What it changes that a token of another leaves a sign, where one lies there."""
    owner = outlook.view.town.tokens.get(sign)
    if owner is None:
        return 0.0
    return outlook.with_signs(owner, outlook.signs[owner] - {sign})


def remove(outlook: Outlook, card: Card) -> Iterator[Aim]:
    """Anybody's token off a sign."""
    for sign, owner in sorted(outlook.view.town.tokens.items()):
        signs = outlook.signs[owner] - {sign}
        own = signs if owner == outlook.seat else None
        yield Aim(outlook.with_signs(owner, signs), (_name(outlook, sign),), signs=own)


def _name(outlook: Outlook, sign: Sign) -> str:
    """A sign in the notation."""
    return f"{outlook.streets.board.spaces[sign[0]].key}/{PARITIES[sign[1]]}"
