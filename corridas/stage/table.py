"""The cards on the table: their six entries, and which of them were read."""

from __future__ import annotations

from dataclasses import dataclass

from corridas import glossary
from corridas.engine import Card, Deck, Reading
from corridas.stage.beats import BULL, KILL, NUMBER, Beat, Turned
from corridas.stage.phrasebook import Voice

LABELS = (("first", "1s"), ("second", "2s"), ("third", "3s"), (BULL, "BULL"), (KILL, "KILL"))
FLOWER = "FLOR"
"""The label of KILL where the sword is only mimed."""

MINUS = "−"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as printed: its label, its words, its sign or modifier; `read` where it counts."""

    style: str
    label: str
    words: str
    sign: str
    read: bool


@dataclass(frozen=True, slots=True)
class Face:
    """A card lying open. `answer` is the smaller one beside the first; `place` its place (0-69)."""

    place: int
    number: int
    number_read: bool
    lines: tuple[Line, ...]
    answer: bool
    ordinal: int


def faces(deck: Deck, beat: Beat, voice: Voice) -> tuple[Face, ...]:
    """The cards of a beat as they lie: the one drawn for the move first."""
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
    """A reading as this voice calls it."""
    return spoken(glossary.called(name, bloodless=voice.bloodless))


def spoken(name: str) -> str:
    """A reading as one says it: `MEDIA VERÓNICA` as `Media verónica`; BULL stays as it stands."""
    return name if name == "BULL" else name.capitalize()


def signed(number: int) -> str:
    """A number with its sign, nought without one."""
    return f"+{number}" if number > 0 else str(number).replace("-", MINUS)
