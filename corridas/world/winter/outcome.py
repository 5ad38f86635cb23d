"""The changes that a winter brings, as plain data."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from corridas.engine import MatadorCard
from corridas.world.winter.year import State


class Why(StrEnum):
    AGE = "age"
    INJURIES = "injuries"
    # He had too few contracts.
    CONTRACTS = "contracts"
    DECLINE = "decline"
    # He retired at the top of his career.
    HEIGHT = "height"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCard:
    """A matador's new card for the next season. `before` is the rating of his last card."""

    slug: str
    card: MatadorCard
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    slug: str
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternativa:
    """A ceremony in which a novillero (apprentice) becomes a matador.

    `padrino` and `testigo` are the slugs of two active matadors who attend it. `plaza` is empty if
    the year has no plazas for it.
    """

    slug: str
    padrino: str
    testigo: str
    plaza: str
    date: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Debut:
    """A new fictional novillero (apprentice matador).

    `born` is his complete date of birth, and `apodo` his nickname or empty. `age` is his age at the
    end of the past year, `promise` his potential rating, and `card` his first card.
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
    slug: str
    before: int
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All changes of a winter by kind. Matadors and herds are named by slug."""

    printed: tuple[PrintedCard, ...] = ()
    retired: tuple[Retired, ...] = ()
    returned: tuple[Returned, ...] = ()
    alternativas: tuple[Alternativa, ...] = ()
    debuts: tuple[Debut, ...] = ()
    herds: tuple[HerdMove, ...] = ()


class Standing(NamedTuple):
    """The stage of a matador's career after a winter.

    `retired_in` is the year of his last season, None if he has not retired.
    """

    state: State
    retired_in: int | None
    seasons: int


def standing_after(
    year: int,
    state: State,
    retired_for: int,
    seasons: int,
    *,
    retires: bool,
    returns: bool,
    alternativa: bool,
) -> Standing:
    """Return the stage of a matador's career after the winter of a year.

    `state`, `retired_for` and `seasons` come from his `Career` before the winter. After the
    alternativa his seasons are counted from 0.
    """
    if retires:
        return Standing("retired", year, seasons)
    if alternativa:
        return Standing("active", None, 0)
    if returns:
        return Standing("active", None, seasons)
    return Standing(state, year - retired_for if state == "retired" else None, seasons)
