"""Estimated values of cards, destinations and effects on the next day for El Toro bots,
in points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Final

from eltoro.bots.outlook import Outlook, points_of
from eltoro.engine import Bonus, Card, Destination, Effect, Rules, RunnerOwner, View

# By effect of a card: the points that a bot expects if the card changes one of its own dice, or all
# dice on a space.
OWN_VALUES: Final[Mapping[Effect, float]] = MappingProxyType(
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
# By effect of a card: the points that a bot expects in a game with four players if the card changes
# a die of another player.
OTHER_VALUES: Final[Mapping[Effect, float]] = MappingProxyType(
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
# By effect of a card: the points that a bot expects for each bull that the card changes, each path
# sign that it uses, each card that it draws, or each point that it scores.
UNOWNED_VALUES: Final[Mapping[Effect, float]] = MappingProxyType(
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
DIRECT_EFFECTS: Final = frozenset({Effect.DRAW, Effect.POINTS, Effect.BRAVE})
# Exponent for gains from several dice: twice as many dice multiply the gain by 2 to this power. The
# gain is less than doubled, because the best dice are chosen first.
DICE_EXPONENT: Final = 0.55
# Factor for cards that may change the dice of any player. The player can either help its own dice
# or harm those of others, but not both.
CHOICE_FACTOR: Final = 0.6
BULL_TIMING: Final = (0.55, 1.0, 0.95, 1.5)
# Factor for the value of a token on a path sign, by number of steps left in the day (from 1).
SIGN_TIMING: Final = (0.95, 1.0, 1.0, 1.2)
# Share of a gain that lasts until the evening, by number of steps left (from 1). The rest is lost,
# because later cards change the dice.
LASTING_SHARES: Final = (0.9, 0.77, 0.7, 0.62)
DEFAULT_PLAYERS: Final = 4


def card_value(card: Card, players: int = DEFAULT_PLAYERS) -> float:
    """Return the estimated points that a card brings its player, or takes from other players."""
    own = OWN_VALUES.get(card.effect, 0.0) * _die_count_factor(card)
    away = indirect_card_value(card, players, 2)
    if card.whose is RunnerOwner.ANY:
        return (own + away) * (CHOICE_FACTOR if card.amount else 1)
    return own if card.whose is RunnerOwner.OWN and card.effect is not Effect.SWAP else away


def indirect_card_value(card: Card, players: int, left: int) -> float:
    """Return the part of a card's value that does not come from changing the player's own dice.

    `left`: number of steps left in the day (from 1).
    """
    if card.effect in DIRECT_EFFECTS:
        return UNOWNED_VALUES[card.effect] * card.amount
    late = min(left, len(BULL_TIMING)) - 1
    if card.whose is None:
        scale = SIGN_TIMING if card.effect is Effect.SIGN else BULL_TIMING
        return UNOWNED_VALUES[card.effect] * _die_count_factor(card) * scale[late]
    if card.effect is Effect.SWAP:
        return OWN_VALUES[card.effect]
    # A point taken from a rival counts more if there are fewer rivals.
    rivals = 0 if card.whose is RunnerOwner.OWN else DEFAULT_PLAYERS / players
    return OTHER_VALUES.get(card.effect, 0.0) * rivals * _die_count_factor(card)


def lasting_share(left: int) -> float:
    """Return the share of a gain that lasts until the evening.

    `left`: number of steps left in the day (from 1).
    """
    return LASTING_SHARES[min(left, len(LASTING_SHARES)) - 1]


def _die_count_factor(card: Card) -> float:
    return float(max(card.amount, 1) ** DICE_EXPONENT)


def mean_card_value(rules: Rules, players: int = DEFAULT_PLAYERS) -> float:
    cards = rules.cards
    total = sum(card.count * card_value(card, players) for card in cards)
    return total / sum(card.count for card in cards)


def unwanted_cards(rules: Rules, players: int, hand: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of cards in a hand that are worth less than an average new card."""
    mean = mean_card_value(rules, players)
    kinds = [rules.cards[card] for card in hand]
    return tuple(card.key for card in kinds if card_value(card, players) < mean)


# Mean points of a destination's die: even faces bring their number, odd faces cost 1 (E-9).
DIE_VALUE: Final = 1.5
# Points that one unit of a destination's effect is worth on the next day. Additional bulls have no
# value, because they harm all players equally.
BONUS_VALUES: Final[Mapping[Bonus, float]] = MappingProxyType(
    {Bonus.RUNNER: 2.5, Bonus.CARD: 0.6, Bonus.POINTS: 1.0}
)


def effect_values(view: View) -> tuple[float, ...]:
    """Return the value on the next day of reaching each destination that is laid out today."""
    kinds = view.rules.destinations
    if view.town.day >= view.rules.days:
        return tuple(0.0 for _ in view.town.destinations)
    return tuple(_effect_value(kinds[which]) for which in view.town.destinations)


def _effect_value(kind: Destination) -> float:
    if kind.effect is None:
        return 0.0
    return (
        DIE_VALUE if kind.effect is Bonus.DIE else BONUS_VALUES.get(kind.effect, 0.0) * kind.amount
    )


def arrival_values(view: View) -> list[tuple[float, ...]]:
    """Return, by seat, the value of one more runner at each destination.

    The value includes effects on the next day. An effect counts once per player (Ruling E-7), so it
    is worth less if other runners of the player are likely to arrive there.
    """
    points, effects = points_of(view), effect_values(view)
    if not any(effects):
        return [points] * view.players
    plain = Outlook(view)
    return [_values_with_effects(plain, seat, points, effects) for seat in range(view.players)]


def _values_with_effects(
    outlook: Outlook, seat: int, points: Sequence[float], effects: Sequence[float]
) -> tuple[float, ...]:
    count = max(sum(place >= 0 for place in outlook.dice[seat]), 1)
    values = []
    for slot, effect in enumerate(effects):
        missing = _chance_of_none(outlook, seat, slot) ** (1 - 1 / count) if effect else 0.0
        values.append(points[slot] + effect * missing)
    return tuple(values)


def _chance_of_none(outlook: Outlook, seat: int, slot: int) -> float:
    """Return the chance that none of a seat's runners reaches a destination.

    It is assumed that no more cards are played.
    """
    streets = outlook.streets
    only = [float(slot == other) for other in range(len(outlook.view.town.destinations))]
    threats = streets.threats(outlook.bulls)
    chance = streets.prospects(outlook.ways(seat), threats, only, outlook.row)
    return prod(1 - chance[place] for place in outlook.dice[seat] if place >= 0)
