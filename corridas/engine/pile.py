"""Sources of cards: a shuffled deck, or the recorded cards of an earlier game.

A card is represented by its place in the deck (0-69).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from operator import length_hint
from typing import Protocol

from corridas.engine.deck import DECK_SIZE
from corridas.engine.errors import ImpossibleDraw
from fairness import Chance


class Pile(Protocol):
    """A source of cards.

    `draw` returns the next card, and `taken` the cards drawn since the last call of `taken`.
    """

    draw: Callable[[], int]

    def taken(self) -> bytes:
        """Return the cards drawn in the fight that just ended, in order."""


class ShuffledPile:
    """A shuffled deck. When no card is left, all seventy are shuffled again (Ruling I-3).

    Drawn cards are not counted, because the number of remaining cards determines them.
    """

    __slots__ = ("_chance", "_left", "_order", "_start", "draw")

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._order: list[int] = []
        self._left: Iterator[int] = iter(())
        self._start = 0
        self.draw = chain.from_iterable(self._decks()).__next__

    def _decks(self) -> Iterator[Iterator[int]]:
        while True:
            deck = self._chance.shuffled(range(DECK_SIZE))
            self._order += deck
            self._left = iter(deck)
            yield self._left

    def taken(self) -> bytes:
        """Return the cards drawn since the last call."""
        start, self._start = self._start, len(self._order) - length_hint(self._left)
        return bytes(self._order[start : self._start])


class RecordedDeck:
    """A deck that returns recorded cards and rejects the first impossible one.

    Raises `ImpossibleDraw` for a card that is invalid, repeated, missing or left over.
    """

    def __init__(self) -> None:
        self._used: set[int] = set()

    @property
    def used(self) -> set[int]:
        """Return a copy of the set of cards drawn since the last shuffle."""
        return set(self._used)

    @used.setter
    def used(self, cards: set[int]) -> None:
        self._used = set(cards)

    def left(self) -> tuple[int, ...]:
        """Return the cards that may be drawn next.

        All seventy may be drawn if no card is left (Ruling I-3).
        """
        out = self._used if len(self._used) < DECK_SIZE else ()
        return tuple(card for card in range(DECK_SIZE) if card not in out)

    def shuffle(self) -> None:
        """Return all seventy cards to the deck."""
        self._used.clear()

    def pile(self, lidia: int, cards: bytes) -> RecordedPile:
        """Return a source of the recorded cards of one fight (0-5)."""
        return RecordedPile(self._give(lidia, cards))

    def _give(self, lidia: int, cards: bytes) -> Iterator[int]:
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


class RecordedPile:
    """A source of the recorded cards of one fight."""

    __slots__ = ("_turned", "draw")

    def __init__(self, given: Iterator[int]) -> None:
        self._turned: list[int] = []
        self.draw = map(self._turn, given).__next__

    def _turn(self, card: int) -> int:
        self._turned.append(card)
        return card

    def taken(self) -> bytes:
        """Return the cards drawn so far."""
        return bytes(self._turned)


def check_used_up(lidia: int, taken: int, cards: bytes) -> None:
    """Raise `ImpossibleDraw` if a fight ended before all its recorded cards were used."""
    if taken < len(cards):
        raise ImpossibleDraw(lidia, taken, "the lidia is over, and the record goes on.")
