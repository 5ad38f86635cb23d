"""The cards on the table: their six entries, and which of them were read."""

from __future__ import annotations

from dataclasses import dataclass

from corridas import glossary
from corridas.engine import Card, Deck, Reading
from corridas.stage.beats import BULL, KILL, NUMBER, Beat, Turned
from corridas.stage.phrasebook import Voice

LABELS = (("first", "1s"), ("second", "2s"), ("third", "3s"), (BULL, "BULL"), (KILL, "KILL"))
# The label of KILL in bloodless wording, where the sword is only mimed
FLOWER = "FLOR"

MINUS = "−"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as printed: label, words, and sign or modifier. `read` is set if it counts."""

    style: str
    label: str
    words: str
    sign: str
    read: bool


@dataclass(frozen=True, slots=True)
class Face:
    """An open card.

    `answer` marks the smaller one beside the first, `place` is its place (0-69).
    """

    place: int
    number: int
    number_read: bool
    lines: tuple[Line, ...]
    answer: bool
    ordinal: int


def faces(deck: Deck, beat: Beat, voice: Voice) -> tuple[Face, ...]:
    first = beat.ordinal + 1
    return tuple(
        _face(deck.cards[turned.place], turned, bool(place), first + place, voice)
        for place, turned in enumerate(beat.cards)
    )


def _face(card: Card, turned: Turned, answer: bool, ordinal: int, voice: Voice) -> Face:
    read = turned.read
    lines = tuple(_line(card, style, label, style in read, voice) for style, label in LABELS)
    return Face(card.place, card.number, NUMBER in read, lines, answer, ordinal)


def _line(card: Card, style: str, label: str, read: bool, voice: Voice) -> Line:
    if style == KILL:
        shown = FLOWER if voice.bloodless else label
        return Line(style, shown, _named(card.kill.name, voice), signed(card.kill.modifier), read)
    reading: Reading = getattr(card, style)
    sign = {1: "+", -1: MINUS, 0: ""}[reading.sign]
    return Line(style, label, _named(reading.name, voice), sign, read)


def _named(name: str, voice: Voice) -> str:
    return spoken(glossary.called(name, bloodless=voice.bloodless))


def spoken(name: str) -> str:
    """Return a reading in sentence case: `MEDIA VERÓNICA` as `Media verónica`.

    BULL is unchanged.
    """
    return name if name == "BULL" else name.capitalize()


def signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", MINUS)
