"""The input of a winter: the past year, its matadors and its herds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from corridas.engine import MatadorCard

State = Literal["novillero", "active", "retired"]

# The rules of winters promised from now on; docs/careers.md says what each version does. A winter
# is played, and played again, by the version that it was promised with.
VERSION = 2


class OpenDate(NamedTuple):
    """A corrida of the coming calendar that has no cartel yet; `category` is that of its plaza."""

    date: dt.date
    plaza: str
    category: int
    country: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A matador at the end of the year.

    `age` in years at the end of the year. `promise`: his potential rating, 1-100. `seasons`:
    fought so far in this circuit, the year included; for a novillero, the seasons since his
    debut (1 in the first winter after that of his debut). `retired_for`: years, 1 in the first
    winter after that of his retirement, 0 while active. `card`: the latest. `counts`: his
    corridas, injuries and `engine.COUNTERS` of the season, over all categories of plaza; a
    missing one counts as 0. `hurt_days`: total days of rest this year. `form`: letters of
    `world.form`.
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
        """Return one of the counters, by default 0."""
        return self.counts.get(counter, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HerdYear:
    """A herd and the results of its bulls this year; `renown` 0 is the most famous."""

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

    `taken`: slugs, names and apodos that are in use, besides those of `careers`. `plazas`: slugs of
    the plazas in which an alternativa may be taken: in version 1 those of the first category, then
    those of `calendar`, the coming season's, which version 1 has not. The order of all of them is
    irrelevant.
    """

    year: int
    careers: Collection[Career]
    herds: Collection[HerdYear]
    taken: Collection[str] = ()
    plazas: Collection[str] = ()
    version: int = 1
    calendar: Collection[OpenDate] = ()
