"""Generates a fictional roster from a seed: matadors and herds, with a card for each matador.

Plazas, deck, and the names and coats of bulls come from the bundled tables.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from corridas.world.roster import Herd, Matador, Roster
from corridas.world.winter import Beginning, Lore, draw_beginning
from corridas.world.winter.cards import new_card
from corridas.world.winter.debuts import debut
from corridas.world.winter.lore import key, keys
from fairness import Chance, Seed

# Patterns for the names of herds, by country. Herds in America use the Spanish patterns.
HOUSES: Final = {
    "ES": ("{a} {b}", "Hijos de {a} {b}", "Herederos de {a} {b}", "Hermanos {a}", "Viuda de {a}"),
    "FR": ("{a}", "Frères {a}", "{a} {b}", "Mas de {a}"),
    "PT": ("{a} {b}", "Herdeiros de {a} {b}", "Irmãos {a}", "Casa {a}"),
}
# Youngest age at the alternativa (the ceremony that makes a matador), and number of possible ages.
EARLIEST, WIDTH = 19, 4
TRIES: Final = 200


@dataclass(frozen=True, kw_only=True)
class Invention:
    """A fictional roster, and the initial age and potential of each matador by slug."""

    roster: Roster
    beginnings: dict[str, Beginning]


def invent(shipped: Roster, lore: Lore, seed: Seed, year: int, *, version: int = 1) -> Invention:
    """Generate as many matadors and herds as the bundled tables have, with the same ratings.

    `year` is the first season. `version` is the version of the winter's rules for the cards; `lore`
    must be that of the same version. Versions 1 and 2 give the same roster. The same seed, tables,
    year and version always give the same roster (Ruling F-1). Raises `NamesError` if the tables
    have too few names.
    """
    version = version if version > 2 else 1
    taken = keys([herd.name for herd in shipped.herds])
    ratings = sorted((card.rating for card in shipped.cards.values()), reverse=True)
    made = [
        _Man(number, rating, year, taken, lore, seed, version)
        for number, rating in enumerate(ratings, start=1)
    ]
    rings = [plaza.city for plaza in shipped.plazas if plaza.category == 1]
    herds = [
        _herd(number, herd, taken, lore, seed)
        for number, herd in enumerate(_shuffled(shipped.herds, seed), start=1)
    ]
    roster = replace(
        shipped,
        matadors=tuple(man.matador(rings) for man in made),
        cards={man.slug: man.card for man in made},
        herds=tuple(herds),
    )
    return Invention(roster=roster, beginnings={man.slug: man.beginning for man in made})


class _Man:
    """A fictional matador. Random values are drawn from labels that contain his number."""

    def __init__(
        self,
        number: int,
        rating: int,
        year: int,
        taken: set[str],
        lore: Lore,
        seed: Seed,
        version: int,
    ) -> None:
        self.year = year
        self.person = debut(number, year, taken, lore, seed, version=version)
        self.slug = self.person.slug
        self.chance = seed.chance(f"roster/matador/{number}")
        masters = lore.masters(self.person.style)
        card = new_card(masters, self.person.name, rating, self.chance, version=version)
        self.beginning = draw_beginning(self.slug, rating, seed)
        self.alternativa = self._alternativa()
        self.card = replace(card, alternativa=self.alternativa)

    def _alternativa(self) -> dt.date:
        """Draw the date of his alternativa (the ceremony that made him a matador).

        It is between March and September of a year before the first season, at an age of at least
        `EARLIEST` if his current age allows it.
        """
        age = min(EARLIEST + self.chance.below(WIDTH), self.beginning.age - 1)
        year = self.year - self.beginning.age + age
        return dt.date(year, 3, 1) + dt.timedelta(days=self.chance.below(214))

    def matador(self, rings: Sequence[str]) -> Matador:
        person = self.person
        return Matador(
            slug=self.slug,
            name=person.name,
            apodo=person.apodo,
            birthplace=person.birthplace,
            born=str(self.year - self.beginning.age),
            died="",
            deathplace="",
            alternativa=self.alternativa.isoformat(),
            alternativa_place=self.chance.pick(rings),
            country=person.country,
            style=person.style,
        )


def _shuffled(herds: Sequence[Herd], seed: Seed) -> list[Herd]:
    """Return the real herds in a random order, which becomes the order of renown."""
    return seed.chance("roster/herds").shuffled(herds)


def _herd(number: int, place: Herd, taken: set[str], lore: Lore, seed: Seed) -> Herd:
    """Generate a herd with an unused name in the country of the real herd `place`.

    Its encaste (bloodline) is unknown.
    """
    chance = seed.chance(f"roster/herd/{number}")
    for _ in range(TRIES):
        name = _house(place.country, lore, chance)
        if key(name) not in taken and key(name) not in lore.never:
            taken.add(key(name))
            return replace(place, slug=key(name), name=name, encaste="")
    raise ValueError(f"no house of {place.country} is left that nobody bears")


def _house(country: str, lore: Lore, chance: Chance) -> str:
    surnames = lore.by_kind.get((country, "surname")) or lore.by_kind["ES", "surname"]
    first, second = chance.pick(surnames), chance.pick(surnames)
    called = chance.pick(HOUSES.get(country, HOUSES["ES"])).format(a=first, b=second)
    return " ".join(dict.fromkeys(called.split()))
