"""Simulates the corridas of a year in memory, for statistics.

The results are not stored and do not count (Ruling F-3). Matadors are either contracted as in a
real season, or drawn so that each one fights about equally often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
from corridas.world.contracts import Engagement, OpenCorrida, contract
from corridas.world.injuries import examine
from corridas.world.market import CurrentCard, Market
from corridas.world.roster import Plaza, Roster
from fairness import Chance, Seed

SEED_BYTES = 32


class Mix(Enum):
    CONTRACTED = "contracted"
    UNIFORM = "uniform"


@dataclass(slots=True)
class SeasonMatador:
    """A matador in a simulated year.

    `counts` are his counters as in the escalafón, the season's ranking (Ruling I-17). `letters` is
    his form (last ten results) at the start of the year. `hurt_days` is the total number of days he
    was injured.
    """

    key: int
    slug: str
    card: MatadorCard
    letters: str = ""
    hurt_days: int = 0
    counts: Tally = field(default_factory=Tally)


class Injury(NamedTuple):
    matador_id: int
    since: date
    until: date


class SimulatedCorrida(NamedTuple):
    """A simulated corrida: plaza, date, matadors in the order of appearance, and results."""

    corrida: PlannedCorrida
    plaza: Plaza
    order: tuple[SeasonMatador, ...]
    results: tuple[LidiaResult, ...]


class Afternoons:
    """A simulated year in progress.

    `men` are the matadors by key. `left_open` counts the corridas for which no three matadors were
    free. `promised` maps plaza and day to the matadors of an alternativa (the ceremony in which a
    novice becomes a matador), the new matador first.
    """

    def __init__(
        self,
        roster: Roster,
        rules: Rules,
        seed: Seed,
        mix: Mix,
        men: Sequence[SeasonMatador],
        promised: Mapping[tuple[str, date], tuple[int, ...]] | None = None,
    ) -> None:
        self.roster, self.rules, self.seed, self.mix, self.men = roster, rules, seed, mix, men
        self.plazas = {plaza.slug: plaza for plaza in roster.plazas}
        self.ferias = {
            (entry.feria, entry.plaza): key for key, entry in enumerate(roster.ferias, start=1)
        }
        self.market = Market(
            {man.key: CurrentCard(man.key, man.key, man.letters, man.card) for man in men}
        )
        self.promised = dict(promised or {})
        for (plaza, day), keys in self.promised.items():
            self.market.begin(keys[0], day)
            self.market.book(keys, Engagement(day, self.plazas[plaza].continent))
        self.left_open = 0

    def play(self, year: int) -> Iterator[SimulatedCorrida]:
        """Yield every corrida of the year by date. The same arguments always give the same year."""
        planned = dates(self.roster.ferias, year)
        for day, corridas in groupby(planned, key=lambda corrida: corrida.date):
            yield from self._day(day, list(corridas))

    def _day(self, day: date, corridas: Sequence[PlannedCorrida]) -> Iterator[SimulatedCorrida]:
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
        for corrida in corridas:
            self.market.release(self.promised.get((corrida.plaza, day), ()), day)
        bills = [self._bill(key, corrida) for key, corrida in enumerate(corridas)]
        carteles = contract(day, bills, self.market.candidates(day), chance)
        for bill in bills:
            yield corridas[bill.key], carteles[bill.key]

    def _bill(self, key: int, corrida: PlannedCorrida) -> OpenCorrida:
        plaza = self.plazas[corrida.plaza]
        promised = self.promised.get((corrida.plaza, corrida.date), ())
        fixed = tuple(man for man in promised if not self.market.is_resting(man, corrida.date))
        return OpenCorrida(key, plaza.category, plaza.continent, self._feria(corrida), fixed)

    def _feria(self, corrida: PlannedCorrida) -> int:
        return self.ferias[corrida.feria, corrida.plaza]

    def before(self, corrida: PlannedCorrida) -> None:
        """Called before each corrida that is played. Subclasses may look at the market."""

    def fight(
        self, corrida: PlannedCorrida, cartel: Sequence[int]
    ) -> tuple[tuple[SeasonMatador, ...], tuple[LidiaResult, ...]]:
        """Play a corrida with these matadors without any effect on the season.

        Returns them in the order of appearance, and the results. The seed is that of the corrida,
        whatever the matadors.
        """
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
        return order, tuple(lidia.result for lidia in record.lidias)

    def _play(self, corrida: PlannedCorrida, cartel: tuple[int, ...]) -> SimulatedCorrida:
        plaza = self.plazas[corrida.plaza]
        self.before(corrida)
        order, results = self.fight(corrida, cartel)
        self._post(corrida, plaza, order, results)
        return SimulatedCorrida(corrida, plaza, order, results)

    def _post(
        self,
        corrida: PlannedCorrida,
        plaza: Plaza,
        order: Sequence[SeasonMatador],
        results: Sequence[LidiaResult],
    ) -> None:
        day, keys = corrida.date, [man.key for man in order]
        self.market.book(keys, Engagement(day, plaza.continent, self._feria(corrida)))
        for man in order:
            man.counts["corridas"] += 1
        letters: dict[int, str] = defaultdict(str)
        injuries: list[Injury] = []
        for result in results:
            injuries += [self._hurt(order[place], day) for place in result.injured]
            if result.finisher is not None:
                man = order[result.finisher]
                man.counts.add(result)
                letters[man.key] += form.outcome(result.ending, result.trophy, result.crowd)
        self.market.apply_injuries(injuries, letters)

    def _hurt(self, man: SeasonMatador, day: date) -> Injury:
        wound = examine(self.seed.chance(f"parte/{day.isoformat()}/{man.slug}"))
        man.counts["injuries"] += 1
        man.hurt_days += wound.days
        return Injury(man.key, day, wound.last_day(day))


def _seed_of(chance: Chance) -> Seed:
    return Seed(bytes(chance.below(256) for _ in range(SEED_BYTES)))
