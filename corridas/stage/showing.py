"""The part of a corrida that does not change from card to card: cartel, bulls and record."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import NamedTuple

from corridas.engine import CorridaRecord, Deck, LidiaRecord, MatadorCard, Rules
from corridas.world.broadcast import Timeline


@dataclass(frozen=True, kw_only=True)
class Person:
    """A matador of the cartel. `short` is the name he is known by, unlike the others’."""

    pk: int
    slug: str
    name: str
    short: str
    card: MatadorCard


class Ceremony(NamedTuple):
    """An alternativa, as places in the order of appearance: who takes it, gives it, and attests."""

    novillero: int
    padrino: int
    testigo: int


@dataclass(frozen=True, kw_only=True)
class Toro:
    """A bull of the encierro. `weight` is in kilograms."""

    pk: int
    name: str
    number: int
    coat: str
    weight: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Showing:
    """A played corrida that can be shown up to any of its moments.

    `circuit` is the slug of its circuit. `matadors` are in the order of appearance (Ruling I-14),
    `bulls` in their places 0-5 on the cartel. `category` 1-3 divides the score. `ceremony` is the
    alternativa that is taken in it, if there is one.
    """

    circuit: str
    corrida: int
    plaza: str
    date: dt.date
    category: int
    matadors: tuple[Person, ...]
    bulls: tuple[Toro, ...]
    deck: Deck
    rules: Rules
    record: CorridaRecord
    timeline: Timeline
    ceremony: Ceremony | None = None

    def lidia(self, turn: int) -> LidiaRecord:
        return self.record.lidias[turn - 1]

    def bull_of(self, turn: int) -> Toro:
        """Return the bull drawn for a turn, 1-6 (Ruling I-15)."""
        return self.bulls[self.record.sorteo[turn - 1]]

    def announced(self, turn: int) -> Person:
        """Return the matador announced for a turn, 1-6, even if another one fights it."""
        return self.matadors[(turn - 1) % len(self.matadors)]
