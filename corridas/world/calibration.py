"""Seasons played for their figures alone: what the shipped deck and cards come to.

Nothing played here is a result (Ruling F-3). A season is cast in one of two ways: by the real
contracts, or with every matador of the roster as often as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import groupby

from corridas.engine import (
    CorridaSetup,
    Crowd,
    Ending,
    LidiaResult,
    MatadorCard,
    Rules,
    Trophy,
    play_corrida,
)
from corridas.world import form
from corridas.world.calendar import PlannedCorrida, dates
from corridas.world.contracts import Bill, Candidate, Engagement, contract
from corridas.world.injuries import examine
from corridas.world.roster import Plaza, Roster
from fairness import Chance, Seed

EARS = {Trophy.NONE: 0, Trophy.OREJA: 1, Trophy.DOS_OREJAS: 2, Trophy.RABO: 2}
"""Ears a trophy is worth; the tail itself is counted apart (Ruling I-17)."""
MATADORS = 3
YOUNG_BELOW = 55
"""Who is rated below this has not made his name yet, as in a season that is stored."""
SEED_BYTES = 32


class Mix(Enum):
    """How a season is cast."""

    CONTRACTED = "contracted"
    UNIFORM = "uniform"


@dataclass(slots=True)
class Tally:
    """What was counted in the lidias of one category of plaza, or of several added up.

    `warned`: lidias with an aviso or more; `stopped`: by the third; `unable`: in which a matador
    could not go on; `awards`: with a trophy, `big_awards`: with two ears or more.
    """

    lidias: int = 0
    ears: int = 0
    tails: int = 0
    warned: int = 0
    stopped: int = 0
    spared: int = 0
    unable: int = 0
    awards: int = 0
    big_awards: int = 0
    crowd: Counter[Crowd] = field(default_factory=Counter)

    def add(self, result: LidiaResult) -> None:
        """Count one lidia."""
        trophy = result.trophy or Trophy.NONE
        self.lidias += 1
        self.ears += EARS[trophy]
        self.tails += trophy is Trophy.RABO
        self.warned += result.avisos > 0
        self.stopped += result.ending is Ending.THREE_AVISOS
        self.spared += result.ending is Ending.SPARED
        self.unable += bool(result.injured)
        self.awards += trophy is not Trophy.NONE
        self.big_awards += trophy >= Trophy.DOS_OREJAS
        if result.crowd:
            self.crowd[result.crowd] += 1

    def __add__(self, other: Tally) -> Tally:
        counts = {
            name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__
        }
        return Tally(**counts)


@dataclass(slots=True)
class Season:
    """The tallies of a season by category of plaza, and its paseíllos by slug of the matador.

    `left_open` are the dates for which fewer than three matadors were free.
    """

    tallies: dict[int, Tally]
    corridas: Counter[str]
    left_open: int = 0


@dataclass(slots=True)
class _Career:
    """A matador during the season."""

    key: int
    slug: str
    card: MatadorCard
    last: Engagement | None = None
    letters: str = ""
    rests_until: date | None = None
    corridas: int = 0

    def candidate(self) -> Candidate:
        return Candidate(
            key=self.key,
            rating=self.card.rating,
            form=form.value(self.letters),
            youth=self.card.rating < YOUNG_BELOW,
            last=self.last,
            injured_until=self.rests_until,
            appearances=self.corridas,
        )


def play_season(roster: Roster, rules: Rules, year: int, seed: Seed, mix: Mix) -> Season:
    """Play every corrida of a year once; the same arguments give the same season."""
    run = _Run(roster, rules, seed, mix)
    planned = dates(roster.ferias, year)
    for day, corridas in groupby(planned, key=lambda corrida: corrida.date):
        run.play_day(day, list(corridas))
    corridas_by_slug = Counter({career.slug: career.corridas for career in run.careers})
    return Season(run.tallies, corridas_by_slug, run.left_open)


class _Run:
    """A season on its way through the year."""

    def __init__(self, roster: Roster, rules: Rules, seed: Seed, mix: Mix) -> None:
        self.roster, self.rules, self.seed, self.mix = roster, rules, seed, mix
        self.plazas = {plaza.slug: plaza for plaza in roster.plazas}
        self.ferias = {
            (entry.feria, entry.plaza): key for key, entry in enumerate(roster.ferias, start=1)
        }
        self.careers = [
            _Career(key, slug, card) for key, (slug, card) in enumerate(roster.cards.items())
        ]
        self.tallies = {category: Tally() for category in (1, 2, 3)}
        self.left_open = 0

    def play_day(self, day: date, corridas: Sequence[PlannedCorrida]) -> None:
        """Cast and play the corridas of one day."""
        chance = self.seed.chance(f"cartel/{day.isoformat()}")
        for corrida, cartel in self._cast(day, corridas, chance):
            if cartel:
                self._play(corrida, cartel)
            else:
                self.left_open += 1

    def _cast(
        self, day: date, corridas: Sequence[PlannedCorrida], chance: Chance
    ) -> Iterator[tuple[PlannedCorrida, tuple[int, ...]]]:
        if self.mix is Mix.UNIFORM:
            keys = chance.shuffled(range(len(self.careers)))
            for place, corrida in enumerate(corridas):
                yield corrida, tuple(keys[MATADORS * place : MATADORS * (place + 1)])
            return
        bills = [self._bill(key, corrida) for key, corrida in enumerate(corridas)]
        carteles = contract(day, bills, [career.candidate() for career in self.careers], chance)
        for bill in bills:
            yield corridas[bill.key], carteles[bill.key]

    def _bill(self, key: int, corrida: PlannedCorrida) -> Bill:
        plaza = self.plazas[corrida.plaza]
        return Bill(key, plaza.category, plaza.continent, self._feria(corrida))

    def _feria(self, corrida: PlannedCorrida) -> int:
        return self.ferias[corrida.feria, corrida.plaza]

    def _play(self, corrida: PlannedCorrida, cartel: tuple[int, ...]) -> None:
        plaza = self.plazas[corrida.plaza]
        careers = {self.careers[key].card: self.careers[key] for key in cartel}
        setup = CorridaSetup(
            rules=self.rules,
            deck=self.roster.deck,
            plaza_rating=plaza.category,
            matadors=tuple(careers),
        )
        label = f"corrida/{corrida.date.isoformat()}/{corrida.plaza}"
        record = play_corrida(setup, _seed_of(self.seed.chance(label)))
        order = [careers[card] for card in setup.order]
        self._appear(order, corrida, plaza)
        for lidia in record.lidias:
            self._post(lidia.result, order, corrida.date, plaza.category)

    def _appear(self, order: list[_Career], corrida: PlannedCorrida, plaza: Plaza) -> None:
        for career in order:
            career.corridas += 1
            career.last = Engagement(corrida.date, plaza.continent, self._feria(corrida))

    def _post(self, result: LidiaResult, order: list[_Career], day: date, category: int) -> None:
        self.tallies[category].add(result)
        for place in result.injured:
            career = order[place]
            chance = self.seed.chance(f"parte/{day.isoformat()}/{career.slug}")
            career.rests_until = examine(chance).until(day)
        if result.finisher is not None:
            letter = form.outcome(result.ending, result.trophy, result.crowd)
            order[result.finisher].letters = form.push(order[result.finisher].letters, letter)


def _seed_of(chance: Chance) -> Seed:
    return Seed(bytes(chance.below(256) for _ in range(SEED_BYTES)))
