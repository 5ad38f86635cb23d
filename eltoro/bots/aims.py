"""The sensible targets of any card, and what each may be expected to bring until the evening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from eltoro.bots import bull_aims, runner_aims, sign_aims
from eltoro.bots.aim import BULL, NOTHING, Aim, Aiming
from eltoro.bots.outlook import Outlook
from eltoro.engine import FACES, Card, Effect

CARD_WORTH: Final = 0.5
"""Points that a card more in hand is worth."""


def aims(outlook: Outlook, card: Card) -> list[Aim]:
    """The sensible ways to play a card, best first; to do nothing is one where it is allowed."""
    found = list(AIMINGS[card.effect](outlook, card))
    if card.effect not in UNCHOSEN:
        found.append(NOTHING)
    return sorted(found, key=lambda aim: -aim.gain)


def own_part(outlook: Outlook, aim: Aim) -> float:
    """The part of an aim's gain that the own runners bring."""
    seat, found = outlook.seat, 0.0
    value = outlook.now[seat]
    if aim.signs is not None:
        found += outlook.with_signs(seat, aim.signs)
    for throw in aim.throws:
        if throw.seat == BULL:
            found += bull_aims.own_change(outlook, throw)
        elif throw.seat == seat:
            mean = sum([value[place] for place in throw.places]) / len(throw.places)
            found += mean - value[outlook.dice[seat][throw.number]]
    return found


def _draw(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return (Aim(CARD_WORTH * card.amount),)


def _points(outlook: Outlook, card: Card) -> Iterable[Aim]:
    return (Aim(float(card.amount)),)


def _brave(outlook: Outlook, card: Card) -> Iterable[Aim]:
    """Points for own runners where a bull stands."""
    ranks = {bull // FACES for bull in outlook.bulls}
    own = outlook.dice[outlook.seat]
    return (Aim(float(min(card.amount, sum(place // FACES in ranks for place in own)))),)


UNCHOSEN: Final = frozenset({Effect.ROLL_ALL, Effect.DRAW, Effect.POINTS, Effect.BRAVE})
"""What happens without any target."""

AIMINGS: Final[Mapping[Effect, Aiming]] = MappingProxyType(
    {
        Effect.ROLL: runner_aims.some,
        Effect.ROLL_SPACE: runner_aims.at_a_space,
        Effect.ROLL_ALL: runner_aims.all_own,
        Effect.TURN: runner_aims.some,
        Effect.FLIP: runner_aims.some,
        Effect.ODD: runner_aims.some,
        Effect.EVEN: runner_aims.some,
        Effect.SET: runner_aims.some,
        Effect.SWAP: runner_aims.swap,
        Effect.BULL_ROLL: bull_aims.some,
        Effect.BULL_ROLL_SPACE: bull_aims.at_a_space,
        Effect.BULL_TURN: bull_aims.some,
        Effect.BULL_FLIP: bull_aims.some,
        Effect.BULL_LEAD: bull_aims.lead,
        Effect.BULL_ADD: bull_aims.add,
        Effect.SIGN: sign_aims.place,
        Effect.UNSIGN: sign_aims.remove,
        Effect.DRAW: _draw,
        Effect.POINTS: _points,
        Effect.BRAVE: _brave,
    }
)
