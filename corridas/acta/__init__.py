"""The acta of a corrida and of a lidia: written from rows, checked without any.

    >>> from corridas.acta import of_corrida, of_lidia   # doctest: +SKIP
    >>> of_lidia(corrida, 3)["lidias"][0]["draws"]       # doctest: +SKIP

Both hold rules, deck, stake, seed and draws in full. A lidia's is the corrida's with that lidia
alone: who is able, and with one deck what is left of it, follows from seed and stake. A corrida of
a real table has no seed; its acta is that of the sheet handed in (`leagues.playing`).
"""

from corridas.acta.checking import check, offer
from corridas.acta.writing import of_corrida, of_lidia

__all__ = ["check", "of_corrida", "of_lidia", "offer"]
