"""The winter itself: from the year that is over to the men, cards and herds of the next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from corridas.world.winter import godfathers, herds, leaving
from corridas.world.winter.cards import moved
from corridas.world.winter.debuts import debut
from corridas.world.winter.form import next_rating
from corridas.world.winter.lore import Lore, keys, load_lore
from corridas.world.winter.merit import merits
from corridas.world.winter.outcome import (
    Alternativa,
    Debut,
    Outcome,
    Printed,
    Retired,
    Returned,
)
from corridas.world.winter.year import Career, Year
from fairness import Seed

PLACES_A_MAN = 27
"""A circuit feeds a matador for so many places on its carteles a year ..."""
FEWEST = 24
"""... and no fewer than so many in any case."""
IN_TRAINING = 8
"""So many novilleros stand behind the matadors of a full circuit."""
MOST_DEBUTS = 8
FEWEST_NOVILLEROS = 3
"""Where there are fewer, somebody comes out in any case."""


def winter(year: Year, seed: Seed, lore: Lore | None = None) -> Outcome:
    """What happens between the year that is over and the next: the same for the same arguments.

    Every event takes its chance from a label of its own (Ruling F-1), so no order of the input
    matters. `lore`: names, places and masters, the shipped ones by default.
    Raises `NamesError` where no name is left that nobody bears.
    """
    return _Winter(year, seed, lore or load_lore()).outcome()


class _Winter:
    """A winter on its way; men stand by slug."""

    def __init__(self, year: Year, seed: Seed, lore: Lore) -> None:
        self.year, self.seed, self.lore = year, seed, lore
        careers = sorted(year.careers, key=lambda career: career.slug)
        self.active = [career for career in careers if career.state == "active"]
        self.novilleros = [career for career in careers if career.state == "novillero"]
        self.gone = [career for career in careers if career.state == "retired"]

    def outcome(self) -> Outcome:
        """Everything, in the order in which one thing depends on another."""
        retired = self._retired()
        left = {news.slug for news in retired}
        returned = tuple(man for man in self.gone if leaving.comes_back(man, self.seed))
        staying = [man for man in self.active if man.slug not in left]
        alternativas = self._alternativas([*staying, *returned])
        return Outcome(
            printed=self._printed([*staying, *returned], alternativas),
            retired=retired,
            returned=tuple(Returned(slug=man.slug) for man in returned),
            alternativas=alternativas,
            debuts=self._debuts(
                len(staying) + len(returned) + len(self.novilleros),
                len(self.novilleros) - len(alternativas),
            ),
            herds=herds.moves(self.year.herds),
        )

    def _retired(self) -> tuple[Retired, ...]:
        corridas = {man.slug: man.count("corridas") for man in self.active}
        usual = leaving.usual_corridas(corridas)
        found = [(man.slug, leaving.leaves(man, usual, self.seed)) for man in self.active]
        return tuple(Retired(slug=slug, why=why) for slug, why in found if why)

    def _alternativas(self, men: Sequence[Career]) -> tuple[Alternativa, ...]:
        seniors, plazas = godfathers.by_seniority(men), sorted(self.year.plazas)
        ceremonies = [
            godfathers.alternativa(man.slug, self.year.year + 1, seniors, plazas, self.seed)
            for man in self.novilleros
            if godfathers.is_ready(man, self.seed)
        ]
        return tuple(ceremony for ceremony in ceremonies if ceremony)

    def _printed(
        self, men: Sequence[Career], alternativas: Collection[Alternativa]
    ) -> tuple[Printed, ...]:
        """A card for everybody whose rating or day of alternativa is another now."""
        worth = merits(self.active)
        days = {news.slug: news.date for news in alternativas}
        printed = []
        for man in sorted([*men, *self.novilleros], key=lambda man: man.slug):
            rating = next_rating(man, worth.get(man.slug, 0), self.seed)
            card = replace(
                moved(man.card, rating), alternativa=days.get(man.slug, man.card.alternativa)
            )
            if card != man.card:
                printed.append(Printed(slug=man.slug, card=card, before=man.card.rating))
        return tuple(printed)

    def _debuts(self, men: int, novilleros: int) -> tuple[Debut, ...]:
        """As many as a circuit lacks that has so many men and novilleros, one more or fewer."""
        chance = self.seed.chance("winter/debuts")
        lacking = self._wanted() + IN_TRAINING - men + chance.below(3) - 1
        hoped = max(lacking, FEWEST_NOVILLEROS - novilleros)
        taken = keys(self.year.taken) | {
            name for man in self.year.careers for name in keys([man.slug, man.name])
        }
        return tuple(
            debut(ordinal, self.year.year, taken, self.lore, self.seed)
            for ordinal in range(1, min(MOST_DEBUTS, hoped) + 1)
        )

    def _wanted(self) -> int:
        """The matadors whom the circuit feeds; those it has, where nothing was played."""
        places = sum(man.count("corridas") for man in self.year.careers)
        return max(FEWEST, places // PLACES_A_MAN) if places else len(self.active)
