"""What is kept of a season that was played for its figures, and of the winter after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Farewell(NamedTuple):
    """A man who retired: his age, and the seasons he fought as a matador.

    `rookie`: he took his alternativa here, so that the seasons are his whole career.
    """

    age: int
    seasons: int
    rookie: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A season and its winter, as far as figures are taken from them.

    `ratings` and `ages`: of the active men, ascending; `leader`: who made most paseíllos, `lead`:
    how many; `moves`: by how much the ratings of the cards printed anew differ from the last.
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
