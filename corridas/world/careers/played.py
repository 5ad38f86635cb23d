"""The statistics of a simulated season and the winter after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Farewell(NamedTuple):
    """A matador who retired: his age, and his seasons as a matador.

    `rookie`: he took his alternativa here, so the seasons are his whole career.
    """

    age: int
    seasons: int
    rookie: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The statistics of a season and its winter.

    `ratings` and `ages`: those of the active matadors, ascending. `leader`: who made the most
    paseíllos; `lead`: their number. `moves`: the changes of rating of newly printed cards.
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
