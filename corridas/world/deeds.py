"""Results of a corrida as plain values, and their totals for records and awards.

Each corrida is counted once. Its totals are then added to the record book of the circuit, the
plaza, the feria, the herd, and each matador.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from corridas.engine import totals

CIRCUIT, PLAZA, FERIA, HERD, MATADOR = "circuit", "plaza", "feria", "herd", "matador"
# Kinds of places for which a matador's results are added up over the years.
PLACES: Final = (CIRCUIT, PLAZA, FERIA, HERD)

# A kind of place and its slug, such as `("plaza", "ronda")`. The slug of the whole circuit is
# empty.
Where = tuple[str, str]


class PlayedLidia(NamedTuple):
    """The result of the fight with one bull, with the column names of `models.Lidia`.

    `finisher_id` is the matador credited with the bull, None if no matador was able to finish.
    `injured` is a bit mask: 1, 2 and 4 for the first, second and third matador in the order of
    appearance.
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
    """A finished corrida: just simulated, read from the database, or read from a season file.

    The ranking, form, injuries, records, awards and events are all derived from it. `pk` and the
    other keys are primary keys, or numbers used only within a season file. `plaza`, `feria` and
    `herd` are slugs; `feria` is empty for a corrida outside ferias. `category` is that of the
    plaza. `matadors` are in the order of appearance. `seed` is only set if the corrida has just
    been simulated.
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
        # Corridas are used as cache keys. Hashing all bulls would take as long as counting them.
        return hash(self.pk)

    @property
    def day(self) -> str:
        """The date in ISO format, such as `2027-03-01`."""
        return self.date.isoformat()

    @property
    def places(self) -> list[Where]:
        """The places whose record books include this corrida.

        A corrida outside ferias has no feria.
        """
        where = [(CIRCUIT, ""), (PLAZA, self.plaza), (FERIA, self.feria), (HERD, self.herd)]
        return [place for place in where if place[1] or place[0] == CIRCUIT]


# Counters that are added up over the bulls of a corrida.
COUNTED: Final = ("bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos")


def count(lidias: Iterable[PlayedLidia]) -> dict[str, int]:
    """Return the sum of each counter of `COUNTED` over these lidias (fights with one bull)."""
    counts = totals(lidias)
    return {name: counts[name] for name in COUNTED}


def credited(corrida: PlayedCorrida) -> list[PlayedLidia]:
    """Return the lidias (fights with one bull) that are credited to a matador (Ruling I-17)."""
    return [lidia for lidia in corrida.lidias if lidia.finisher_id is not None]


@lru_cache(maxsize=1024)
def shares(corrida: PlayedCorrida) -> Mapping[int, Mapping[str, int]]:
    """Return the counters of each announced matador in one corrida, in the order of appearance.

    Each matador's counters include one appearance (`corridas`). The result is cached, because the
    record book, the feria and the season all need it.
    """
    counts_by_matador: dict[int, Mapping[str, int]] = {}
    for matador in corrida.matadors:
        own = count([lidia for lidia in corrida.lidias if lidia.finisher_id == matador])
        own["corridas"] = 1
        counts_by_matador[matador] = own
    return counts_by_matador


def sums(corridas: Iterable[PlayedCorrida]) -> dict[int, dict[str, int]]:
    """Return the counters of each matador, added up over several corridas."""
    shares_by_matador: dict[int, list[Mapping[str, int]]] = {}
    for corrida in corridas:
        for matador, own in shares(corrida).items():
            shares_by_matador.setdefault(matador, []).append(own)
    return {matador: _added(held) for matador, held in shares_by_matador.items()}


def _added(held: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Add up counters. All mappings must have the same keys in the same order."""
    columns = zip(*[own.values() for own in held], strict=True)
    return dict(zip(held[0], map(sum, columns), strict=True))
