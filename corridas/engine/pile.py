"""Where the cards come from: a shuffled deck, or the record of one that was.

A pile is an iterator without end over places in the deck (0-69), the next card first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from corridas.engine.deck import DECK_SIZE
from corridas.engine.errors import ImpossibleDraw
from fairness import Chance


def shuffled_pile(chance: Chance) -> Iterator[int]:
    """One deck after another: when no card is left all seventy are shuffled anew (Ruling I-3)."""
    return chain.from_iterable(_decks(chance))


def _decks(chance: Chance) -> Iterator[list[int]]:
    while True:
        yield chance.shuffled(range(DECK_SIZE))


class RecordedDeck:
    """The deck a record was drawn from: gives its cards, and refuses the first that cannot be.

    Raises `ImpossibleDraw` for a card that is none, that lies drawn already, that is missing or
    left over.
    """

    def __init__(self) -> None:
        self._used: set[int] = set()

    def shuffle(self) -> None:
        """Gather all seventy cards."""
        self._used.clear()

    def pile(self, lidia: int, cards: bytes) -> Iterator[int]:
        """The cards of a lidia (0-5), each looked at before it is given."""
        for position, card in enumerate(cards):
            self._take(lidia, position, card)
            yield card
        raise ImpossibleDraw(lidia, len(cards), "the lidia is not over, and no card follows.")

    def _take(self, lidia: int, position: int, card: int) -> None:
        if card >= DECK_SIZE:
            reason = f"there is no card {card}, a deck has seventy (Ruling I-1)."
            raise ImpossibleDraw(lidia, position, reason)
        if len(self._used) == DECK_SIZE:
            self._used.clear()
        if card in self._used:
            raise ImpossibleDraw(lidia, position, f"card {card} lies drawn already (Ruling I-3).")
        self._used.add(card)


def check_used_up(lidia: int, taken: int, cards: bytes) -> None:
    """Raise `ImpossibleDraw` where a lidia ended before its record does."""
    if taken < len(cards):
        raise ImpossibleDraw(lidia, taken, "the lidia is over, and the record goes on.")
