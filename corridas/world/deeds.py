"""What an afternoon brought, in the words in which the record book is kept.

An afternoon is counted once and then told in every place whose book it enters: the circuit's, its
plaza's, its feria's, its herd's, and that of each of its matadors.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from corridas.engine import EARS, Tally

CIRCUIT, PLAZA, FERIA, HERD, MATADOR = "circuit", "plaza", "feria", "herd", "matador"
PLACES: Final = (CIRCUIT, PLAZA, FERIA, HERD)
"""The scopes in which what a matador does is added up over the years."""

SPARED, THREE_AVISOS = "spared", "three_avisos"

Where = tuple[str, str]
"""A scope and whose it is: `("plaza", "ronda")`; the circuit's own has an empty second part."""


class Bout(NamedTuple):
    """One bull: who is credited with it (None where it was broken off) and what it brought.

    `trophy` is 0 to 3, `number` the final number 1 to 100, None where there was no verdict.
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
        """Ears cut of it."""
        return EARS[self.trophy]

    @property
    def spared(self) -> bool:
        """Whether it went home."""
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
        """Its date as written, `2027-03-01`."""
        return self.date.isoformat()

    @property
    def places(self) -> list[Where]:
        """In whose books it is entered; a date outside any feria is in none's."""
        where = [(CIRCUIT, ""), (PLAZA, self.plaza), (FERIA, self.feria), (HERD, self.herd)]
        return [one for one in where if one[1] or one[0] == CIRCUIT]


COUNTED: Final = ("bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos")
"""What the bulls of an afternoon are counted by."""


def count(bouts: Iterable[Bout]) -> Counter[str]:
    """Bulls added up by `COUNTED`."""
    tally = Tally()
    for bout in bouts:
        tally.add(bout)
    return Counter({name: tally[name] for name in COUNTED})


def credited(afternoon: Afternoon) -> list[Bout]:
    """The bulls that somebody is credited with (Ruling I-17)."""
    return [bout for bout in afternoon.bouts if bout.matador is not None]


@lru_cache(maxsize=1024)
def shares(afternoon: Afternoon) -> Mapping[int, Counter[str]]:
    """What each announced matador did, in the order of appearance; a paseíllo each.

    An afternoon is told in the book, in its feria and in its season: counted once.
    """
    found: dict[int, Counter[str]] = {}
    for matador in afternoon.announced:
        own = count(bout for bout in afternoon.bouts if bout.matador == matador)
        own["corridas"] = 1
        found[matador] = own
    return found


def sums(afternoons: Iterable[Afternoon]) -> dict[int, Counter[str]]:
    """Several afternoons, each matador's shares added up."""
    total: dict[int, Counter[str]] = {}
    for afternoon in afternoons:
        for matador, own in shares(afternoon).items():
            held = total.setdefault(matador, Counter())
            for name, number in own.items():
                held[name] += number
    return total
