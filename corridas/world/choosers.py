"""Compares ways to choose the three matadors of a corrida, by the ears that they win.

Seasons are played with the matadors that the market contracts. Before each corrida, other choosers
name three matadors who are free that day, and the corrida is also played with these. Only the
market's corrida changes bookings, form and injuries, so all choosers choose in the same situation.
The results do not count (Ruling F-3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import count
from statistics import fmean, stdev
from typing import Final, NamedTuple

from corridas.engine import BULLS, EARS, MATADORS, LidiaResult, Rules
from corridas.world.afternoons import Afternoons, Mix, SeasonMatador
from corridas.world.calendar import PlannedCorrida
from corridas.world.chances import CATEGORIES, ScoreCounts, chances
from corridas.world.roster import Roster
from fairness import Seed

CORRIDAS: Final = 200
MARKET, RATINGS, CHANCES = CHOOSERS = ("market", "ratings", "chances")
# A matador cannot appear on the other continent within this time before or after a corrida.
OCEAN: Final = timedelta(days=2)


class ChoiceFigure(NamedTuple):
    """The ears per bull of a chooser in plazas of a category, and the standard error."""

    chooser: str
    category: int
    ears: float
    error: float


# Seed of a season by its number.
SeedFactory = Callable[[int], Seed]


def compare_choosers(
    roster: Roster,
    rules: Rules,
    counts: ScoreCounts,
    seeds: SeedFactory,
    *,
    first_year: int,
    corridas: int = CORRIDAS,
) -> list[ChoiceFigure]:
    """Play the first so many corridas of each category with the choice of each chooser."""
    expected = {
        category: {
            slug: chances(card, category, counts).ears for slug, card in roster.cards.items()
        }
        for category in CATEGORIES
    }
    # Ears of each corrida, by chooser and category.
    won: dict[tuple[str, int], list[int]] = {
        (chooser, category): [] for chooser in CHOOSERS for category in CATEGORIES
    }
    for number in count():
        men = [
            SeasonMatador(key, slug, card) for key, (slug, card) in enumerate(roster.cards.items())
        ]
        season = _ComparedSeason(roster, rules, seeds(number), men, expected)
        for played in season.play(first_year + number):
            category = played.plaza.category
            if len(won[MARKET, category]) < corridas:
                won[MARKET, category].append(_ears(played.results))
                for chooser, ears in season.others.items():
                    won[chooser, category].append(ears)
        if all(len(each) == corridas for each in won.values()):
            break
    return [
        ChoiceFigure(chooser, category, fmean(each) / BULLS, stdev(each) / BULLS / len(each) ** 0.5)
        for (chooser, category), each in won.items()
    ]


class _ComparedSeason(Afternoons):
    """A contracted season in which other choosers also play each corrida.

    `others` are their ears in the last corrida, by chooser.
    """

    def __init__(
        self,
        roster: Roster,
        rules: Rules,
        seed: Seed,
        men: Sequence[SeasonMatador],
        expected: Mapping[int, Mapping[str, float]],
    ) -> None:
        super().__init__(roster, rules, seed, Mix.CONTRACTED, men)
        self.expected = expected
        self.others: dict[str, int] = {}

    def before(self, corrida: PlannedCorrida) -> None:
        expected = self.expected[self.plazas[corrida.plaza].category]
        keys: dict[str, Callable[[SeasonMatador], tuple[float, str]]] = {
            RATINGS: lambda man: (-man.card.rating, man.slug),
            CHANCES: lambda man: (-expected[man.slug], man.slug),
        }
        free = self._free(corrida)
        for chooser, key in keys.items():
            cartel = sorted(free, key=key)[:MATADORS]
            _order, results = self.fight(corrida, [man.key for man in cartel])
            self.others[chooser] = _ears(results)

    def _free(self, corrida: PlannedCorrida) -> list[SeasonMatador]:
        """Return the matadors who could appear: not injured, and not elsewhere on that day."""
        day, continent = corrida.date, self.plazas[corrida.plaza].continent
        return [
            self.men[one.key]
            for one in self.market.candidates(day)
            if one.injured_until is None
            and (
                one.last is None
                or (
                    one.last.date < day
                    and (one.last.continent == continent or day - one.last.date > OCEAN)
                )
            )
        ]


def _ears(results: Iterable[LidiaResult]) -> int:
    return sum(EARS[result.trophy or 0] for result in results)
