"""Simulates the corridas of a year for statistics, without rows.

Nothing played here is a result (Ruling F-3). A year is cast in one of two ways: by the real
contracts, or with every matador as often as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from corridas.engine import (
    MATADORS,
    CorridaSetup,
    LidiaResult,
    MatadorCard,
    Rules,
    Tally,
    play_corrida,
)
from corridas.world import form
from corridas.world.calendar import PlannedCorrida, dates
from corridas.world.contracts import Bill, Candidate, Engagement, candidate, contract
from corridas.world.injuries import examine
from corridas.world.roster import Plaza, Roster
from fairness import Chance, Seed

SEED_BYTES = 32


class Mix(Enum):
    CONTRACTED = "contracted"
    UNIFORM = "uniform"


@dataclass(slots=True)
class Man:
    """A matador during the year; `counts` are those of the escalafón (Ruling I-17).

    `letters`: his form. `rests_until`: his last day of rest. `hurt_days`: total days of rest.
    """

    key: int
    slug: str
    card: MatadorCard
    letters: str = ""
    last: Engagement | None = None
    rests_until: date | None = None
    hurt_days: int = 0
    counts: Tally = field(default_factory=Tally)

    def candidate(self) -> Candidate:
        return candidate(
            self.key,
            self.card.rating,
            self.letters,
            last=self.last,
            injured_until=self.rests_until,
            appearances=self.counts["corridas"],
        )

    def hear(self, result: LidiaResult) -> None:
        self.counts.add(result)
        letter = form.outcome(result.ending, result.trophy, result.crowd)
        self.letters = form.push(self.letters, letter)

    def rest(self, day: date, chance: Chance) -> None:
        wound = examine(chance)
        self.counts["injuries"] += 1
        self.hurt_days += wound.days
        self.rests_until = wound.until(day)


class Afternoon(NamedTuple):
    """A played corrida: place, date, matadors in the order of appearance, lidias."""

    corrida: PlannedCorrida
    plaza: Plaza
    order: tuple[Man, ...]
    results: tuple[LidiaResult, ...]


class Afternoons:
    """A year in progress; `men` are by key, `left_open` counts dates without a cartel."""

    def __init__(
        self, roster: Roster, rules: Rules, seed: Seed, mix: Mix, men: Sequence[Man]
    ) -> None:
        self.roster, self.rules, self.seed, self.mix, self.men = roster, rules, seed, mix, men
        self.plazas = {plaza.slug: plaza for plaza in roster.plazas}
        self.ferias = {
            (entry.feria, entry.plaza): key for key, entry in enumerate(roster.ferias, start=1)
        }
        self.left_open = 0

    def play(self, year: int) -> Iterator[Afternoon]:
        """Yield every corrida of the year by date; the same arguments give the same year."""
        planned = dates(self.roster.ferias, year)
        for day, corridas in groupby(planned, key=lambda corrida: corrida.date):
            yield from self._day(day, list(corridas))

    def _day(self, day: date, corridas: Sequence[PlannedCorrida]) -> Iterator[Afternoon]:
        chance = self.seed.chance(f"cartel/{day.isoformat()}")
        for corrida, cartel in self._cast(day, corridas, chance):
            if cartel:
                yield self._play(corrida, cartel)
            else:
                self.left_open += 1

    def _cast(
        self, day: date, corridas: Sequence[PlannedCorrida], chance: Chance
    ) -> Iterator[tuple[PlannedCorrida, tuple[int, ...]]]:
        if self.mix is Mix.UNIFORM:
            keys = chance.shuffled(range(len(self.men)))
            for place, corrida in enumerate(corridas):
                yield corrida, tuple(keys[MATADORS * place : MATADORS * (place + 1)])
            return
        bills = [self._bill(key, corrida) for key, corrida in enumerate(corridas)]
        carteles = contract(day, bills, [man.candidate() for man in self.men], chance)
        for bill in bills:
            yield corridas[bill.key], carteles[bill.key]

    def _bill(self, key: int, corrida: PlannedCorrida) -> Bill:
        plaza = self.plazas[corrida.plaza]
        return Bill(key, plaza.category, plaza.continent, self._feria(corrida))

    def _feria(self, corrida: PlannedCorrida) -> int:
        return self.ferias[corrida.feria, corrida.plaza]

    def _play(self, corrida: PlannedCorrida, cartel: tuple[int, ...]) -> Afternoon:
        plaza = self.plazas[corrida.plaza]
        men = {self.men[key].card: self.men[key] for key in cartel}
        setup = CorridaSetup(
            rules=self.rules,
            deck=self.roster.deck,
            plaza_rating=plaza.category,
            matadors=tuple(men),
        )
        label = f"corrida/{corrida.date.isoformat()}/{corrida.plaza}"
        record = play_corrida(setup, _seed_of(self.seed.chance(label)))
        order = tuple(men[card] for card in setup.order)
        self._appear(order, corrida, plaza)
        results = tuple(lidia.result for lidia in record.lidias)
        for result in results:
            self._post(result, order, corrida.date)
        return Afternoon(corrida, plaza, order, results)

    def _appear(self, order: Sequence[Man], corrida: PlannedCorrida, plaza: Plaza) -> None:
        for man in order:
            man.counts["corridas"] += 1
            man.last = Engagement(corrida.date, plaza.continent, self._feria(corrida))

    def _post(self, result: LidiaResult, order: Sequence[Man], day: date) -> None:
        for place in result.injured:
            man = order[place]
            man.rest(day, self.seed.chance(f"parte/{day.isoformat()}/{man.slug}"))
        if result.finisher is not None:
            order[result.finisher].hear(result)


def _seed_of(chance: Chance) -> Seed:
    return Seed(bytes(chance.below(256) for _ in range(SEED_BYTES)))
