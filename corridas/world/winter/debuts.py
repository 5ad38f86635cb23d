"""Creates novilleros (apprentice matadors): a name, a birthplace, a potential and a card."""

from __future__ import annotations

import datetime as dt

from corridas.world.winter.ages import due
from corridas.world.winter.cards import new_card
from corridas.world.winter.form import LOWEST
from corridas.world.winter.lore import Lore, key
from corridas.world.winter.outcome import Debut
from fairness import Chance, Seed

AGES = (17, 17, 18, 18, 18, 19, 19, 20)
# Groups of potential ratings: lowest value, number of values, and frequency of the group.
PROMISES = ((48, 12, 11), (56, 14, 16), (66, 16, 14), (78, 14, 10), (88, 13, 9))
# One novillero in this many has two surnames.
SECOND_SURNAME = 5
SECOND_NAME = 5
# One novillero in this many may have an apodo (nickname).
APODO = 4
TRIES = 200


class NamesError(ValueError):
    """The tables contain no unused name."""


def debut(
    ordinal: int, year: int, taken: set[str], lore: Lore, seed: Seed, *, version: int = 1
) -> Debut:
    """Create the novillero with this number in a winter.

    His names are added to `taken`. Raises `NamesError` if no unused name is left.
    """
    chance = seed.chance(f"winter/debut/{ordinal}")
    place = lore.places[chance.weighted([place.share for place in lore.places])]
    name = _name(place.country, taken, lore, chance)
    apodo = _apodo(place.country, taken, lore, chance)
    age, promise, style = chance.pick(AGES), _promise(chance), chance.pick(lore.styles)
    rating = max(LOWEST, due(promise, age) // 100)
    return Debut(
        slug=key(name),
        name=name,
        apodo=apodo,
        country=place.country,
        birthplace=place.place,
        born=dt.date(year - age, 1, 1) + dt.timedelta(days=chance.below(365)),
        age=age,
        promise=promise,
        style=style,
        card=new_card(lore.masters(style), name, rating, chance, version=version),
    )


def _promise(chance: Chance) -> int:
    low, width, _ = PROMISES[chance.weighted([often for _, _, often in PROMISES])]
    return min(100, low + chance.below(width))


def _name(country: str, taken: set[str], lore: Lore, chance: Chance) -> str:
    for _ in range(TRIES):
        name = _called(country, lore, chance)
        if key(name) not in taken and key(name) not in lore.never:
            taken.add(key(name))
            return name
    raise NamesError(f"no name of {country} is left that nobody bears")


def _called(country: str, lore: Lore, chance: Chance) -> str:
    given, surnames = lore.by_kind[country, "given"], lore.by_kind[country, "surname"]
    parts = [chance.pick(given)]
    if chance.below(SECOND_NAME) == 0:
        parts.append(chance.pick(given))
    parts.append(chance.pick(surnames))
    if chance.below(SECOND_SURNAME) == 0:
        parts.append(chance.pick(surnames))
    return " ".join(dict.fromkeys(parts))


def _apodo(country: str, taken: set[str], lore: Lore, chance: Chance) -> str:
    if chance.below(APODO):
        return ""
    apodo = chance.pick(lore.by_kind.get((country, "apodo"), ("",)))
    if not apodo or key(apodo) in taken or key(apodo) in lore.never:
        return ""
    taken.add(key(apodo))
    return apodo
