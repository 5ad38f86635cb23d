"""Corridas as a table would have written them down: played by a seed, put into a sheet."""

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
PRINTED = tuple(load_cards().values())
"""The shipped deck and the cards of the legends."""
USUAL = Rules()


def seed(number: int) -> Seed:
    """A seed of this number."""
    return Seed(number.to_bytes(32, "big"))


def played(
    number: int, rules: Rules = USUAL, rating: int = 1, first: int = 0
) -> tuple[CorridaSetup, CorridaRecord]:
    """A corrida by chance."""
    cards = tuple(PRINTED[(first + 7 * place) % len(PRINTED)] for place in range(3))
    setup = CorridaSetup(rules=rules, deck=DECK, plaza_rating=rating, matadors=cards)
    return setup, play_corrida(setup, seed(number))


def heading(setup: CorridaSetup) -> dict[str, Any]:
    """A sheet without its lidias."""
    return {
        "plaza": {"name": "Las Ventas", "rating": setup.plaza_rating},
        "date": "2026-05-15",
        "cartel": [card_entry(card) for card in setup.order],
        "bulls": [{"name": f"Toro {turn}", "number": 10 + turn} for turn in range(6)],
        "leads": [0, 1, 0],
        "lidias": [],
    }


def card_entry(card: MatadorCard) -> dict[str, Any]:
    """A matador of the cartel."""
    alternativa = card.alternativa.isoformat() if card.alternativa else None
    entry = {
        "name": card.name,
        "rating": card.rating,
        "alternativa": alternativa,
        "ranges": card.ranges(),
    }
    return entry | ({"key": card.key} if card.key else {})


def by_cards(setup: CorridaSetup, record: CorridaRecord) -> dict[str, Any]:
    """The sheet of a corrida, every card written down."""
    lidias = [{"cards": list(lidia.draws)} for lidia in record.lidias]
    return {**heading(setup), "lidias": lidias}


def by_sheet(setup: CorridaSetup, record: CorridaRecord) -> dict[str, Any]:
    """The sheet of a corrida, figures only."""
    lidias = [{"sheet": figures(lidia)} for lidia in record.lidias]
    return {**heading(setup), "lidias": lidias}


def figures(lidia: LidiaRecord, *, sums: bool = False) -> dict[str, Any]:
    """What a table writes on the scoresheet, entry by entry or in sums."""
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
    """The pad of a lidia, where there is one."""
    pad = Pad.of(rules, DECK, sheet, turn)
    assert pad is not None
    return pad
