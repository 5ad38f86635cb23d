"""The record (acta) of a corrida or of a lidia, from which anyone can check the result.

    >>> from corridas.archive.acta import of_corrida, of_lidia   # doctest: +SKIP
    >>> of_lidia(corrida, 3)["lidias"][0]["draws"]       # doctest: +SKIP

Both contain the complete rules, deck, stake and seed, and the cards drawn. The record of a lidia is
that of its corrida without the other lidias: seed and stake are enough to calculate which matadors
are injured by then and which cards are left. A corrida at a real table has no seed. Its record is
made from the submitted scoresheet (`leagues.tables.actas`).
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
