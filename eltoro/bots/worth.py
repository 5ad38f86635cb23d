"""What cards are worth in hand: what the greedy expects of them, over many games of four."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from eltoro.engine import Card, Effect, Rules, Whose

OWN: Final[Mapping[Effect, float]] = MappingProxyType(
    {
        Effect.ROLL: 0.7,
        Effect.ROLL_SPACE: 0.85,
        Effect.ROLL_ALL: 0.1,
        Effect.TURN: 1.65,
        Effect.FLIP: 1.45,
        Effect.ODD: 1.3,
        Effect.EVEN: 1.3,
        Effect.SET: 2.05,
        Effect.SWAP: 2.8,
    }
)
"""Points for one own die, or for all of a place."""
OTHER: Final[Mapping[Effect, float]] = MappingProxyType(
    {
        Effect.ROLL: 0.85,
        Effect.ROLL_SPACE: 0.7,
        Effect.TURN: 1.35,
        Effect.FLIP: 1.2,
        Effect.ODD: 1.1,
        Effect.EVEN: 1.1,
        Effect.SET: 1.6,
    }
)
"""The same for one die of another player at a table of four."""
NOBODYS: Final[Mapping[Effect, float]] = MappingProxyType(
    {
        Effect.BULL_ROLL: 0.65,
        Effect.BULL_ROLL_SPACE: 0.85,
        Effect.BULL_TURN: 1.45,
        Effect.BULL_FLIP: 1.25,
        Effect.BULL_LEAD: 1.0,
        Effect.BULL_ADD: 0.3,
        Effect.SIGN: 2.85,
        Effect.UNSIGN: 0.4,
        Effect.DRAW: 0.5,
        Effect.POINTS: 1.0,
        Effect.BRAVE: 0.95,
    }
)
"""Points for one bull, sign, card or point."""
STRAIGHT: Final = frozenset({Effect.DRAW, Effect.POINTS, Effect.BRAVE})
MORE: Final = 0.55
"""Twice as many dice bring 2 to this power as much: the best comes first."""
BOTH: Final = 0.6
"""Who may choose among own dice and others' has not the worth of both."""
BULL_LATE: Final = (0.55, 1.0, 0.95, 1.5)
SIGN_LATE: Final = (0.95, 1.0, 1.0, 1.2)
"""How much of that is left, by steps of the day left from 1."""
LASTING: Final = (0.9, 0.77, 0.7, 0.62)
"""How much of a gain is still there in the evening, by steps left from 1: later cards would have
mended, or spoiled, a part of it anyway."""
FOUR: Final = 4


def card_worth(card: Card, players: int = FOUR) -> float:
    """Points, own or taken from others, that a card brings when it is played, about."""
    own = OWN.get(card.effect, 0.0) * _many(card)
    away = away_worth(card, players, 2)
    if card.whose is Whose.ANY:
        return (own + away) * (BOTH if card.amount else 1)
    return own if card.whose is Whose.OWN and card.effect is not Effect.SWAP else away


def away_worth(card: Card, players: int, left: int) -> float:
    """What a card brings elsewhere than on own dice, with so many steps left from 1 on."""
    if card.effect in STRAIGHT:
        return NOBODYS[card.effect] * card.amount
    late = min(left, len(BULL_LATE)) - 1
    if card.whose is None:
        scale = SIGN_LATE if card.effect is Effect.SIGN else BULL_LATE
        return NOBODYS[card.effect] * _many(card) * scale[late]
    if card.effect is Effect.SWAP:
        return OWN[card.effect]
    # who has one rival only takes from the one that counts
    rivals = 0 if card.whose is Whose.OWN else FOUR / players
    return OTHER.get(card.effect, 0.0) * rivals * _many(card)


def lasting(left: int) -> float:
    """How much of a gain made with so many steps left, from 1 on, is there in the evening."""
    return LASTING[min(left, len(LASTING)) - 1]


def _many(card: Card) -> float:
    return float(max(card.amount, 1) ** MORE)


def mean_worth(rules: Rules, players: int = FOUR) -> float:
    """Points that a card fresh from the deck brings, about."""
    cards = rules.cards
    total = sum(card.count * card_worth(card, players) for card in cards)
    return total / sum(card.count for card in cards)


def unwanted(rules: Rules, players: int, hand: Sequence[int]) -> tuple[str, ...]:
    """The cards of a hand that a fresh one is better than, in the notation."""
    mean = mean_worth(rules, players)
    kinds = [rules.cards[card] for card in hand]
    return tuple(card.key for card in kinds if card_worth(card, players) < mean)
