"""Convert plain text to the engine's values and back, so that both implementations can be
compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from corridas.engine import (
    AvisoRead,
    BullRead,
    Card,
    CardEntry,
    CorridaRecord,
    CorridaSetup,
    Deck,
    Digit,
    Event,
    InjuryRead,
    Kill,
    LidiaRecord,
    MatadorCard,
    Move,
    Range,
    Rules,
    Scored,
    Stroke,
    TercioEnded,
    by_card,
    fill,
)
from tests.corridas.oracle.paper import CROWD, OWN_RANGES, TROPHIES, CardText, MatadorText
from tests.corridas.oracle.sheet import Sheet

FIGURES = (
    "starter", "finisher", "injured", "matador_points", "bull_points", "kill_points", "avisos",
    "score", "number", "trophy", "vuelta", "crowd",
)  # fmt: skip


def engine_deck(pack: Sequence[CardText]) -> Deck:
    """Return the engine's deck for cards in plain text."""
    return Deck([engine_card(index, card) for index, card in enumerate(pack)])


def engine_card(index: int, card: CardText) -> Card:
    """Return the engine's card for a card in plain text."""
    return Card(
        index,
        card["number"],
        CardEntry.parse(card["first"]),
        CardEntry.parse(card["second"]),
        CardEntry.parse(card["third"]),
        CardEntry.parse(card["bull"]),
        Kill.parse(card["kill"]),
    )


def engine_matador(card: MatadorText) -> MatadorCard:
    """Return the engine's matador card for a card in plain text."""
    printed: dict[str, Any] = dict(card)
    taken = card["alternativa"]
    ranges = {name: Range.parse(printed[name]) for name in TROPHIES + CROWD + OWN_RANGES}
    return MatadorCard(
        name=card["name"],
        key=card.get("key", ""),
        rating=card["rating"],
        alternativa=date.fromisoformat(taken) if taken else None,
        **ranges,
    )


def engine_setup(
    pack: Sequence[CardText],
    matadors: Sequence[MatadorText],
    plaza_rating: int,
    options: Mapping[str, str],
) -> CorridaSetup:
    """Return the engine's setup of a corrida."""
    return CorridaSetup(
        rules=Rules.from_options(options),
        deck=engine_deck(pack),
        plaza_rating=plaza_rating,
        matadors=tuple(engine_matador(card) for card in matadors),
    )


def engine_sheets(record: CorridaRecord) -> list[Sheet]:
    """Return the score sheets of a corrida played by the engine, in the form of the second
    implementation.
    """
    return [{**result(lidia), **sheet_of(lidia)} for lidia in record.lidias]


def result(lidia: LidiaRecord) -> Sheet:
    """Return the figures of a lidia's stored result."""
    figures: Sheet = {name: getattr(lidia.result, name) for name in FIGURES}
    figures["injured"] = list(lidia.result.injured)
    figures["ending"] = lidia.result.ending.value
    return figures


def sheet_of(lidia: LidiaRecord) -> Sheet:
    """Return the figures of a lidia computed from its events and its score sheet."""
    sheet = fill(lidia.events, lidia.result.starter)
    avisos = [event for event in lidia.events if isinstance(event, AvisoRead)]
    return {
        "marks": [tercio.marks for tercio in sheet.tercios],
        "matador_entries": [tercio.matador for tercio in sheet.tercios],
        "bull_entries": [tercio.bull for tercio in sheet.tercios],
        "strokes": sheet.modifiers,
        "warnings": [event.number for event in avisos if event.warned],
        "indulto": sheet.indulto.number if sheet.indulto else None,
        "drawn": sheet.verdict.drawn if sheet.verdict else None,
        "final": sheet.settled.final if sheet.settled else None,
        "purposes": purposes(lidia),
        "tercio_ends": [n for n, e in by_card(lidia.events) if isinstance(e, TercioEnded)],
    }


def purposes(lidia: LidiaRecord) -> list[str]:
    """Return the purpose of each card of a lidia; `?` for a card without an event."""
    said = ["?"] * len(lidia.draws)
    for position, event in by_card(lidia.events):
        if word := purpose(event):
            said[position] = word
    return said


def purpose(event: Event) -> str:
    """Return what the card of an event was drawn for; an empty text if the event draws no card."""
    match event:
        case Move(tercio=tercio):
            return str(tercio)
        case Scored(by=by, tercio=tercio):
            return f"{by.value} {tercio}"
        case BullRead(tercio=tercio, turned=True):
            return f"answer {tercio}"
        case InjuryRead():
            return "wound"
        case Digit(purpose=built, tens=tens):
            return f"{built.value} {'tens' if tens else 'units'}"
        case Stroke():
            return "kill"
        case AvisoRead():
            return "aviso"
        case _:
            return ""
