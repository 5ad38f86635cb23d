"""The order of the escalafón, the ranking of matadors in a season (Ruling I-17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final
from unicodedata import normalize


@dataclass(frozen=True, kw_only=True, slots=True)
class Counters:
    """The counters of a matador in the escalafón (season ranking).

    The fields are in the order of the CSV export. The page shows the subset `headings()`.
    """

    corridas: int
    bulls: int
    ears: int
    tails: int
    vueltas: int
    indultos: int
    avisos: int
    three_avisos: int


COLUMNS: Final = tuple(field.name for field in fields(Counters))


def rank_key(
    row: Mapping[str, int], name: str, slug: str = ""
) -> tuple[int, int, int, int, int, str, str]:
    """Return the sort key of Ruling I-17.

    It orders by most corridas, ears, tails and indultos (spared bulls), fewest avisos (time
    warnings), and name in NFC form. The slug is last, because two matadors may have the same name.
    """
    best = (-row["corridas"], -row["ears"], -row["tails"], -row["indultos"], row["avisos"])
    return (*best, normalize("NFC", name), slug)


def decided_by(first: Counters, second: Counters) -> str:
    """Return what ranks the first line above the second.

    The result is `corridas`, `trophies`, `avisos` or `name`.
    """
    if first.corridas != second.corridas:
        return "corridas"
    if any(getattr(first, name) != getattr(second, name) for name in ("ears", "tails", "indultos")):
        return "trophies"
    return "avisos" if first.avisos != second.avisos else "name"
