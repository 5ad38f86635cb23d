"""Check decks and matador cards against Rulings I-1 and I-13 and list their faults."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.corridas.oracle.paper import (
    CROWD,
    DECK_SIZE,
    TROPHIES,
    CardText,
    MatadorText,
    modifier,
    numbers_in,
    sign,
)

SPECIAL = ("BULL", "CLAVAR", "HERIDA")


def deck_faults(deck: list[CardText]) -> list[str]:
    """Return all faults of a deck by Ruling I-1; the list of a legal deck is empty."""
    faults = [] if len(deck) == DECK_SIZE else [f"{len(deck)} cards instead of {DECK_SIZE}"]
    copies = Counter(card["number"] for card in deck)
    faults += [f"{copies[d]} cards of digit {d}" for d in range(10) if copies[d] != 7]
    if sum(bare(card["second"]) == "CLAVAR" for card in deck) < 2:
        faults.append("fewer than two cards read CLAVAR")
    for place, card in enumerate(deck):
        faults += [f"card {place}: {fault}" for fault in card_faults(card)]
    return faults


def bare(reading: str) -> str:
    """Return the text of a card entry without its sign."""
    return reading.rstrip("+-")


def card_faults(card: CardText) -> list[str]:
    """Return the faults of one card: misplaced texts, signs on entries that never score,
    modifiers above 0.
    """
    homes = {"first": ("BULL",), "second": ("BULL", "CLAVAR"), "third": ("BULL",)}
    homes["bull"] = ("HERIDA",)
    printed: dict[str, Any] = dict(card)
    faults = []
    for entry, allowed in homes.items():
        word = bare(printed[entry])
        if word in SPECIAL and word not in allowed:
            faults.append(f"{word} under {entry}")
        if word in ("BULL", "HERIDA") and sign(printed[entry]):
            faults.append(f"{word} cannot score")
    return faults + (["a KILL modifier above 0"] if modifier(card["kill"]) > 0 else [])


def matador_faults(card: MatadorText) -> list[str]:
    """Return the numbers from 1 to 100 that are in no range of a card, or in more than one
    (I-13).
    """
    printed: dict[str, Any] = dict(card)
    covered = Counter(n for name in TROPHIES + CROWD for n in numbers_in(printed[name]))
    return [f"{n} stands {covered[n]} times" for n in range(1, 101) if covered[n] != 1]
