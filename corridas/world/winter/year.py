"""What a winter has to know: the year that is over, its men and its herds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from corridas.engine import MatadorCard

State = Literal["novillero", "active", "retired"]
COUNTERS = (
    *("corridas", "bulls", "ears", "tails", "two_ears", "vueltas"),
    *("indultos", "avisos", "three_avisos", "injuries"),
)
"""What is counted of a matador in a season; a name that is missing counts as 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """A man as the year left him.

    `age` in years at the end of the year; `promise`: the rating he may come to, 1-100;
    `seasons`: fought so far in this circuit, the year included; for a novillero, how many
    seasons have gone by since he came out (1 in the first winter after the one he came out in).
    `retired_for`: years, 1 in the first winter after the one he retired in, 0 while he has not.
    `card`: the latest; `counts`: his season by `COUNTERS`, all categories of plaza together;
    `hurt_days`: days of rest ordered this year; `form`: letters of `world.form`.
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
        """One of the counters, 0 where nothing was counted."""
        return self.counts.get(counter, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HerdYear:
    """A herd and what its bulls of the year brought; `renown` 0 is the most famous."""

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
    """The year that is over.

    `taken`: slugs, names and apodos nobody may be given, those of `careers` are taken anyway;
    `plazas`: slugs of the first-category plazas in which an alternativa may be taken. No order
    of any of them matters.
    """

    year: int
    careers: Collection[Career]
    herds: Collection[HerdYear]
    taken: Collection[str] = ()
    plazas: Collection[str] = ()
