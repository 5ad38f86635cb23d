"""Names of matadors, on posters and where space is short."""

from __future__ import annotations

from collections.abc import Collection


def display_name(name: str, apodo: str) -> str:
    return apodo or name


def short_name(name: str, given: Collection[str]) -> str:
    """Return a name without its given names, of which `given` are known.

    A name that begins with none of them is an apodo or a double surname and stays whole.
    """
    words = name.split()
    while len(words) > 1 and words[0] in given:
        del words[0]
    return " ".join(words)
