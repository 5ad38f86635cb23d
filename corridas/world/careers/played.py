"""Statistics of a simulated season and of the winter after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Farewell(NamedTuple):
    """A matador who retired: his age, and the number of his seasons as a matador.

    `rookie` is true if he became a matador in this simulation, so that `seasons` is his whole
    career.
    """

    age: int
    seasons: int
    rookie: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Statistics of a season and the winter after it.

    `ratings` and `ages` are those of the active matadors, in ascending order. `left_open` counts
    dates without enough free matadors. `leader` is the matador with the most corridas, and `lead`
    their number. `moves` are the changes in rating between a matador's old and new card.
    """

    year: int
    ratings: tuple[int, ...]
    ages: tuple[int, ...]
    novilleros: int
    bulls: int
    ears: int
    left_open: int
    leader: str
    lead: int
    moves: tuple[int, ...]
    farewells: tuple[Farewell, ...]
    returned: int
    alternativas: int
    debuts: int
