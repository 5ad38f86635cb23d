"""The input of a winter: the past year, its matadors and its herds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corridas.engine import MatadorCard

State = Literal["novillero", "active", "retired"]

# Version of the rules for new winters; docs/careers.md describes each version. A season commits to
# a version when it is planned, and its winter is always calculated with that version.
VERSION = 3


class OpenDate(NamedTuple):
    """A corrida of the coming season that has no matadors yet. `category` is that of its plaza."""

    date: dt.date
    plaza: str
    category: int
    country: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A matador at the end of the past year.

    `age` is his age in years at the end of the year. `promise` is his potential rating, 1-100.
    `seasons` counts his seasons in this circuit including this one; for a novillero (apprentice) it
    counts the seasons since his debut. `retired_for` is the number of years since he retired, 0 if
    he has not. `card` is his latest card. `counts` are his corridas, injuries and `engine.COUNTERS`
    of the season in all plazas; a missing counter is 0. `hurt_days` is the total of his days of
    rest this year. `form` consists of the letters of `world.form`.
    """

    slug: str
    name: str
    country: str
    age: int
    state: State
    promise: int
    seasons: int
    card: MatadorCard
    retired_for: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    hurt_days: int = 0
    form: str = ""

    def count(self, counter: str) -> int:
        """Return the value of a counter, 0 if it is missing."""
        return self.counts.get(counter, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HerdYear:
    """A herd and the results of its bulls this year. `renown` 0 is the most famous."""

    slug: str
    country: str
    continent: str
    renown: int
    bulls: int = 0
    ears: int = 0
    indultos: int = 0
    vueltas: int = 0
    three_avisos: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """The past year.

    `taken` are slugs, names and nicknames that are in use, in addition to those of `careers`.
    `plazas` are the slugs of plazas for alternativas; only version 1 uses them. `calendar` is the
    coming season's calendar, used since version 2. The order within each collection does not
    matter.
    """

    year: int
    careers: Collection[Career]
    herds: Collection[HerdYear]
    taken: Collection[str] = ()
    plazas: Collection[str] = ()
    version: int = 1
    calendar: Collection[OpenDate] = ()
