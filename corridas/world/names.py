"""Names of matadors and plazas as they stand on posters."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from core.names.text import comparison_key


def display_name(name: str, apodo: str, distinction: str = "") -> str:
    """Return the name on posters, followed by what tells its bearer from others of that name."""
    called = apodo or name
    return f"{called} ({distinction})" if distinction else called


class Bearer(NamedTuple):
    """A matador by what can tell him from a namesake; `born` begins with a year or is empty."""

    slug: str
    name: str
    apodo: str
    birthplace: str
    born: str
    alternativa: dt.date | None


def distinctions(men: Iterable[Bearer]) -> dict[str, str]:
    """Return what tells namesakes of a circuit apart, by slug: `Ronda, 1980`.

    That is place and year of birth, the year of the alternativa or the slug: the first of these
    that none of the others has. Matadors without a namesake are left out.
    """
    namesakes: dict[str, list[Bearer]] = defaultdict(list)
    for man in men:
        namesakes[comparison_key(display_name(man.name, man.apodo))].append(man)
    found: dict[str, str] = {}
    for same in namesakes.values():
        if len(same) < 2:
            continue
        for told in (_origin, _beginning, _slug):
            counts = Counter(map(told, same))
            for man in same:
                if told(man) and counts[told(man)] == 1:
                    found.setdefault(man.slug, told(man))
    return found


def _origin(man: Bearer) -> str:
    return ", ".join(filter(None, (man.birthplace, man.born[:4])))


def _beginning(man: Bearer) -> str:
    return f"alternativa {man.alternativa.year}" if man.alternativa else ""


def _slug(man: Bearer) -> str:
    return man.slug


def plaza_title(city: str, name: str) -> tuple[str, str]:
    """Return the city and the name of a plaza; one of them is empty where both say the same.

    “Plaza de Valencia” needs no city, and “Plaza de Priego” is clearer as Priego de Córdoba.
    """
    spoken, places = _words(name), _words(city)
    if places <= spoken:
        return "", name
    if any(len(word) > LONGEST_ARTICLE for word in places & spoken):
        return city, ""
    return city, name


LONGEST_ARTICLE: Final = 3


def plaza_in_sentence(city: str, name: str) -> str:
    """Return the city, and the plaza in brackets unless its name repeats the city.

    The names of most plazas need an article in Spanish (en la Real Maestranza, en Las Ventas).
    Cities need none.
    """
    return f"{city} ({name})" if all(plaza_title(city, name)) else city or name


def _words(text: str) -> set[str]:
    return set(text.casefold().replace("d'", "").replace("d’", "").split())
