"""The short names by which matadors are known: Belmonte, Sánchez Mejías, Palomo Linares.

They stand where a full name would not fit: in the ring, on posters, on the tabs of the six bulls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from corridas.world.names import display_name
from corridas.world.roster import DATA, load_matadors, load_names

# Known by a given name, by a whole name, or by a surname that others have made as famous.
KNOWN_AS: Final = {
    "Dámaso González": "Dámaso González",
    "Domingo Ortega": "Domingo Ortega",
    "Ignacio Sánchez Mejías": "Sánchez Mejías",
    "Luis Miguel Dominguín": "Luis Miguel",
    "Manolo Martínez": "Manolo Martínez",
    "Pedro Romero": "Pedro Romero",
    "Pepe Luis Vázquez": "Pepe Luis",
    "Ponciano Díaz": "Ponciano",
    "Rafael Ortega": "Rafael Ortega",
    "Rafael de Paula": "Rafael de Paula",
    "Silverio Pérez": "Silverio",
}
# Words that belong to the surname after them
PARTICLES: Final = frozenset({"de", "del", "la", "las", "los", "y"})
# Two surnames longer than this are shortened to the first one.
MAX_SURNAMES: Final = 16


def short_name(name: str, apodo: str = "") -> str:
    """Return the apodo, or the name without its given names.

    A name that begins with no known given name is an apodo or two surnames, and stays whole.
    """
    if apodo:
        return apodo
    if name in KNOWN_AS:
        return KNOWN_AS[name]
    words = name.split()
    given = 0
    while given < len(words) - 1 and words[given] in given_names():
        given += 1
    surnames = words[given:]
    if not given or surnames[0] in PARTICLES:  # nobody says “de Paula” for Rafael de Paula
        return name
    both = " ".join(surnames)
    return both if len(both) <= MAX_SURNAMES else _first_surname(surnames)


def _first_surname(words: Sequence[str]) -> str:
    end = 1
    while end < len(words) and words[end - 1].lower() in PARTICLES:
        end += 1
    return " ".join(words[:end])


def short_names(people: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return short names of a cartel from names, apodos and distinctions.

    Two who would be called the same keep their whole names, with what tells namesakes apart.
    """
    short = [short_name(name, apodo) for name, apodo, _distinction in people]
    counts = Counter(short)
    return [
        display_name(*person) if counts[called] > 1 else called
        for person, called in zip(people, short, strict=True)
    ]


@cache
def given_names() -> frozenset[str]:
    """Return the given names of invented matadors, and the first names of the shipped ones."""
    second = {"María"}  # José María
    invented = {row.name for row in load_names(DATA) if row.kind == "given"}
    return frozenset(second | invented | {row.name.split()[0] for row in load_matadors(DATA)})
