"""The cards that a seat has not seen: in the deck or in other hands."""

from __future__ import annotations

from collections import Counter

from eltoro.engine import View


def unseen(view: View) -> list[int]:
    """Every card, by kind, that is neither in the own hand nor among the discards."""
    left = Counter({kind: card.count for kind, card in enumerate(view.rules.cards)})
    left.subtract(view.hand)
    left.subtract(view.town.discards)
    return sorted(left.elements())
