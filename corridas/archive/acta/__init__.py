"""The acta of a corrida and of a lidia: written from rows, checked without any.

    >>> from corridas.archive.acta import of_corrida, of_lidia   # doctest: +SKIP
    >>> of_lidia(corrida, 3)["lidias"][0]["draws"]       # doctest: +SKIP

Both hold rules, deck, stake, seed and draws in full. A lidia's is the corrida's with that lidia
alone: who is able, and with one deck what is left of it, follows from seed and stake. A corrida of
a real table has no seed; its acta is that of the sheet handed in (`leagues.tables.actas`).
"""

from __future__ import annotations

from corridas.archive.acta.verification import check, register_records
from corridas.archive.acta.writer import of_corrida, of_lidia

__all__ = [
    "check",
    "of_corrida",
    "of_lidia",
    "register_records",
]
