"""Counts of a corrida, for the record book.

A corrida is counted once and then entered in the book of each place: the circuit, its plaza, its
feria, its herd, and each of its matadors.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from corridas.engine import totals

CIRCUIT, PLAZA, FERIA, HERD, MATADOR = "circuit", "plaza", "feria", "herd", "matador"
# The scopes in which a matador's results are added up over the years.
PLACES: Final = (CIRCUIT, PLAZA, FERIA, HERD)

# A scope and its slug: `("plaza", "ronda")`; the circuit's own has an empty second part.
Where = tuple[str, str]


class PlayedLidia(NamedTuple):
    """The result of one bull, as columns of `models.Lidia`.

    `finisher_id` is the matador credited with it, None where it was broken off. `injured` has bits
    1, 2 and 4 set for the first, second and third matador in the order of appearance.
    """

    turn: int
    bull_id: int
    finisher_id: int | None
    ending: str
    injured: int
    matador_points: int
    bull_points: int
    avisos: int
    score: int | None
    number: int | None
    trophy: int | None
    vuelta: bool | None
    crowd: int | None


class PlayedCorrida(NamedTuple):
    """A corrida that is over: just played, read from rows, or read from a season file.

    Escalafón, form, injuries, record book, awards and events are all derived from it. `pk` and the
    other keys are those of rows, or numbers of their own in a season file. `plaza`, `feria` and
    `herd` are slugs, `feria` empty for a date outside ferias; `category` is the plaza's.
    `matadors` are in the order of appearance. `seed` is set where the corrida was played just now.
    """

    pk: int
    date: dt.date
    plaza: str
    category: int
    feria: str
    herd: str
    herd_key: int
    matadors: tuple[int, ...]
    lidias: tuple[PlayedLidia, ...]
    suspended: bool
    seed: bytes = b""

    def __hash__(self) -> int:
        # To look up what is counted once: hashing all the bulls takes as long as counting them.
        return hash(self.pk)

    @property
    def day(self) -> str:
        """Its date as text, `2027-03-01`."""
        return self.date.isoformat()

    @property
    def places(self) -> list[Where]:
        """The places in whose books it is entered; a date outside ferias has none of a feria."""
        where = [(CIRCUIT, ""), (PLAZA, self.plaza), (FERIA, self.feria), (HERD, self.herd)]
        return [place for place in where if place[1] or place[0] == CIRCUIT]


# The counters of the bulls of a corrida.
COUNTED: Final = ("bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos")


def count(lidias: Iterable[PlayedLidia]) -> dict[str, int]:
    """Add up bulls by `COUNTED`."""
    counts = totals(lidias)
    return {name: counts[name] for name in COUNTED}


def credited(corrida: PlayedCorrida) -> list[PlayedLidia]:
    """Return the bulls that are credited to a matador (Ruling I-17)."""
    return [lidia for lidia in corrida.lidias if lidia.finisher_id is not None]


@lru_cache(maxsize=1024)
def shares(corrida: PlayedCorrida) -> Mapping[int, Mapping[str, int]]:
    """Return the counts of each announced matador, in the order of appearance, with a paseíllo
    each.

    Cached, because a corrida is needed for the record book, its feria and its season.
    """
    counts_by_matador: dict[int, Mapping[str, int]] = {}
    for matador in corrida.matadors:
        own = count([lidia for lidia in corrida.lidias if lidia.finisher_id == matador])
        own["corridas"] = 1
        counts_by_matador[matador] = own
    return counts_by_matador


def sums(corridas: Iterable[PlayedCorrida]) -> dict[int, dict[str, int]]:
    """Add up several corridas by matador."""
    shares_by_matador: dict[int, list[Mapping[str, int]]] = {}
    for corrida in corridas:
        for matador, own in shares(corrida).items():
            shares_by_matador.setdefault(matador, []).append(own)
    return {matador: _added(held) for matador, held in shares_by_matador.items()}


def _added(held: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Add up counts, which all have the same names in the same order."""
    columns = zip(*[own.values() for own in held], strict=True)
    return dict(zip(held[0], map(sum, columns), strict=True))
