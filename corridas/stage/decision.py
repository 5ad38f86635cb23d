"""Finds the card that decided a fight, spared a bull or injured a matador."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from corridas.engine import (
    Card,
    CorridaSetup,
    Deck,
    Ending,
    EngineError,
    ImpossibleDraw,
    InjuryRead,
    MatadorCard,
    RecordedDeck,
    by_card,
    replay_corrida,
)

HUNDRED = 100


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The card after which the result of a fight was certain.

    `card` is its number in the fight, from 1, and `face` the card itself. `pair` are the two cards
    that made the number `drawn`, which became `number` after adding `points`. `pair` is empty if
    the third aviso (time warning) ended the fight.
    """

    card: int
    face: Card
    pair: tuple[Card, ...] = ()
    drawn: int = 0
    points: int = 0
    number: int = 0


class Finished(Protocol):
    """The columns of a finished fight that are needed to find its decisive card."""

    @property
    def ending(self) -> str: ...
    @property
    def score(self) -> int | None: ...
    @property
    def number(self) -> int | None: ...


def decide(
    lidia: Finished, draws: bytes, deck: Deck, card: MatadorCard, *, earlier: bytes = b""
) -> Decision | None:
    """Return the decisive card of a fight, or None if the stored results and cards do not match.

    It is the second card of the final number. It is the first one if every card left in the deck
    would have given the same outcome. It is the last card if the third aviso (time warning) ended
    the fight. `earlier` are the cards of previous fights if the deck was not shuffled between them.
    """
    if lidia.ending == Ending.THREE_AVISOS.value and draws:
        return Decision(card=len(draws), face=deck.cards[draws[-1]])
    if lidia.score is None or lidia.number is None or len(draws) < 2:
        return None
    score = lidia.score
    tens, units = (deck.cards[place] for place in number_places(draws))
    drawn = drawn_number(tens.number, units.number)
    if _clamped(drawn + score) != lidia.number:
        return None
    try:
        left = cards_left(earlier + draws[:-1])
    except ImpossibleDraw:
        return None
    seconds = {deck.cards[place].number for place in left}
    numbers = [_clamped(drawn_number(tens.number, second) + score) for second in seconds]
    by_units = len({card.outcome(number) for number in numbers}) > 1
    return Decision(
        card=len(draws) if by_units else len(draws) - 1,
        face=units if by_units else tens,
        pair=(tens, units),
        drawn=drawn,
        points=score,
        number=lidia.number,
    )


def cards_left(drawn: bytes) -> tuple[int, ...]:
    """Return the cards that may be drawn next; all seventy if none is left.

    Raises `ImpossibleDraw` if a card was drawn twice without a shuffle in between.
    """
    recorded = RecordedDeck()
    pile = recorded.pile(0, drawn)
    for _card in drawn:
        pile.draw()
    return recorded.left()


def indulto(draws: bytes, deck: Deck) -> Decision | None:
    """Return the card that spared a bull. Its number is drawn before the final number."""
    if len(draws) < 4:
        return None
    tens, units = (deck.cards[place] for place in number_places(draws, spared=True))
    number = drawn_number(tens.number, units.number)
    return Decision(
        card=len(draws) - 2, face=units, pair=(tens, units), drawn=number, number=number
    )


def injuries(setup: CorridaSetup, draws: Sequence[bytes]) -> dict[tuple[int, int], int]:
    """Return the number of the card (from 1) that caused each injury.

    The keys are the turn (1-6) and the matador's place in the order of appearance. Empty if the
    cards are unknown or cannot be replayed.
    """
    try:
        record = replay_corrida(setup, range(6), draws)
    except (EngineError, LookupError, ValueError):
        return {}
    return {
        (lidia.turn + 1, event.matador): position + 1
        for lidia in record.lidias
        for position, event in by_card(lidia.events)
        if isinstance(event, InjuryRead) and event.hurt
    }


def number_places(draws: bytes, *, spared: bool = False) -> tuple[int, ...]:
    """Return the two cards of the final number, or with `spared` those that spared the bull.

    Only the two cards of the final number follow those that spared a bull. Empty if the cards are
    unknown.
    """
    end = len(draws) - (2 if spared else 0)
    return tuple(draws[end - 2 : end]) if end >= 2 else ()


def drawn_number(tens: int, units: int) -> int:
    """Return the number from 1 to 100 formed by the numbers of two cards; 0 and 0 give 100."""
    return 10 * tens + units or HUNDRED


def _clamped(number: int) -> int:
    return max(1, min(HUNDRED, number))
