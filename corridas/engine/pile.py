"""Sources of cards: a shuffled deck, or the record of an earlier one.

Cards are places in the deck (0-69).
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
    """A source of cards; `draw` turns the next card, `taken` returns those turned since its last
    call.
    """

    draw: Callable[[], int]

    def taken(self) -> bytes:
        """Return the cards of the lidia just played, in order."""


class ShuffledPile:
    """A shuffled deck; when no card is left, all seventy are shuffled again (Ruling I-3).

    Drawn cards are not counted, because the rest of the deck determines them.
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
        """Return the cards turned since the last call; the others stay on the pile."""
        start, self._start = self._start, len(self._order) - length_hint(self._left)
        return bytes(self._order[start : self._start])


class RecordedDeck:
    """The deck of a record: returns its cards and refuses the first impossible one.

    Raises `ImpossibleDraw` for an invalid, repeated, missing or surplus card.
    """

    def __init__(self) -> None:
        self._used: set[int] = set()

    @property
    def used(self) -> set[int]:
        """Return a copy of the cards drawn since the last shuffle."""
        return set(self._used)

    @used.setter
    def used(self, cards: set[int]) -> None:
        self._used = set(cards)

    def left(self) -> tuple[int, ...]:
        """Return the cards that may be drawn next: all seventy where none is left (Ruling I-3)."""
        out = self._used if len(self._used) < DECK_SIZE else ()
        return tuple(card for card in range(DECK_SIZE) if card not in out)

    def shuffle(self) -> None:
        """Return all seventy cards to the deck."""
        self._used.clear()

    def pile(self, lidia: int, cards: bytes) -> RecordedPile:
        """Return the cards of a lidia (0-5) as a pile."""
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
    """The cards of a recorded lidia."""

    __slots__ = ("_turned", "draw")

    def __init__(self, given: Iterator[int]) -> None:
        self._turned: list[int] = []
        self.draw = map(self._turn, given).__next__

    def _turn(self, card: int) -> int:
        self._turned.append(card)
        return card

    def taken(self) -> bytes:
        """Return the cards turned."""
        return bytes(self._turned)


def check_used_up(lidia: int, taken: int, cards: bytes) -> None:
    """Raise `ImpossibleDraw` where a lidia ended before its record does."""
    if taken < len(cards):
        raise ImpossibleDraw(lidia, taken, "the lidia is over, and the record goes on.")
