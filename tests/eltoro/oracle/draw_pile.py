"""Dealing and drawing action cards (Ruling E-8)."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.town import Town, effect_of, turn_order

FULL_HAND = 5


def draw_one(town: Town, seat: int) -> None:
    """One card from the end of the deck; the discards are shuffled only when there is none."""
    if not town.deck and town.discards:
        town.reshuffles += 1
        town.deck, town.discards = town.discards, []
        Chance(town.seed, f"deck/{town.reshuffles}").shuffle(town.deck)
    if town.deck:
        town.hands[seat].append(town.deck.pop())


def deal(town: Town) -> None:
    """First player first, each filled at once; a fuller hand stays as it is."""
    for seat in turn_order(town):
        wanted = max(0, FULL_HAND + effect_of(town, seat, "card"))
        for _ in range(wanted - len(town.hands[seat])):
            draw_one(town, seat)
