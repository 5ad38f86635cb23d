"""Which points the cards of one deck can have brought (Rulings E-4 and E-8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from eltoro.engine import Card, Effect

MOST_TRIED: Final = 8
"""Cards that bring points, up to which every way of playing them is tried; past that their sum."""

Bringing = tuple[int, int]
"""The fewest and the most points that a card brings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPoints:
    """The points that the cards of one deck bring.

    `cards`: of each card that brings points, the fewest and the most; `drawing`: how many cards
    those draw that draw in the midst of a day; `draws`: how many such cards there are.
    """

    cards: tuple[Bringing, ...]
    drawing: int
    draws: int

    @classmethod
    def of(cls, cards: Iterable[Card]) -> DeckPoints:
        """Those of these kinds of cards."""
        each = [(one.effect, one.amount) for one in cards for _copy in range(one.count)]
        drawing = [amount for effect, amount in each if effect is Effect.DRAW]
        exact = [(amount, amount) for effect, amount in each if effect is Effect.POINTS]
        up_to = [(0, amount) for effect, amount in each if effect is Effect.BRAVE]
        return cls(cards=(*exact, *up_to), drawing=sum(drawing), draws=len(drawing))

    @property
    def times_a_day(self) -> int | None:
        """How often a card can come in a day; None where several cards draw others in its midst."""
        return 1 + self.draws if self.draws <= 1 else None

    def of_one_day(self, steps: int) -> frozenset[int]:
        """What one player can have of these cards in a day: one a step (Ruling E-4)."""
        cards = self.cards * (self.times_a_day or MOST_TRIED + 1)
        if len(cards) > MOST_TRIED:
            best = max((most for _least, most in cards), default=0)
            return frozenset(range(steps * best + 1))
        return frozenset(
            points
            for count in range(min(steps, len(cards)) + 1)
            for chosen in combinations(cards, count)
            for points in range(sum(low for low, _ in chosen), sum(top for _, top in chosen) + 1)
        )

    def can_bring(self, wanted: Iterable[int], steps: int, copies: int = 1) -> bool:
        """Whether the deck, gone through so often, brings all of these.

        Each is what one player has of cards in one day.
        """
        cards = self.cards * copies
        wants = sorted((want for want in wanted if want > 0), reverse=True)
        if sum(wants) > sum(most for _least, most in cards):
            return False
        return len(cards) > MOST_TRIED or _shares(tuple(wants), cards, steps)

    def against(self, gains: Sequence[Sequence[int]], steps: int, once: int) -> int | None:
        """The day, from 0, from which these points by day and seat cannot be; None if they can.

        Within the first `once` days each card comes once. Later it comes once a day, or twice where
        one card draws others in its midst; past that nothing is said.
        """
        if not self.can_bring([points for day in gains[:once] for points in day], steps):
            return 0
        copies = self.times_a_day
        if copies is None:
            return None
        later = range(once, len(gains))
        return next((n for n in later if not self.can_bring(gains[n], steps, copies)), None)


@lru_cache(maxsize=4096)
def _shares(wants: tuple[int, ...], cards: tuple[Bringing, ...], steps: int) -> bool:
    """Whether each gets so many points from cards of its own, `steps` cards at the most."""
    if not wants:
        return True
    for count in range(1, min(steps, len(cards)) + 1):
        for places in combinations(range(len(cards)), count):
            chosen = [cards[place] for place in places]
            if sum(low for low, _ in chosen) <= wants[0] <= sum(top for _, top in chosen):
                left = tuple(card for place, card in enumerate(cards) if place not in places)
                if _shares(wants[1:], left, steps):
                    return True
    return False
