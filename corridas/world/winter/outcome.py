"""What a winter brings."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from corridas.engine import MatadorCard


class Why(StrEnum):
    """What chiefly made a man retire."""

    AGE = "age"
    INJURIES = "injuries"
    CONTRACTS = "contracts"
    """Too few of them."""
    DECLINE = "decline"
    HEIGHT = "height"
    """He left while he was at the top."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A card printed anew for the coming season; `before` is the rating of the last one."""

    slug: str
    card: MatadorCard
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """Somebody who was active and is so no more."""

    slug: str
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """Somebody who had retired and is active again."""

    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternativa:
    """A novillero who is a matador from now on; the others are slugs of active matadors.

    `plaza` is empty where the year named none.
    """

    slug: str
    padrino: str
    testigo: str
    plaza: str
    date: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Debut:
    """A new novillero, a person of fiction. `born` is a whole date, `apodo` may be empty.

    `age`: in years at the end of the year that is over; `card`: what he would fight with.
    """

    slug: str
    name: str
    apodo: str
    country: str
    birthplace: str
    born: dt.date
    age: int
    promise: int
    style: str
    card: MatadorCard


@dataclass(frozen=True, slots=True, kw_only=True)
class HerdMove:
    """A herd whose place in the renown changes."""

    slug: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A winter, every kind of news by slug; herds by their new place."""

    printed: tuple[Printed, ...] = ()
    retired: tuple[Retired, ...] = ()
    returned: tuple[Returned, ...] = ()
    alternativas: tuple[Alternativa, ...] = ()
    debuts: tuple[Debut, ...] = ()
    herds: tuple[HerdMove, ...] = ()
