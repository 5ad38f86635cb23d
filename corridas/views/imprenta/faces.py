"""The cards as they are printed: nine a sheet, faces and backs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from corridas.engine import Card, Deck, Kind, Reading
from corridas.models import MatadorCard
from corridas.stage.table import LABELS, MINUS, signed
from corridas.views import pictures
from corridas.views.matador import bars

A_SHEET: Final = 9
"""Cards of 63 by 88 mm on a sheet of A4."""
ICONS: Final = {Kind.BULL: "head", Kind.CLAVAR: "clavar", Kind.HERIDA: "herida"}

T = TypeVar("T")


def sheets(cards: Sequence[T]) -> list[Sequence[T]]:
    """The cards sheet by sheet."""
    return [cards[first : first + A_SHEET] for first in range(0, len(cards), A_SHEET)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of a card: its label, its words, its sign or modifier, the icon of its kind."""

    style: str
    label: str
    words: str
    sign: str
    icon: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFace:
    """An action card; `place` (0-69) is printed small, for who writes down what was drawn."""

    place: int
    number: int
    entries: tuple[Entry, ...]


def action_faces(deck: Deck) -> list[ActionFace]:
    """The seventy cards in their order."""
    return [
        ActionFace(
            place=card.place,
            number=card.number,
            entries=tuple(_entry(card, style, label) for style, label in LABELS),
        )
        for card in deck.cards
    ]


def _entry(card: Card, style: str, label: str) -> Entry:
    if style == "kill":
        sign = signed(card.kill.modifier)
        return Entry(style=style, label=label, words=card.kill.name, sign=sign, icon="")
    reading: Reading = getattr(card, style)
    sign = {1: "+", -1: MINUS, 0: ""}[reading.sign]
    icon = ICONS.get(reading.kind, "")
    return Entry(style=style, label=label, words=reading.name, sign=sign, icon=icon)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatadorFace:
    """A matador's card with what is drawn of it: his suit, the bar of a hundred numbers."""

    card: MatadorCard
    suit: int
    bust: str
    bars: dict[str, Any]
    trophies: tuple[pictures.Band | None, ...]
    crowd: tuple[pictures.Band | None, ...]


TROPHIES: Final = (("oreja", "oreja"), ("dos", "dos_orejas"), ("rabo", "rabo"))
CROWD: Final = ("ovacion", "aplausos", "division", "silencio", "pitos", "bronca")


def matador_face(card: MatadorCard) -> MatadorFace:
    """The face of one card."""
    return MatadorFace(
        card=card,
        suit=pictures.suit(card.matador_id),
        bust="bust-b" if card.matador_id % 3 == 0 else "bust-a",
        bars=bars(card),
        trophies=tuple(pictures.band(name, getattr(card, field)) for name, field in TROPHIES),
        crowd=tuple(pictures.band(name, getattr(card, name)) for name in CROWD),
    )
