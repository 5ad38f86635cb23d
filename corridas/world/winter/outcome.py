"""The outcome of a winter."""

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
    # Too few of them.
    CONTRACTS = "contracts"
    DECLINE = "decline"
    # He retired at the top.
    HEIGHT = "height"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A new card for the coming season; `before` is the rating of the last one."""

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
    """A novillero who becomes a matador; padrino and testigo are slugs of active matadors.

    `plaza` is empty where the year named none.
    """

    slug: str
    padrino: str
    testigo: str
    plaza: str
    date: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Debut:
    """A new novillero, a fictional person. `born` is a complete date, `apodo` may be empty.

    `age`: in years at the end of the past year. `card`: his first card.
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
    """The outcome of a winter by kind, with slugs; herds by their new rank."""

    printed: tuple[Printed, ...] = ()
    retired: tuple[Retired, ...] = ()
    returned: tuple[Returned, ...] = ()
    alternativas: tuple[Alternativa, ...] = ()
    debuts: tuple[Debut, ...] = ()
    herds: tuple[HerdMove, ...] = ()


class Standing(NamedTuple):
    """A matador after a winter.

    `retired_in`: the year of his last season, None while he is active or a novillero.
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
    """Return how a matador stands after the winter of a year; the first values are his `Career`'s.

    His seasons as a novillero do not count after the alternativa.
    """
    if retires:
        return Standing("retired", year, seasons)
    if alternativa:
        return Standing("active", None, 0)
    if returns:
        return Standing("active", None, seasons)
    return Standing(state, year - retired_for if state == "retired" else None, seasons)
