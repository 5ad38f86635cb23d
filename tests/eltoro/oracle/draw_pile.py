"""Dealing and drawing action cards (Ruling E-8)."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.town import Town, effect_of, turn_order

FULL_HAND = 5


def draw_one(town: Town, seat: int) -> None:
    """Draw one card from the end of the deck; if the deck is empty, shuffle the discards first."""
    if not town.deck and town.discards:
        town.reshuffles += 1
        town.deck, town.discards = town.discards, []
        Chance(town.seed, f"deck/{town.reshuffles}").shuffle(town.deck)
    if town.deck:
        town.hands[seat].append(town.deck.pop())


def deal(town: Town) -> None:
    """Deal cards up to the limit of each player, beginning with the first player.

    A player with more cards than the limit keeps them.
    """
    for seat in turn_order(town):
        wanted = max(0, FULL_HAND + effect_of(town, seat, "card"))
        for _ in range(wanted - len(town.hands[seat])):
            draw_one(town, seat)
