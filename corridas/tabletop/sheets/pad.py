"""The pad, on which players enter the cards of a lidia at a real table one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from api.types import JSON
from corridas.engine import (
    AvisoRead,
    BullRead,
    Deck,
    Digit,
    Event,
    InjuryRead,
    LidiaResult,
    Move,
    Purpose,
    Rules,
    Scored,
    Scoresheet,
    Side,
    Stroke,
    by_card,
    fill,
)
from corridas.tabletop.sheets.course import course_before
from corridas.tabletop.sheets.shape import cards_of, lidia_of


class Use(StrEnum):
    MARK = "mark"
    SCORE = "score"
    BULL_SCORE = "bull_score"
    ANSWER = "answer"
    INJURY = "injury"
    INDULTO = "indulto"
    STROKE = "stroke"
    AVISO = "aviso"
    FINAL = "final"


class Awaits(NamedTuple):
    """What the next card of a lidia is used for.

    `tercio` is 1-3; it stays 3 for the indulto, the kill and the final number. `mark` is the number
    of the hash mark or of the kill card (1-5), 0 for neither. `tens` is true for the first card of
    a number. `entry` is the entry to read: `number`, `first`, `second`, `third`, `bull` or `kill`.
    """

    use: Use
    tercio: int
    mark: int
    tens: bool
    entry: str


class Offer(NamedTuple):
    """A card that may be drawn next.

    `reading` is the text of the entry on the card that will count.
    """

    card: int
    number: int
    reading: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A lidia with the cards entered so far. Removing the last card undoes an entry.

    `turn` is 0-5. `last` are the events of the last card and `events` all events so far, from which
    `scoresheet` is calculated. `starter` and `on_the_sand` (the matador in the ring) are places of
    appearance. `awaits` is None if the lidia is over (see `result`) or if a card is impossible
    (`refused` is its position). `number` is the final number as drawn.
    """

    turn: int
    cards: tuple[int, ...]
    starter: int
    events: tuple[Event, ...]
    last: tuple[Event, ...]
    scoresheet: Scoresheet
    awaits: Awaits | None
    offers: tuple[Offer, ...]
    result: LidiaResult | None
    refused: int | None
    surplus: int

    @classmethod
    def of(cls, rules: Rules, deck: Deck, sheet: JSON, turn: int) -> Pad | None:
        """Return the pad for one lidia of a sheet that is being entered.

        Return None if plaza or cartel is invalid, if the corrida was suspended before, or if one
        deck is used for all lidias and cards of an earlier lidia are missing.
        """
        course = course_before(rules, deck, sheet, turn)
        if course is None or course.open.starter(turn) is None or not course.deck_known:
            return None
        cards = cards_of(lidia_of(sheet, turn)) or ()
        begun = course.open.look(turn, [card if card is not None else 255 for card in cards])
        used = len(begun.record.draws) if begun.record else len(cards)
        awaits = _awaits(begun.awaited)
        return cls(
            turn=turn,
            cards=tuple(-1 if card is None else card for card in cards),
            starter=begun.starter,
            events=begun.events,
            last=_last(begun.events),
            scoresheet=fill(begun.events, begun.starter),
            awaits=awaits,
            offers=_offers(deck, begun.left, awaits) if awaits else (),
            result=begun.record.result if begun.record else None,
            refused=begun.refused,
            surplus=len(cards) - used,
        )

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def on_the_sand(self) -> int:
        return self.scoresheet.matador

    @property
    def left(self) -> tuple[int, ...]:
        return tuple(offer.card for offer in self.offers)

    def with_number(self, number: int) -> tuple[Offer, ...]:
        return tuple(offer for offer in self.offers if offer.number == number)

    @property
    def number(self) -> int | None:
        """Return the final number as drawn, before the score is added, or None if it has not
        been drawn.
        """
        verdict = self.scoresheet.verdict
        return verdict.drawn if verdict else None


def _last(events: Sequence[Event]) -> tuple[Event, ...]:
    by_position = list(by_card(events))
    if not by_position:
        return ()
    last = by_position[-1][0]
    return tuple(event for position, event in by_position if position == last)


ENTRY = ("number", "first", "second", "third", "bull", "kill")


def _awaits(event: Event | None) -> Awaits | None:
    match event:
        case Move(tercio=tercio, mark=mark):
            return Awaits(Use.MARK, tercio, mark, False, ENTRY[tercio])
        case Scored(by=by, tercio=tercio):
            use = Use.SCORE if by is Side.MATADOR else Use.BULL_SCORE
            return Awaits(use, tercio, 0, False, "number")
        case BullRead(tercio=tercio):
            return Awaits(Use.ANSWER, tercio, 0, False, "bull")
        case InjuryRead():
            return Awaits(Use.INJURY, 0, 0, False, "number")
        case Digit(purpose=purpose, tens=tens):
            use = Use.INDULTO if purpose is Purpose.INDULTO else Use.FINAL
            return Awaits(use, 3, 0, tens, "number")
        case Stroke(stroke=stroke):
            return Awaits(Use.STROKE, 3, stroke, False, "kill")
        case AvisoRead():
            return Awaits(Use.AVISO, 3, 0, False, "number")
        case _:
            return None


def _offers(deck: Deck, left: Sequence[int], awaits: Awaits) -> tuple[Offer, ...]:
    offers = []
    for card in (deck.cards[place] for place in left):
        readings = tuple(str(getattr(card, name)) for name in ENTRY[1:])
        reading = str(getattr(card, awaits.entry))
        offers.append(Offer(card.place, card.number, reading, readings))
    return tuple(offers)
