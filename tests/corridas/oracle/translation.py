"""From plain text to the engine's values and back: the only place where the two readings meet."""

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
    """The engine's deck of the cards as printed."""
    return Deck([engine_card(index, card) for index, card in enumerate(pack)])


def engine_card(index: int, card: CardText) -> Card:
    """One card of it."""
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
    """The engine's matador card."""
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
    """All a corrida is played from."""
    return CorridaSetup(
        rules=Rules.from_options(options),
        deck=engine_deck(pack),
        plaza_rating=plaza_rating,
        matadors=tuple(engine_matador(card) for card in matadors),
    )


def engine_sheets(record: CorridaRecord) -> list[Sheet]:
    """What the engine says of every lidia, in the oracle's words."""
    return [{**result(lidia), **sheet_of(lidia)} for lidia in record.lidias]


def result(lidia: LidiaRecord) -> Sheet:
    """The columns of the stored result."""
    figures: Sheet = {name: getattr(lidia.result, name) for name in FIGURES}
    figures["injured"] = list(lidia.result.injured)
    figures["ending"] = lidia.result.ending.value
    return figures


def sheet_of(lidia: LidiaRecord) -> Sheet:
    """The same figures and more, as the events and the scoresheet folded from them tell."""
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
    """What every card was drawn for, in the oracle's words; `?` where no event says it."""
    said = ["?"] * len(lidia.draws)
    for position, event in by_card(lidia.events):
        if word := purpose(event):
            said[position] = word
    return said


def purpose(event: Event) -> str:
    """What the card of an event was drawn for; empty for a consequence."""
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
