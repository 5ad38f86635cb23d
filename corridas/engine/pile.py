"""Where the cards come from: a shuffled deck, or the record of one that was."""

from __future__ import annotations

from typing import Protocol

from corridas.engine.deck import DECK_SIZE
from corridas.engine.errors import ImpossibleDraw
from fairness import Chance


class Pile(Protocol):
    """Cards face down, the next one known to nobody.

    `drawn` holds the cards of the lidia under way, as places in the deck, in order.
    """

    drawn: bytearray

    def draw(self) -> int:
        """Turn the next card; with none left all seventy are shuffled anew (Ruling I-3)."""


class ShuffledPile:
    """A deck shuffled by chance: the last card of the shuffled list lies on top."""

    __slots__ = ("_chance", "_left", "drawn")

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._left = chance.shuffled(range(DECK_SIZE))
        self.drawn = bytearray()

    def draw(self) -> int:
        if not self._left:
            self._left = self._chance.shuffled(range(DECK_SIZE))
        card = self._left.pop()
        self.drawn.append(card)
        return card


class RecordedPile:
    """The cards of a record, refused at the first one that cannot have been drawn.

    Raises `ImpossibleDraw` for a card that is none, that lies drawn already, or that is missing.
    """

    def __init__(self) -> None:
        self._lidia = 0
        self._cards = b""
        self._used: set[int] = set()
        self.drawn = bytearray()

    def begin(self, lidia: int, cards: bytes, *, fresh_deck: bool) -> None:
        """Take up the cards of a lidia (0-5), out of a new deck or the one in use."""
        self._lidia, self._cards = lidia, cards
        self.drawn = bytearray()
        if fresh_deck:
            self._used.clear()

    def draw(self) -> int:
        position = len(self.drawn)
        if position >= len(self._cards):
            raise self._impossible("the lidia is not over, and no card follows.")
        card = self._cards[position]
        self._take(card)
        self.drawn.append(card)
        return card

    def _take(self, card: int) -> None:
        if card >= DECK_SIZE:
            raise self._impossible(f"there is no card {card}, a deck has seventy (Ruling I-1).")
        if len(self._used) == DECK_SIZE:
            self._used.clear()
        if card in self._used:
            raise self._impossible(f"card {card} lies drawn already (Ruling I-3).")
        self._used.add(card)

    def finish(self) -> None:
        """Say that the lidia is over; `ImpossibleDraw` where cards are left in the record."""
        if len(self.drawn) < len(self._cards):
            raise self._impossible("the lidia is over, and the record goes on.")

    def _impossible(self, reason: str) -> ImpossibleDraw:
        return ImpossibleDraw(self._lidia, len(self.drawn), reason)
