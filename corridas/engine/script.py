"""Precomputed events of a deck: those that depend on the drawn card alone.

Most of the sixty events of a fight are of this kind. Creating them again for every fight took a
third of its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count

from corridas.engine.deck import DECK_SIZE, Deck
from corridas.engine.events import BullRead, Digit, Move, Purpose, Scored, Side, Stroke, TercioEnded

FIRST, SECOND, THIRD = TERCIOS = (1, 2, 3)
MARKS = 10
STROKES = 5
_SECOND_BUILT = 24
_CARDS = range(DECK_SIZE)


class TercioScript:
    """The precomputed events of one act (tercio) of a fight.

    `moves()` yields one list of events per move, indexed by card. The first and third acts have ten
    moves (Ruling I-4), the second has no fixed number (Ruling I-8). `answers` are the bull's
    reactions by card. `scores` and `bull_scores` are by sign and card. `ended` is the event at the
    end of the act.
    """

    __slots__ = ("_readings", "_rows", "_tercio", "answers", "bull_scores", "ended", "scores")

    def __init__(self, deck: Deck, tercio: int, answers: list[BullRead]) -> None:
        self._tercio, self._readings = tercio, deck.tercios[tercio - 1].readings
        built = _SECOND_BUILT if tercio == SECOND else MARKS
        self._rows = [self._row(mark) for mark in range(1, built + 1)]
        self.answers = answers
        self.scores = _scores(deck, tercio, Side.MATADOR)
        self.bull_scores = _scores(deck, tercio, Side.BULL)
        self.ended = TercioEnded(tercio)

    def _row(self, mark: int) -> list[Move]:
        return [Move(self._tercio, mark, card, self._readings[card]) for card in _CARDS]

    def moves(self) -> Iterable[list[Move]]:
        """Yield the list of events for each move, indexed by card."""
        return chain(self._rows, self._further()) if self._tercio == SECOND else self._rows

    def _further(self) -> Iterator[list[Move]]:
        return map(self._row, count(_SECOND_BUILT + 1))


class Script:
    """All precomputed events of a deck. Lists of events are indexed by card (0-69).

    Acts are in `tercios[tercio - 1]`, kill cards in `strokes[stroke - 1]`. `indulto` and `final`
    contain a list for the tens and one for the units of a number.
    """

    __slots__ = ("final", "indulto", "strokes", "tercios")

    def __init__(self, deck: Deck, *, bull_turns_card: bool) -> None:
        self.tercios = [
            TercioScript(deck, tercio, _answers(deck, tercio, bull_turns_card))
            for tercio in TERCIOS
        ]
        self.strokes = [
            [Stroke(stroke, card, deck.kills[card]) for card in _CARDS]
            for stroke in range(1, STROKES + 1)
        ]
        self.indulto = _digits(Purpose.INDULTO)
        self.final = _digits(Purpose.FINAL)


def _answers(deck: Deck, tercio: int, turned: bool) -> list[BullRead]:
    return [BullRead(tercio, card, deck.bulls[card], turned) for card in _CARDS]


def _scores(deck: Deck, tercio: int, by: Side) -> dict[int, list[Scored]]:
    return {
        sign: [Scored(by, tercio, card, sign * deck.numbers[card]) for card in _CARDS]
        for sign in (1, -1)
    }


def _digits(purpose: Purpose) -> tuple[list[Digit], list[Digit]]:
    tens = [Digit(purpose, True, card) for card in _CARDS]
    return tens, [Digit(purpose, False, card) for card in _CARDS]


@lru_cache(maxsize=16)
def script_of(deck: Deck, *, bull_turns_card: bool) -> Script:
    """Return the precomputed events of a deck for one of the two rules for BULL (Ruling I-6)."""
    return Script(deck, bull_turns_card=bull_turns_card)
