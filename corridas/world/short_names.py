"""Short names of matadors, such as Belmonte, Sánchez Mejías or Palomo Linares.

They are used where a full name does not fit: in the picture of the ring, on posters, and on the
tabs of the six bulls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from corridas.world.names import display_name
from corridas.world.roster import DATA, load_matadors, load_names

# Matadors who are usually called by their given name or whole name, because others share the
# surname.
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
# Particles that belong to the surname after them.
PARTICLES: Final = frozenset({"de", "del", "la", "las", "los", "y"})
# If two surnames together are longer than this, only the first is used.
MAX_SURNAMES: Final = 16


def short_name(name: str, apodo: str = "") -> str:
    """Return the apodo (nickname), or the surnames.

    A name that does not begin with a known given name is returned unchanged, because it is an apodo
    or consists of two surnames.
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
    """Return short names for the matadors of a cartel (the bill of a corrida).

    Each item of `people` is a name, an apodo (nickname) and a distinction. Matadors with the same
    short name get their full display names instead.
    """
    short = [short_name(name, apodo) for name, apodo, _distinction in people]
    counts = Counter(short)
    return [
        display_name(*person) if counts[called] > 1 else called
        for person, called in zip(people, short, strict=True)
    ]


@cache
def given_names() -> frozenset[str]:
    """Return all known given names: those for fictional matadors, and those of the bundled
    matadors.
    """
    second = {"María"}  # José María
    invented = {row.name for row in load_names(DATA) if row.kind == "given"}
    return frozenset(second | invented | {row.name.split()[0] for row in load_matadors(DATA)})
