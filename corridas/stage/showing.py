"""Data of a corrida that do not change from card to card: matadors, bulls and results."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import NamedTuple

from corridas.engine import CorridaRecord, Deck, LidiaRecord, MatadorCard, Rules
from corridas.world.broadcast import Timeline


@dataclass(frozen=True, kw_only=True)
class ShownMatador:
    """A matador of the corrida. `short` is a short name that is unique in the corrida."""

    pk: int
    slug: str
    name: str
    short: str
    card: MatadorCard


class Ceremony(NamedTuple):
    """A ceremony in which a novillero becomes a matador, as places in the order of appearance.

    The padrino conducts the ceremony, and the testigo is its witness.
    """

    novillero: int
    padrino: int
    testigo: int


@dataclass(frozen=True, kw_only=True)
class Toro:
    """A bull of the corrida. `weight` is in kilograms."""

    pk: int
    name: str
    number: int
    coat: str
    weight: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Showing:
    """A played corrida that can be shown up to any of its moments.

    `circuit` is the slug of its circuit. `matadors` are in the order of appearance (Ruling I-14).
    `bulls` are by their places 0-5. `category` (1-3) is that of the plaza and divides the score.
    `ceremony` is the alternativa that takes place in the corrida, if any. `house` says how full the
    plaza is (a key of `labels.HOUSES`), empty if nobody counted.
    """

    circuit: str
    corrida: int
    plaza: str
    date: dt.date
    category: int
    matadors: tuple[ShownMatador, ...]
    bulls: tuple[Toro, ...]
    deck: Deck
    rules: Rules
    record: CorridaRecord
    timeline: Timeline
    ceremony: Ceremony | None = None
    house: str = ""

    def lidia(self, turn: int) -> LidiaRecord:
        return self.record.lidias[turn - 1]

    def bull_of(self, turn: int) -> Toro:
        """Return the bull that the lot assigned to a turn, 1-6 (Ruling I-15)."""
        return self.bulls[self.record.sorteo[turn - 1]]

    def announced(self, turn: int) -> ShownMatador:
        """Return the matador announced for a turn, 1-6, even if a substitute fights."""
        return self.matadors[(turn - 1) % len(self.matadors)]
