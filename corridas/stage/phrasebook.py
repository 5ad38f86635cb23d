"""Phrases that tell the story of a fight: several for each event, in English and Spanish.

A phrase may contain names in braces (`{b}` the bull, `{m}` the matador) and terms of the glossary
in square brackets. The caller passes a number that selects one of the phrases, so a fight is always
told in the same words. Languages have a bloodless variant; its file only contains the phrases that
differ.
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
# Key of the phrases for entries without phrases of their own, such as those of a custom deck.
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
    """Return a phrase for a card's entry. `turn` selects one of several phrases in rotation.

    Raises `KeyError` if there is no phrase for this kind of entry.
    """
    phrases = ways(entry, reading, language)
    chosen = phrases[turn % len(phrases)].text(language)
    return chosen.format_map({"reading": reading.rstrip("+-").lower(), **(names or {})})


@lru_cache(maxsize=4096)
def ways(entry: str, reading: str, language: str) -> tuple[Phrase, ...]:
    """Return all phrases for a card's entry in a language.

    An entry such as `CLAVAR+` is looked up first with its sign, then without it. Bloodless variants
    look into the bloodless phrases first. If nothing is found, general phrases are returned. Raises
    `KeyError` if there are none.
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
    """Split a text into pairs: a part of the text, and whether it is a term of the glossary."""
    pieces = _TERM.split(text)
    return [(piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece]


def plain(text: str) -> str:
    return _TERM.sub(r"\1", text)
