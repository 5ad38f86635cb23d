"""Cards, matadors and rule options as plain text, and functions that read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

DECK_SIZE = 70

# Values of every rule option, its default first (Rulings I-3, I-6, I-11).
RULE_VALUES = {
    "shuffle": ("each_bull", "when_exhausted"),
    "bull_reading": ("same_card", "next_card"),
    "bull_points": ("separate", "against", "for"),
}

TROPHIES = ("oreja", "dos_orejas", "rabo")
CROWD = ("bronca", "pitos", "silencio", "division", "aplausos", "ovacion")
OWN_RANGES = ("vuelta", "aviso", "indulto")


class CardText(TypedDict):
    """One action card as printed: a digit and five texts (Ruling I-1)."""

    number: int
    first: str
    second: str
    third: str
    bull: str
    kill: str


class MatadorText(TypedDict):
    """One matador's card as printed. Every range is text: `81-94`, `7` or `-` (Ruling I-13)."""

    name: str
    key: NotRequired[str]
    rating: int
    alternativa: str | None
    oreja: str
    dos_orejas: str
    rabo: str
    vuelta: str
    bronca: str
    pitos: str
    silencio: str
    division: str
    aplausos: str
    ovacion: str
    aviso: str
    indulto: str


class Contradiction(Exception):
    """The cards of a lidia are impossible.

    Names the lidia and the card (both from 0) and the reason.
    """

    def __init__(self, lidia: int, position: int, why: str) -> None:
        super().__init__(f"lidia {lidia}, card {position}: {why}")
        self.lidia = lidia
        self.position = position
        self.why = why


def column(card: CardText, tercio: int) -> str:
    """Return the text of a card for a tercio, 1 to 3."""
    return {1: card["first"], 2: card["second"], 3: card["third"]}[tercio]


def sign(reading: str) -> str:
    """Return `+` or `-` if a card's text scores, otherwise an empty string (Ruling I-5)."""
    return reading[-1] if reading[-1:] in ("+", "-") else ""


def says_clavar(reading: str) -> bool:
    """Return whether a card's text places banderillas, with or without scoring (Ruling I-8)."""
    return reading.rstrip("+-") == "CLAVAR"


def modifier(kill: str) -> int:
    """Return the modifier at the end of a KILL entry, which is 0 or less."""
    return int(kill.rsplit(maxsplit=1)[-1])


def two_cards(tens: int, units: int) -> int:
    """Return a number from 1 to 100 made of two digits; 00 is 100 (Ruling I-2)."""
    return int(f"{tens}{units}") or 100


def numbers_in(range_text: str) -> list[int]:
    """Return all numbers in a printed range."""
    if range_text == "-":
        return []
    low, _, high = range_text.partition("-")
    return list(range(int(low), int(high or low) + 1))


def with_defaults(options: Mapping[str, str]) -> dict[str, str]:
    """Return a complete set of rule options, with defaults for the missing ones."""
    return {name: options.get(name, values[0]) for name, values in RULE_VALUES.items()}
