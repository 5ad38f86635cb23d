"""The action deck: seventy cards with a number and five entries each (rulebook, The Action
Deck).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from corridas.engine.errors import DeckError

DECK_SIZE = 70
CARDS_A_NUMBER = 7
CLAVARS_TO_END = 2
_KILL = re.compile(r"(.+?) +(0|[-−][0-9]{1,3})")


class Kind(Enum):
    """The special effect of an entry on a card, in addition to its score."""

    PLAIN = "plain"
    BULL = "bull"
    CLAVAR = "clavar"
    HERIDA = "herida"


_SPECIAL = {"BULL": Kind.BULL, "CLAVAR": Kind.CLAVAR, "HERIDA": Kind.HERIDA}


class CardEntry(NamedTuple):
    """One entry of an action card: its text, its sign and its kind.

    The sign is +1 or -1 if the entry scores, otherwise 0.
    """

    name: str
    sign: int
    kind: Kind

    @classmethod
    def parse(cls, text: str) -> CardEntry:
        """Parse an entry such as `VERÓNICA`, `VERÓNICA+`, `DESARME-`, `BULL`, `CLAVAR` or
        `HERIDA`.
        """
        text = text.strip()
        sign = {"+": 1, "-": -1, "−": -1}.get(text[-1:], 0)
        name = (text[:-1] if sign else text).strip()
        if not name:
            raise DeckError(f"The reading “{text}” has no words.")
        return cls(name, sign, _SPECIAL.get(name, Kind.PLAIN))

    def __str__(self) -> str:
        return self.name + {1: "+", -1: "-", 0: ""}[self.sign]


class Kill(NamedTuple):
    """The KILL entry of an action card: the name of the sword stroke and its penalty (0 or
    less).
    """

    name: str
    modifier: int

    @classmethod
    def parse(cls, text: str) -> Kill:
        """Parse an entry such as `ESTOCADA 0` or `MEDIA -6`.

        Raises `DeckError` if the penalty is missing or positive.
        """
        match = _KILL.fullmatch(text.strip())
        if not match:
            raise DeckError(f"KILL “{text}” needs words and a modifier of 0 or less (Ruling I-1).")
        return cls(match[1], int(match[2].replace("−", "-")))

    def __str__(self) -> str:
        return f"{self.name} {self.modifier}"


class Card(NamedTuple):
    """An action card: its place in the deck (0-69), its number (0-9) and its five entries."""

    place: int
    number: int
    first: CardEntry
    second: CardEntry
    third: CardEntry
    bull: CardEntry
    kill: Kill

    def __str__(self) -> str:
        return " | ".join(str(part) for part in self[1:])

    @classmethod
    def parse(cls, place: int, text: str) -> Card:
        """Parse a card such as `4 | VERÓNICA+ | BULL | NATURAL+ | EMBISTE+ | MEDIA -6`."""
        parts = text.split("|")
        if len(parts) != len(cls._fields) - 1 or not parts[0].strip().isdigit():
            raise DeckError(f"Card {place}: “{text}” is no number and five readings (Ruling I-1).")
        number, *readings, kill = parts
        first, second, third, bull = map(CardEntry.parse, readings)
        return cls(place, int(number), first, second, third, bull, Kill.parse(kill))


class Deck:
    """A valid deck of seventy cards (Ruling I-1).

    `tercios` contains, for each of the three acts of a fight, the entries of all cards and their
    effects. Raises `DeckError`, which names the card and what is wrong with it.
    """

    __slots__ = ("bulls", "cards", "kills", "numbers", "tercios")

    def __init__(self, cards: Sequence[Card]) -> None:
        _check(cards)
        self.cards = tuple(cards)
        self.numbers = tuple(card.number for card in cards)
        self.bulls = tuple(card.bull for card in cards)
        self.kills = tuple(card.kill.modifier for card in cards)
        self.tercios = (
            _lay_out([card.first for card in cards]),
            _lay_out([card.second for card in cards]),
            _lay_out([card.third for card in cards]),
        )

    @classmethod
    def parse(cls, text: str) -> Deck:
        """Parse a deck with one card per line, in order."""
        return cls([Card.parse(place, line) for place, line in enumerate(text.splitlines())])

    def __str__(self) -> str:
        return "\n".join(map(str, self.cards))


class Ask(NamedTuple):
    """The effects of a card's entry: a score with its sign, a reaction of the bull, a counted
    CLAVAR.
    """

    sign: int
    bull: bool
    clavar: bool


class Entries(NamedTuple):
    """The entries of all cards for one act of a fight, and their effects (None for no effect)."""

    readings: tuple[CardEntry, ...]
    asks: tuple[Ask | None, ...]


def _lay_out(readings: Sequence[CardEntry]) -> Entries:
    return Entries(tuple(readings), tuple(map(_ask, readings)))


def _ask(reading: CardEntry) -> Ask | None:
    ask = Ask(reading.sign, reading.kind is Kind.BULL, reading.kind is Kind.CLAVAR)
    return ask if any(ask) else None


def _check(cards: Sequence[Card]) -> None:
    if len(cards) != DECK_SIZE:
        raise DeckError(f"A deck has {DECK_SIZE} cards, this one {len(cards)} (Ruling I-1).")
    for place, card in enumerate(cards):
        _check_card(place, card)
    _check_numbers(cards)
    clavars = sum(card.second.kind is Kind.CLAVAR for card in cards)
    if clavars < CLAVARS_TO_END:
        raise DeckError(f"At least two cards read CLAVAR under 2s, here {clavars} (Ruling I-1).")


def _check_numbers(cards: Sequence[Card]) -> None:
    counts = Counter(card.number for card in cards)
    for number in range(10):
        if counts[number] != CARDS_A_NUMBER:
            raise DeckError(
                f"The number {number} is on {counts[number]} cards, not on seven (Ruling I-1)."
            )


def _check_card(place: int, card: Card) -> None:
    if card.place != place:
        raise DeckError(f"Card {card.place} is in place {place} of the deck (Ruling I-1).")
    entries = (("1s", card.first), ("2s", card.second), ("3s", card.third), ("BULL", card.bull))
    for entry, reading in entries:
        _check_reading(place, entry, reading)
    if card.kill.modifier > 0:
        raise DeckError(f"Card {place}, KILL: {card.kill} is above 0 (Ruling I-1).")


_ALLOWED = {
    "1s": (Kind.PLAIN, Kind.BULL),
    "2s": (Kind.PLAIN, Kind.BULL, Kind.CLAVAR),
    "3s": (Kind.PLAIN, Kind.BULL),
    "BULL": (Kind.PLAIN, Kind.HERIDA),
}


def _check_reading(place: int, entry: str, reading: CardEntry) -> None:
    if reading.kind not in _ALLOWED[entry]:
        raise DeckError(f"Card {place}, {entry}: {reading.name} has no place there (Ruling I-1).")
    if reading.sign and reading.kind in (Kind.BULL, Kind.HERIDA):
        raise DeckError(
            f"Card {place}, {entry}: {reading.name} scores nothing: no sign (Ruling I-1)."
        )
