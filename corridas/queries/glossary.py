"""The words of the ring, from `data/glossary.csv`; what each means in English and Spanish."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

GLOSSARY: Final = Path(__file__).resolve().parent.parent / "data" / "glossary.csv"


class Entry(NamedTuple):
    """A term, what sort of thing it names, and its meaning in both languages."""

    term: str
    kind: str
    en: str
    es: str

    def meaning(self, language: str) -> str:
        """The explanation in the language of the interface, English where it is neither."""
        return self.es if language.startswith("es") else self.en


@cache
def entries() -> tuple[Entry, ...]:
    """All terms in the order of the alphabet, accents apart."""
    with GLOSSARY.open(encoding="utf-8", newline="") as lines:
        rows = [
            Entry(row["term"], row["kind"], row["en"], row["es"]) for row in csv.DictReader(lines)
        ]
    return tuple(sorted(rows, key=lambda entry: plain(entry.term)))


@cache
def _by_term() -> dict[str, Entry]:
    return {plain(entry.term): entry for entry in entries()}


def plain(term: str) -> str:
    """A term without accents and capitals, as the eye looks it up."""
    return term.casefold().translate(ACCENTS)


ACCENTS: Final = str.maketrans("áéíóúü", "aeiouu")


def meaning(term: str, language: str) -> str | None:
    """What a term means; a plural finds its singular; None where there is no entry."""
    looked_up = plain(term)
    for form in (looked_up, looked_up.removesuffix("s"), looked_up.removesuffix("es")):
        if form in _by_term():
            return _by_term()[form].meaning(language)
    return None
