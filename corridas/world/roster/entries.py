"""Data classes for the rows of the roster tables.

The classes for the deck and for matadors' cards are in `corridas.engine`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from corridas.engine import Deck, MatadorCard
from corridas.world.calendar import CalendarEntry
from corridas.world.names import display_name

WHOLE_DATE = len("YYYY-MM-DD")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaza:
    """A plaza (bullring). The score of a fight is divided by its `category`, 1-3 (Ruling I-12).

    `seats`, `latitude` and `longitude` (in degrees) are None if unknown.
    """

    slug: str
    name: str
    city: str
    country: str
    continent: str
    category: int
    seats: int | None
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Matador:
    """A historical matador.

    Dates have the format `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or are empty if unknown. The
    alternativa is the ceremony that made him a matador.
    """

    slug: str
    name: str
    apodo: str
    birthplace: str
    born: str
    died: str
    deathplace: str
    alternativa: str
    alternativa_place: str
    country: str
    style: str

    @property
    def known_as(self) -> str:
        """The name on posters: his apodo (nickname) if he has one, otherwise his name."""
        return display_name(self.name, self.apodo)

    @property
    def alternativa_date(self) -> dt.date | None:
        """The date of his alternativa, or None if the exact day is unknown (Ruling I-14)."""
        whole = len(self.alternativa) == WHOLE_DATE
        return dt.date.fromisoformat(self.alternativa) if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Herd:
    """A herd of fighting bulls. `encaste` is its bloodline, or empty if unknown."""

    slug: str
    name: str
    country: str
    encaste: str
    continent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coat:
    """The colour of a bull's coat: its frequency, its translations, and a CSS colour `#rrggbb`."""

    name: str
    weight: int
    english: str
    spanish: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of bulls in a plaza category, in kilograms: legal minimum and usual range."""

    category: int
    minimum: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryEntry:
    """A term of the glossary with its category and its explanations in English and Spanish."""

    term: str
    kind: str
    en: str
    es: str

    def meaning(self, language: str) -> str:
        return self.es if language.startswith("es") else self.en


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A part of a person's name: `kind` is `given`, `surname`, `apodo` (nickname) or `real`.

    A `real` name is the full name of a historical person and has no country. Fictional matadors
    must not have such a name.
    """

    country: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Birthplace:
    """A town where fictional matadors are born. `share` is its weight among all towns."""

    country: str
    place: str
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """All roster tables, validated against each other. `cards` are by slug of the matador."""

    deck: Deck
    matadors: tuple[Matador, ...]
    cards: dict[str, MatadorCard]
    plazas: tuple[Plaza, ...]
    ferias: tuple[CalendarEntry, ...]
    herds: tuple[Herd, ...]
    bull_names: tuple[str, ...]
    coats: tuple[Coat, ...]
    weights: dict[int, Weights]
    glossary: tuple[GlossaryEntry, ...]
