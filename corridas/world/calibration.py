"""Simulates seasons to collect statistics about the bundled deck and matador cards.

The simulated results do not count (Ruling F-3).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from corridas.engine import Crowd, LidiaResult, Rules, counts_of
from corridas.world.afternoons import Afternoons, Mix, SeasonMatador
from corridas.world.matador_figures import rank_correlation
from corridas.world.roster import Roster
from fairness import Seed

__all__ = [
    "LidiaStatistics",
    "MatadorSeason",
    "Mix",
    "Season",
    "play_season",
]

ENOUGH_BULLS = 20


@dataclass(slots=True)
class LidiaStatistics:
    """Statistics of the lidias (fights with one bull) in one or several categories of plaza.

    `warned`: lidias with at least one aviso (time warning). `stopped`: lidias stopped by the third
    aviso. `unable`: lidias in which a matador was injured. `awards`: lidias with an ear or more.
    `big_awards`: lidias with two ears or more.
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
        counts = counts_of(result)
        self.lidias += 1
        self.ears += counts["ears"]
        self.tails += counts["tails"]
        self.warned += counts["avisos"] > 0
        self.stopped += counts["three_avisos"]
        self.spared += counts["indultos"]
        self.unable += bool(result.injured)
        self.awards += counts["ears"] > 0
        self.big_awards += counts["two_ears"]
        if result.crowd:
            self.crowd[result.crowd] += 1

    def __add__(self, other: LidiaStatistics) -> LidiaStatistics:
        counts = {
            name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__
        }
        return LidiaStatistics(**counts)


class MatadorSeason(NamedTuple):
    """A matador's rating, bulls and ears in a simulated season."""

    rating: int
    bulls: int
    ears: int


@dataclass(slots=True)
class Season:
    """Statistics of a simulated season.

    `tallies` are by category of plaza, and `corridas` is the number of corridas of each matador by
    slug. `left_open` is the number of dates on which fewer than three matadors were free.
    """

    tallies: dict[int, LidiaStatistics]
    corridas: Counter[str]
    left_open: int = 0
    men: tuple[MatadorSeason, ...] = ()

    def rank_correlation(self) -> float:
        """Return the rank correlation of rating and ears per bull over all plazas.

        Only matadors with `ENOUGH_BULLS` count.
        """
        men = [man for man in self.men if man.bulls >= ENOUGH_BULLS]
        return rank_correlation([man.rating for man in men], [man.ears / man.bulls for man in men])


def play_season(roster: Roster, rules: Rules, year: int, seed: Seed, mix: Mix) -> Season:
    """Simulate every corrida of a year once. The same arguments always give the same season."""
    men = [SeasonMatador(key, slug, card) for key, (slug, card) in enumerate(roster.cards.items())]
    run = Afternoons(roster, rules, seed, mix, men)
    tallies = {category: LidiaStatistics() for category in (1, 2, 3)}
    for afternoon in run.play(year):
        for result in afternoon.results:
            tallies[afternoon.plaza.category].add(result)
    corridas = Counter({man.slug: man.counts["corridas"] for man in men})
    results = tuple(
        MatadorSeason(man.card.rating, man.counts["bulls"], man.counts["ears"]) for man in men
    )
    return Season(tallies, corridas, run.left_open, results)
