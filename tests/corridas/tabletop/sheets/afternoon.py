"""Corridas played from a seed, written as a table at a real game would submit them."""

from __future__ import annotations

from typing import Any

from corridas.engine import (
    CorridaRecord,
    CorridaSetup,
    Ending,
    LidiaRecord,
    MatadorCard,
    Rules,
    fill,
    play_corrida,
)
from corridas.tabletop.sheets import Pad
from corridas.world.roster import load_cards, load_deck
from fairness import Seed

DECK = load_deck()
# The cards of the shipped matadors.
PRINTED = tuple(load_cards().values())
USUAL = Rules()


def seed(number: int) -> Seed:
    """Return the seed with this number."""
    return Seed(number.to_bytes(32, "big"))


def played(
    number: int, rules: Rules = USUAL, rating: int = 1, first: int = 0
) -> tuple[CorridaSetup, CorridaRecord]:
    """Return a random corrida and its setup."""
    cards = tuple(PRINTED[(first + 7 * place) % len(PRINTED)] for place in range(3))
    setup = CorridaSetup(rules=rules, deck=DECK, plaza_rating=rating, matadors=cards)
    return setup, play_corrida(setup, seed(number))


def heading(setup: CorridaSetup) -> dict[str, Any]:
    """Return the sheet of a corrida (plaza, date, cartel, bulls) without its lidias."""
    return {
        "plaza": {"name": "Las Ventas", "rating": setup.plaza_rating},
        "date": "2026-05-15",
        "cartel": [card_entry(card) for card in setup.order],
        "bulls": [{"name": f"Toro {turn}", "number": 10 + turn} for turn in range(6)],
        "leads": [0, 1, 0],
        "lidias": [],
    }


def card_entry(card: MatadorCard) -> dict[str, Any]:
    """Return a matador as an entry of the cartel on a sheet."""
    alternativa = card.alternativa.isoformat() if card.alternativa else None
    entry = {
        "name": card.name,
        "rating": card.rating,
        "alternativa": alternativa,
        "ranges": card.ranges(),
    }
    return entry | ({"key": card.key} if card.key else {})


def by_cards(setup: CorridaSetup, record: CorridaRecord) -> dict[str, Any]:
    """Return the sheet of a corrida with all cards in the order drawn."""
    lidias = [{"cards": list(lidia.draws)} for lidia in record.lidias]
    return {**heading(setup), "lidias": lidias}


def by_sheet(setup: CorridaSetup, record: CorridaRecord) -> dict[str, Any]:
    """Return the sheet of a corrida with the figures of its score sheets, without cards."""
    lidias = [{"sheet": figures(lidia)} for lidia in record.lidias]
    return {**heading(setup), "lidias": lidias}


def figures(lidia: LidiaRecord, *, sums: bool = False) -> dict[str, Any]:
    """Return the score sheet of a lidia, with each entry or with sums."""
    filled, result = fill(lidia.events, lidia.result.starter), lidia.result
    broken = result.ending is Ending.BROKEN_OFF
    points: list[list[Any]] = [
        [list(tercio.matador), list(tercio.bull)] for tercio in filled.tercios
    ]
    if sums:
        points = [[sum(side) for side in tercio] for tercio in points]
    return {
        "tercios": points,
        "kill": None if broken else list(filled.modifiers),
        "avisos": result.avisos,
        "indulto": filled.indulto.number if filled.indulto else None,
        "number": filled.verdict.drawn if filled.verdict else None,
        "began": result.starter,
        "injured": list(result.injured),
        "finished": result.finisher,
    }


def pad_of(sheet: dict[str, Any], turn: int, rules: Rules = USUAL) -> Pad:
    """Return the card-entry pad (keyboard of cards) of a lidia."""
    pad = Pad.of(rules, DECK, sheet, turn)
    assert pad is not None
    return pad
