"""State of the ring during a fight, and the effect of a single card.

The modules `tercios`, `kill` and `verdict` implement the chapters of the rulebook and change this
state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corridas.engine.deck import Deck, Kind
from corridas.engine.events import Event, InjuryRead, Substituted
from corridas.engine.matador import MatadorCard
from corridas.engine.rules import Rules
from corridas.engine.script import script_of

HUNDRED = 100
_HERIDA = Kind.HERIDA


class NobodyAbleError(Exception):
    """The last able matador is injured, so the corrida stops at this card (Ruling I-16)."""


class Sand:
    """The state of a corrida and of its current fight.

    `able` are the matadors who can continue, in the order of appearance. `draw` returns the next
    card.
    """

    __slots__ = (
        "able",
        "bull_points",
        "deck",
        "draw",
        "events",
        "injured",
        "matador",
        "matador_points",
        "matadors",
        "next_card_answers",
        "numbers",
        "plaza_rating",
        "rules",
        "script",
    )

    def __init__(
        self, rules: Rules, deck: Deck, plaza_rating: int, matadors: Sequence[MatadorCard]
    ) -> None:
        self.rules = rules
        self.deck = deck
        self.plaza_rating = plaza_rating
        self.matadors = matadors
        self.numbers = deck.numbers
        self.next_card_answers = rules.bull_reading == "next_card"
        self.script = script_of(deck, bull_turns_card=self.next_card_answers)
        self.able = list(range(len(matadors)))

    def let_out(self, starter: int, draw: Callable[[], int]) -> None:
        """Begin the fight with a new bull: reset the scores and events.

        `starter` is the matador who begins, and `draw` the source of cards.
        """
        self.matador = starter
        self.draw = draw
        self.matador_points = 0
        self.bull_points = 0
        self.injured: list[int] = []
        self.events: list[Event] = []

    @property
    def card(self) -> MatadorCard:
        """The printed card of the matador in the ring."""
        return self.matadors[self.matador]

    def answer(self, tercio: int, card: int) -> None:
        """Carry out the bull's reaction to a BULL entry (Ruling I-6)."""
        script = self.script.tercios[tercio - 1]
        if self.next_card_answers:
            card = self.draw()
        self.events.append(script.answers[card])
        reading = self.deck.bulls[card]
        if reading.sign:
            self._score_bull(script.bull_scores[reading.sign], reading.sign)
        elif reading.kind is _HERIDA:
            self.read_injury()

    def _score_bull(self, scores: Sequence[Event], sign: int) -> None:
        """Draw a card, whose number changes the bull's score (Ruling I-5)."""
        card = self.draw()
        self.bull_points += sign * self.numbers[card]
        self.events.append(scores[card])

    def read_injury(self) -> None:
        """Draw a card after HERIDA (wound).

        On a 0 the matador is out of the corrida (Ruling I-7).
        """
        card = self.draw()
        hurt = self.numbers[card] == 0
        self.events.append(InjuryRead(card, self.matador, hurt))
        if hurt:
            self._replace()

    def _replace(self) -> None:
        """Replace the injured matador with the first able one (Ruling I-16).

        Raises `NobodyAbleError` if none is able.
        """
        hurt = self.matador
        self.injured.append(hurt)
        self.able.remove(hurt)
        if not self.able:
            raise NobodyAbleError
        self.matador = self.able[0]
        self.events.append(Substituted(hurt, self.matador))
