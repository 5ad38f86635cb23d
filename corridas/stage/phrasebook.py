"""The phrasebooks of the story: several ways to say each thing, in two languages and two wordings.

A phrase may hold names in braces (`{b}` the bull, `{m}` the matador) and glossed terms in square
brackets. The caller passes a number that chooses the phrase, so that the same card of the same
lidia is always told in the same words. The bloodless book, for the bloodless variants of the
languages, holds only the phrases that differ from the usual one.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from accounts.wording import is_bloodless

DATA: Final = Path(__file__).resolve().parent.parent / "data"
USUAL: Final = DATA / "phrases.csv"
BLOODLESS: Final = DATA / "phrases_bloodless.csv"
# Any reading without a phrase of its own, as on the cards of a custom deck
ANY: Final = "*"

_TERM = re.compile(r"\[([^\]]+)\]")


class Phrase(NamedTuple):
    en: str
    es: str

    def text(self, language: str) -> str:
        return self.es if language.startswith("es") else self.en


Book = dict[tuple[str, str], tuple[Phrase, ...]]


@cache
def book(file: Path = USUAL) -> Book:
    phrases_by_key: dict[tuple[str, str], list[Phrase]] = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            phrases_by_key[row["entry"], row["reading"]].append(Phrase(row["en"], row["es"]))
    return {key: tuple(phrases) for key, phrases in phrases_by_key.items()}


def say(
    entry: str, reading: str, turn: int, language: str, names: dict[str, object] | None = None
) -> str:
    """Return a reading in plain words. `turn` chooses among its phrases in rotation.

    Raises KeyError for an entry that is in no book.
    """
    phrases = ways(entry, reading, language)
    chosen = phrases[turn % len(phrases)].text(language)
    return chosen.format_map({"reading": reading.rstrip("+-").lower(), **(names or {})})


@lru_cache(maxsize=4096)
def ways(entry: str, reading: str, language: str) -> tuple[Phrase, ...]:
    """Return all phrases that tell a reading in a language.

    A reading with a sign (`CLAVAR+`) is looked up first with its sign, then without. A bloodless
    variant tries the bloodless book before the usual one. The last resort is the phrase for any
    other reading. Raises KeyError for an entry that is in no book.
    """
    books = (book(BLOODLESS), book()) if is_bloodless(language) else (book(),)
    named, other = ((entry, reading), (entry, reading.rstrip("+-"))), ((entry, ANY),)
    candidates = (
        phrases_by_key[key]
        for keys in (named, other)
        for phrases_by_key in books
        for key in keys
        if key in phrases_by_key
    )
    phrases = next(candidates, None)
    if phrases is None:
        raise KeyError((entry, reading))
    return phrases


def parts(text: str) -> list[tuple[str, bool]]:
    """Split a text into (words, is a glossed term) pairs."""
    pieces = _TERM.split(text)
    return [(piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece]


def plain(text: str) -> str:
    return _TERM.sub(r"\1", text)
