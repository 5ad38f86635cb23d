"""The order of the escalafón (Ruling I-17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from unicodedata import normalize

# Counters of a line, in the order of the CSV; the page shows those of `headings()`.
COLUMNS: Final = (
    "corridas",
    "bulls",
    "ears",
    "tails",
    "vueltas",
    "indultos",
    "avisos",
    "three_avisos",
)


def rank_key(row: Mapping[str, int], name: str) -> tuple[int, int, int, int, int, str]:
    """Return the order of Ruling I-17: corridas, ears, tails, indultos, fewest avisos, NFC name."""
    written = normalize("NFC", name)
    return (-row["corridas"], -row["ears"], -row["tails"], -row["indultos"], row["avisos"], written)
