"""The cards on the table: their six entries, and which of them were used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.wording import is_bloodless
from corridas import glossary
from corridas.engine import Card, CardEntry, Deck
from corridas.stage.beats import BULL, KILL, NUMBER, Beat, Turned

LABELS = (("first", "1s"), ("second", "2s"), ("third", "3s"), (BULL, "BULL"), (KILL, "KILL"))

MINUS = "−"


@dataclass(frozen=True, slots=True)
class CardLine:
    """A printed entry of a card: label, text, and sign or penalty.

    `read` is true if it was used.
    """

    style: str
    label: str
    words: str
    sign: str
    read: bool


@dataclass(frozen=True, slots=True)
class Face:
    """A card on the table, face up.

    `answer` is true for the smaller card beside the first one. `place` is its place in the deck
    (0-69).
    """

    place: int
    number: int
    number_read: bool
    lines: tuple[CardLine, ...]
    answer: bool
    ordinal: int

    @property
    def read(self) -> list[CardLine]:
        return [line for line in self.lines if line.read]


def faces(deck: Deck, beat: Beat, language: str) -> tuple[Face, ...]:
    first = beat.ordinal + 1
    return tuple(
        _face(deck.cards[turned.place], turned, bool(place), first + place, language)
        for place, turned in enumerate(beat.cards)
    )


def printed(card: Card, language: str) -> Face:
    """Return a card as it is printed, with no entry marked as used."""
    return _face(card, Turned(card.place, []), False, 1, language)


def number_faces(deck: Deck, places: Sequence[int], language: str) -> tuple[Face, ...]:
    """Return cards of which only the numbers were used. `places` are their places in the deck."""
    cards = [Turned(place, [NUMBER]) for place in places]
    return faces(deck, Beat(ordinal=0, matador=0, cards=cards), language)


def _face(card: Card, turned: Turned, answer: bool, ordinal: int, language: str) -> Face:
    read = turned.read
    lines = tuple(_line(card, style, label, style in read, language) for style, label in LABELS)
    return Face(card.place, card.number, NUMBER in read, lines, answer, ordinal)


def _line(card: Card, style: str, label: str, read: bool, language: str) -> CardLine:
    if style == KILL:
        words, modifier = _named(card.kill.name, language), signed(card.kill.modifier)
        return CardLine(style, kill_label(language), words, modifier, read)
    reading: CardEntry = getattr(card, style)
    sign = {1: "+", -1: MINUS, 0: ""}[reading.sign]
    return CardLine(style, label, _named(reading.name, language), sign, read)


def _named(name: str, language: str) -> str:
    return spoken(glossary.called(name, language))


def kill_label(language: str) -> str:
    """Return the label of a card's last entry:

    `KILL`, or `FLOR` in a bloodless language variant.
    """
    return "FLOR" if is_bloodless(language) else "KILL"


def spoken(name: str) -> str:
    """Return an entry in sentence case: `MEDIA VERÓNICA` becomes `Media verónica`.

    BULL is unchanged.
    """
    return name if name == "BULL" else name.capitalize()


def signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", MINUS)
