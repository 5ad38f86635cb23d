"""Display names of matadors and plazas (bullrings)."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from core.names.text import comparison_key


def display_name(name: str, apodo: str, distinction: str = "") -> str:
    """Return a matador's display name: his apodo (nickname) or his name.

    If several matadors have the same display name, `distinction` is added in brackets.
    """
    called = apodo or name
    return f"{called} ({distinction})" if distinction else called


class Bearer(NamedTuple):
    """A matador with the data that can distinguish him from others of the same name.

    `born` begins with the year of birth, or is empty.
    """

    slug: str
    name: str
    apodo: str
    birthplace: str
    born: str
    alternativa: dt.date | None


def distinctions(men: Iterable[Bearer]) -> dict[str, str]:
    """Return a distinguishing text such as `Ronda, 1980` for each matador who shares his name.

    The keys are slugs. The text is the first of these that is unique among matadors with the same
    name: place and year of birth, year of the alternativa, slug. Matadors with a unique name are
    left out.
    """
    namesakes: dict[str, list[Bearer]] = defaultdict(list)
    for man in men:
        namesakes[comparison_key(display_name(man.name, man.apodo))].append(man)
    found: dict[str, str] = {}
    for same in namesakes.values():
        if len(same) < 2:
            continue
        for describe in (_origin, _beginning, _slug):
            counts = Counter(map(describe, same))
            for man in same:
                if describe(man) and counts[describe(man)] == 1:
                    found.setdefault(man.slug, describe(man))
    return found


def _origin(man: Bearer) -> str:
    return ", ".join(filter(None, (man.birthplace, man.born[:4])))


def _beginning(man: Bearer) -> str:
    return f"alternativa {man.alternativa.year}" if man.alternativa else ""


def _slug(man: Bearer) -> str:
    return man.slug


def plaza_title(city: str, name: str) -> tuple[str, str]:
    """Return the city and the name of a plaza. One of them is empty if it would repeat the other.

    “Plaza de Valencia” needs no city. For “Plaza de Priego” only the city, Priego de Córdoba, is
    shown, because it is clearer.
    """
    spoken, places = _words(name), _words(city)
    if places <= spoken:
        return "", name
    if any(len(word) > LONGEST_ARTICLE for word in places & spoken):
        return city, ""
    return city, name


LONGEST_ARTICLE: Final = 3


def plaza_in_sentence(city: str, name: str) -> str:
    """Return the city, with the name of the plaza in brackets unless it repeats the city.

    Sentences begin with the city because most plaza names need an article in Spanish (en la Real
    Maestranza, en Las Ventas), and cities need none.
    """
    return f"{city} ({name})" if all(plaza_title(city, name)) else city or name


def _words(text: str) -> set[str]:
    return set(text.casefold().replace("d'", "").replace("d’", "").split())
