"""Events that depend on the card alone, built once a deck: a lidia only picks them.

Most of a lidia's sixty events are of this kind; building each anew would cost a third of its time.
"""

from __future__ import annotations

from functools import lru_cache

from corridas.engine.deck import DECK_SIZE, Deck
from corridas.engine.events import BullRead, Digit, Move, Purpose, Stroke

TERCIOS = (1, 2, 3)
_MARKS_BUILT = 24
STROKES = 5


class Script:
    """What may happen with a deck. All rows are read by card (0-69).

    `moves[tercio - 1][mark]`, `bulls[tercio - 1]`, `strokes[stroke]`, `digits[purpose]` as a pair
    of rows for tens and units.
    """

    __slots__ = ("_readings", "bulls", "digits", "moves", "strokes")

    def __init__(self, deck: Deck, *, bull_turns_card: bool) -> None:
        cards = range(DECK_SIZE)
        self._readings = [entries.readings for entries in deck.tercios]
        self.moves: list[list[list[Move]]] = [[] for _ in TERCIOS]
        for tercio in TERCIOS:
            for _ in range(_MARKS_BUILT):
                self.lengthen(tercio)
        self.bulls = [
            [BullRead(tercio, card, deck.bulls[card], bull_turns_card) for card in cards]
            for tercio in TERCIOS
        ]
        self.strokes = [
            [Stroke(stroke, card, deck.kills[card]) for card in cards]
            for stroke in range(STROKES + 1)
        ]
        self.digits = {
            purpose: tuple([Digit(purpose, tens, card) for card in cards] for tens in (True, False))
            for purpose in Purpose
        }

    def lengthen(self, tercio: int) -> None:
        """Add one more mark to a tercio; only the second can outlast what is built."""
        rows, readings = self.moves[tercio - 1], self._readings[tercio - 1]
        mark = len(rows)
        rows.append([Move(tercio, mark, card, readings[card]) for card in range(DECK_SIZE)])


@lru_cache(maxsize=16)
def script_of(deck: Deck, *, bull_turns_card: bool) -> Script:
    """The script of a deck, under either reading of BULL (Ruling I-6)."""
    return Script(deck, bull_turns_card=bull_turns_card)
