"""The entries of the tables, one class per table (the engine has deck and cards)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from corridas.engine import Deck, MatadorCard
from corridas.world.calendar import Entry
from corridas.world.names import display_name

WHOLE_DATE = len("YYYY-MM-DD")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaza:
    """A bullring; `category` 1-3 divides the score (Ruling I-12).

    `seats`, `latitude` and `longitude` (degrees) are None if unknown.
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
    """A historical matador. Dates `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; empty if unknown."""

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
        """The name on posters: the apodo where he has one."""
        return display_name(self.name, self.apodo)

    @property
    def alternativa_date(self) -> dt.date | None:
        """The day of the alternativa, None where the exact day is unknown (Ruling I-14)."""
        whole = len(self.alternativa) == WHOLE_DATE
        return dt.date.fromisoformat(self.alternativa) if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Herd:
    """A ganadería; `encaste` is empty if unknown."""

    slug: str
    name: str
    country: str
    encaste: str
    continent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coat:
    """The coat of a bull: its frequency, its translations, a swatch `#rrggbb`."""

    name: str
    weight: int
    english: str
    spanish: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Kilograms of the bulls of a category of plaza: the legal minimum and the usual span."""

    category: int
    minimum: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of the glossary, its kind and its explanations."""

    term: str
    kind: str
    en: str
    es: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A part of a name; `kind` is `given`, `surname`, `apodo` or `real`.

    A `real` name, of no country, is that of a historical person, which no invented matador may
    have.
    """

    country: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Birthplace:
    """A town of birth; `share` is its weight among all others."""

    country: str
    place: str
    share: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """All tables, checked against each other; `cards` by slug of the matador."""

    deck: Deck
    matadors: tuple[Matador, ...]
    cards: dict[str, MatadorCard]
    plazas: tuple[Plaza, ...]
    ferias: tuple[Entry, ...]
    herds: tuple[Herd, ...]
    bull_names: tuple[str, ...]
    coats: tuple[Coat, ...]
    weights: dict[int, Weights]
    glossary: tuple[Term, ...]
