"""The nine outcomes of a bull as the ring calls them, worst to best."""

from __future__ import annotations

from typing import Final

VERDICTS: Final = (
    "bronca",
    "pitos",
    "silencio",
    "division",
    "aplausos",
    "ovacion",
    "oreja",
    "dos",
    "rabo",
)
"""From the crowd's anger to two ears and the tail; the names are CSS classes too."""

NAMES: Final = {
    "bronca": "Bronca",
    "pitos": "Pitos",
    "silencio": "Silencio",
    "division": "División",
    "aplausos": "Aplausos",
    "ovacion": "Ovación",
    "oreja": "Oreja",
    "dos": "Dos orejas",
    "rabo": "Dos orejas y rabo",
    "r-indulto": "Indulto",
}
"""What is said of each; Spanish in both interfaces."""

SPARED: Final = "r-indulto"
"""A spared bull in a form picture: as high as two ears, in the orange of the handkerchief."""

LETTERS: Final = dict(zip("XBPSDAO12IR", ("bronca", *VERDICTS[:8], SPARED, "rabo"), strict=True))
"""The letters of a matador's stored form; three avisos look like the bronca they bring."""

CROWDS: Final = 6


def loudness(name: str) -> int:
    """How high an outcome stands, 0 (bronca) to 8 (ears and tail)."""
    return VERDICTS.index("dos" if name == SPARED else name)


def verdict(trophy: int | None, crowd: int | None) -> str | None:
    """The outcome of a lidia from its trophy (0-3) and the crowd's verdict (1-6).

    None where the lidia was broken off: it has neither (Ruling I-16).
    """
    if trophy:
        return VERDICTS[CROWDS + trophy - 1]
    return VERDICTS[crowd - 1] if crowd else None
