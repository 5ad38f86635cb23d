"""How a matador is called: on posters, and where there is little room."""

from __future__ import annotations

from collections.abc import Collection


def display_name(name: str, apodo: str) -> str:
    """The name on the posters: the apodo where there is one."""
    return apodo or name


def short_name(name: str, given: Collection[str]) -> str:
    """A name without its given names, of which `given` are known.

    What does not begin with one is an apodo or a surname of two words, and stays whole.
    """
    words = name.split()
    while len(words) > 1 and words[0] in given:
        del words[0]
    return " ".join(words)
