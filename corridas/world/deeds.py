"""Counts of a corrida, for the record book.

A corrida is counted once and then entered in the book of each place: the circuit, its plaza, its
feria, its herd, and each of its matadors.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from corridas.engine import EARS, Tally

CIRCUIT, PLAZA, FERIA, HERD, MATADOR = "circuit", "plaza", "feria", "herd", "matador"
# The scopes in which a matador's results are added up over the years.
PLACES: Final = (CIRCUIT, PLAZA, FERIA, HERD)

SPARED = "spared"

# A scope and its slug: `("plaza", "ronda")`; the circuit's own has an empty second part.
Where = tuple[str, str]


class Bout(NamedTuple):
    """One bull: the matador credited with it (None where it was broken off) and its result.

    `trophy` is 0 to 3; `number` is the final number 1 to 100, None without a verdict.
    """

    turn: int
    bull: int
    matador: int | None
    ending: str
    points: int
    bull_points: int
    avisos: int
    score: int | None
    number: int | None
    trophy: int
    vuelta: bool

    @property
    def ears(self) -> int:
        return EARS[self.trophy]

    @property
    def spared(self) -> bool:
        """Whether it was spared."""
        return self.ending == SPARED


class Afternoon(NamedTuple):
    """A corrida that is over: `plaza`, `feria` and `herd` by slug, `announced` its matadors."""

    corrida: int
    date: dt.date
    plaza: str
    feria: str
    herd: str
    herd_key: int
    announced: tuple[int, ...]
    bouts: tuple[Bout, ...]

    @property
    def day(self) -> str:
        """Its date as text, `2027-03-01`."""
        return self.date.isoformat()

    @property
    def places(self) -> list[Where]:
        """The places in whose books it is entered; a date outside ferias has none of a feria."""
        where = [(CIRCUIT, ""), (PLAZA, self.plaza), (FERIA, self.feria), (HERD, self.herd)]
        return [one for one in where if one[1] or one[0] == CIRCUIT]


# The counters of the bulls of a corrida.
COUNTED: Final = ("bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos")


def count(bouts: Iterable[Bout]) -> Counter[str]:
    """Add up bulls by `COUNTED`."""
    tally = Tally()
    for bout in bouts:
        tally.add(bout)
    return Counter({name: tally[name] for name in COUNTED})


def credited(afternoon: Afternoon) -> list[Bout]:
    """Return the bulls that are credited to a matador (Ruling I-17)."""
    return [bout for bout in afternoon.bouts if bout.matador is not None]


@lru_cache(maxsize=1024)
def shares(afternoon: Afternoon) -> Mapping[int, Counter[str]]:
    """Return the counts of each announced matador, in the order of appearance, with a paseíllo
    each.

    Cached, because a corrida is needed for the record book, its feria and its season.
    """
    found: dict[int, Counter[str]] = {}
    for matador in afternoon.announced:
        own = count(bout for bout in afternoon.bouts if bout.matador == matador)
        own["corridas"] = 1
        found[matador] = own
    return found


def sums(afternoons: Iterable[Afternoon]) -> dict[int, Counter[str]]:
    """Add up several corridas by matador."""
    total: dict[int, Counter[str]] = {}
    for afternoon in afternoons:
        for matador, own in shares(afternoon).items():
            held = total.setdefault(matador, Counter())
            for name, number in own.items():
                held[name] += number
    return total
