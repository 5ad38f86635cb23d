"""Sheets of single lidias with three matadors, whose figures are easy to add up."""

from __future__ import annotations

from typing import Any

from corridas.engine import Card, Deck, Rules
from corridas.tabletop.sheets import ScoresheetLine, SheetReading, State, judge
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL

RANGES = {
    "bronca": "1-10",
    "pitos": "11-20",
    "silencio": "21-30",
    "division": "31-40",
    "aplausos": "41-50",
    "ovacion": "51-60",
    "oreja": "61-80",
    "dos_orejas": "81-95",
    "rabo": "96-100",
    "vuelta": "55-70",
    "aviso": "-",
    "indulto": "-",
}
NAMES = ("Ana", "Blas", "Carla")

Sheet = dict[str, Any]


def frame(**ranges: str) -> Sheet:
    """Return a sheet without lidias, on which all three matadors have these ranges."""
    cartel = [
        {
            "name": name,
            "rating": 90 - 10 * place,
            "alternativa": None,
            "ranges": {**RANGES, **ranges},
        }
        for place, name in enumerate(NAMES)
    ]
    return {
        "plaza": {"name": "Las Ventas", "rating": 1},
        "date": "2026-05-15",
        "cartel": cartel,
        "bulls": [{"name": f"Toro {turn}", "number": 10 + turn} for turn in range(6)],
        "leads": [0, 1, 2],
        "lidias": [],
    }


def figures(**changed: Any) -> Sheet:
    """Return the sheet of a lidia without points and with the number 50: aplausos, no vuelta."""
    plain = {
        "tercios": [[0, 0], [0, 0], [0, 0]],
        "kill": [0, 0, 0, 0, 0],
        "avisos": 0,
        "indulto": None,
        "number": 50,
        "injured": [],
    }
    return {**plain, **changed}


def tercio(number: int, matador: Any = 0, bull: Any = 0) -> list[list[Any]]:
    """Return the points of three tercios, which are 0 except in this tercio (1-3)."""
    return [[matador, bull] if place == number else [0, 0] for place in (1, 2, 3)]


def read(
    *lidias: Sheet, rules: Rules = USUAL, deck: Deck = DECK, rating: int = 1, **ranges: str
) -> SheetReading:
    """Return the referee's judgement of these lidias, in the order of the bulls."""
    content = {**frame(**ranges), "lidias": list(lidias)}
    content["plaza"]["rating"] = rating
    return judge(rules, deck, content)


def lines(reading: SheetReading, turn: int = 0) -> dict[str, ScoresheetLine]:
    """Return the referee's findings on one lidia, by the end of their path (after `sheet` or
    `score`).
    """
    found = reading.lidias[turn].lines
    return {line.path.partition(f"lidias/{turn}/")[2].partition("/")[2]: line for line in found}


def refused(reading: SheetReading, turn: int = 0) -> dict[str, tuple[State, str]]:
    """Return state and ruling of each finding that prevents a lidia from being filed."""
    found = lines(reading, turn).items()
    return {path: (line.state, line.ruling) for path, line in found if line.refuses}


def deck_of(**entries: dict[int, str]) -> Deck:
    """Return a deck that scores nothing, with two CLAVAR cards and these entries
    (`first={3: "PASE+"}`).

    The number of a card is the last digit of its position.
    """
    entries.setdefault("second", {0: "CLAVAR", 1: "CLAVAR"})
    cards = []
    for place in range(70):
        readings = {"first": "PASE", "second": "PASE", "third": "PASE", "bull": "MIRA"}
        readings["kill"] = "ESTOCADA 0"
        readings |= {entry: texts[place] for entry, texts in entries.items() if place in texts}
        order = ("first", "second", "third", "bull", "kill")
        text = " | ".join([str(place % 10), *(readings[entry] for entry in order)])
        cards.append(Card.parse(place, text))
    return Deck(cards)


def hurting_in(*entries: str) -> Deck:
    """Return a deck with which a matador can be injured in these tercios only, by three cards.

    A fourth card scores for the bull.
    """
    columns = {entry: {3: "PASE+", 32: "BULL"} for entry in ("first", "second", "third")}
    columns["second"] |= {0: "CLAVAR", 1: "CLAVAR"}
    for entry in entries:
        columns[entry] |= dict.fromkeys((2, 12, 22), "BULL")
    return deck_of(**columns, bull=dict.fromkeys((2, 12, 22), "HERIDA") | {32: "EMBISTE+"})
