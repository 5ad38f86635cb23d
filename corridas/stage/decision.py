"""The card that decided a lidia, an indulto or an injury, found in the cards that were drawn."""

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
    """The card of a lidia after which nothing could change any more.

    `card` is its ordinal among the cards of the lidia, from 1. With the other card of its pair it
    made `drawn`, and with the points that became `number`. `pair` is empty for a third aviso.
    """

    card: int
    face: Card
    pair: tuple[Card, ...] = ()
    drawn: int = 0
    points: int = 0
    number: int = 0


class Finished(Protocol):
    """A lidia as a row."""

    @property
    def ending(self) -> str: ...
    @property
    def score(self) -> int | None: ...
    @property
    def number(self) -> int | None: ...


def decide(
    lidia: Finished, draws: bytes, deck: Deck, card: MatadorCard, *, earlier: bytes = b""
) -> Decision | None:
    """Return the card after which the result was certain; None where rows and cards disagree.

    It is the second card of the final number, or the first where every card that was left in the
    deck would have brought the same. `earlier` are the cards of the lidias before, where the deck
    is only shuffled when it is used up. A third aviso ends the lidia at once.
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
    """Return the cards that may follow those drawn: all seventy again where none is left.

    Raises `ImpossibleDraw` where a card was drawn twice without a shuffle.
    """
    recorded = RecordedDeck()
    pile = recorded.pile(0, drawn)
    for _card in drawn:
        pile.draw()
    return recorded.left()


def indulto(draws: bytes, deck: Deck) -> Decision | None:
    """Return the card that spared a bull: its number is drawn before the final one."""
    if len(draws) < 4:
        return None
    tens, units = (deck.cards[place] for place in number_places(draws, spared=True))
    number = drawn_number(tens.number, units.number)
    return Decision(
        card=len(draws) - 2, face=units, pair=(tens, units), drawn=number, number=number
    )


def injuries(setup: CorridaSetup, draws: Sequence[bytes]) -> dict[tuple[int, int], int]:
    """Return the card of each injury by turn (1-6) and place in the order of appearance.

    Empty where the cards are not known or do not replay.
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
    """Return the two cards of the final number, or of the one that spared a bull.

    A spared bull is not killed, so that only the final number is drawn after its indulto. Empty
    where the cards are not known.
    """
    end = len(draws) - (2 if spared else 0)
    return tuple(draws[end - 2 : end]) if end >= 2 else ()


def drawn_number(tens: int, units: int) -> int:
    """Return the number from 1 to 100 that the digits of two cards make."""
    return 10 * tens + units or HUNDRED


def _clamped(number: int) -> int:
    return max(1, min(HUNDRED, number))
