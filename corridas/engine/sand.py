"""The sand during one lidia: who is on it, the totals, and what a single card does.

The chapters of the rulebook (`tercios`, `kill`, `verdict`) move it on.
"""

from __future__ import annotations

from collections.abc import Sequence

from corridas.engine.deck import Deck, Kind, Reading
from corridas.engine.events import (
    BullRead,
    Event,
    InjuryRead,
    Scored,
    Side,
    Substituted,
)
from corridas.engine.matador import MatadorCard
from corridas.engine.pile import Pile
from corridas.engine.rules import Rules

HUNDRED = 100


class NobodyAble(Exception):
    """The last able matador is hurt: the corrida stops at this very card (Ruling I-16)."""


class Sand:
    """One lidia under way. `able` are the matadors who can go on, in order of appearance."""

    __slots__ = (
        "able",
        "bull_points",
        "deck",
        "events",
        "injured",
        "matador",
        "matador_points",
        "matadors",
        "next_card_answers",
        "numbers",
        "pile",
        "rules",
    )

    def __init__(
        self,
        rules: Rules,
        deck: Deck,
        matadors: Sequence[MatadorCard],
        able: list[int],
        starter: int,
        pile: Pile,
    ) -> None:
        self.rules = rules
        self.deck = deck
        self.numbers = deck.numbers
        self.next_card_answers = rules.bull_reading == "next_card"
        self.matadors = matadors
        self.able = able
        self.matador = starter
        self.pile = pile
        self.matador_points = 0
        self.bull_points = 0
        self.injured: list[int] = []
        self.events: list[Event] = []

    @property
    def card(self) -> MatadorCard:
        """The card of the matador now on the sand."""
        return self.matadors[self.matador]

    @property
    def position(self) -> int:
        """The ordinal of the card drawn last."""
        return len(self.pile.drawn) - 1

    def score_matador(self, tercio: int, sign: int) -> None:
        """One more card; its number moves the matador's total (Ruling I-5)."""
        card = self.pile.draw()
        points = sign * self.numbers[card]
        self.matador_points += points
        self.events.append(
            Scored(self.position, Side.MATADOR, tercio, card, points, self.matador_points)
        )

    def score_bull(self, tercio: int, sign: int) -> None:
        """One more card; its number moves the bull's total (Ruling I-5)."""
        card = self.pile.draw()
        points = sign * self.numbers[card]
        self.bull_points += points
        self.events.append(Scored(self.position, Side.BULL, tercio, card, points, self.bull_points))

    def answer(self, tercio: int, card: int) -> None:
        """The bull answers a tercio's BULL (Ruling I-6)."""
        if self.next_card_answers:
            card = self.pile.draw()
        reading = self.deck.bulls[card]
        self.events.append(BullRead(self.position, tercio, card, reading))
        if reading.sign:
            self.score_bull(tercio, reading.sign)
        elif reading.kind is Kind.HERIDA:
            self.read_injury()

    def resolve(self, tercio: int, card: int, reading: Reading) -> None:
        """Do what a tercio's card reads beyond its hash mark."""
        if reading.kind is Kind.BULL:
            self.answer(tercio, card)
        elif reading.sign:
            self.score_matador(tercio, reading.sign)

    def read_injury(self) -> None:
        """One more card: on a 0 the matador is out of the corrida (Ruling I-7)."""
        card = self.pile.draw()
        hurt = self.numbers[card] == 0
        self.events.append(InjuryRead(self.position, card, self.matador, hurt))
        if hurt:
            self._replace()

    def _replace(self) -> None:
        """The first matador still able goes on from the next card (Ruling I-16)."""
        hurt = self.matador
        self.injured.append(hurt)
        self.able.remove(hurt)
        if not self.able:
            raise NobodyAble
        self.matador = self.able[0]
        self.events.append(Substituted(self.position, hurt, self.matador))

    def hundred(self, tens: int, units: int) -> int:
        """The number of two cards, 1 to 100: `00` is 100 (Ruling I-2)."""
        return 10 * self.numbers[tens] + self.numbers[units] or HUNDRED
