"""The words of the ring, from `data/glossary.csv`; what each means in English and Spanish."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

DATA: Final = Path(__file__).resolve().parent.parent / "data"


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
    with (DATA / "glossary.csv").open(encoding="utf-8", newline="") as lines:
        rows = [
            Entry(row["term"], row["kind"], row["en"], row["es"]) for row in csv.DictReader(lines)
        ]
    return tuple(sorted(rows, key=lambda entry: plain(entry.term)))


@cache
def _by_term() -> dict[str, Entry]:
    return {plain(entry.term): entry for entry in entries()}


class Coat(NamedTuple):
    """A bull's coat: its meaning in both languages and a colour to paint it with."""

    en: str
    es: str
    colour: str


@cache
def coats() -> dict[str, Coat]:
    """Coats by their plain names, from `data/coats.csv`."""
    with (DATA / "coats.csv").open(encoding="utf-8", newline="") as lines:
        return {
            plain(row["coat"]): Coat(row["english"], row["spanish"], row["colour"])
            for row in csv.DictReader(lines)
        }


def coat_meaning(coat: str, language: str) -> str | None:
    """What a coat's name says of the bull's look; None where it is not in the table."""
    found = coats().get(plain(coat))
    if found is None:
        return None
    return found.es if language.startswith("es") else found.en


def coat_colour(coat: str) -> str:
    """The colour of a coat, near black where it is not in the table."""
    found = coats().get(plain(coat))
    return found.colour if found else "#17110f"


def plain(term: str) -> str:
    """A term without accents and capitals, as the eye looks it up."""
    return term.casefold().translate(ACCENTS)


ACCENTS: Final = str.maketrans("áéíóúü", "aeiouu")


def meaning(term: str, language: str) -> str | None:
    """What a term means; a plural finds its singular; a coat is looked up among coats."""
    looked_up = plain(term)
    for form in (looked_up, looked_up.removesuffix("s"), looked_up.removesuffix("es")):
        if form in _by_term():
            return _by_term()[form].meaning(language)
    return coat_meaning(term, language)
