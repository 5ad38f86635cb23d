"""The phrasebook of the story: `data/phrases.csv`, several ways to say each thing, two languages.

A phrase may hold names in braces (`{b}` the bull, `{m}` the matador) and glossed terms in square
brackets. Which of several is taken follows from a number given by the caller, so that the same
card of the same lidia is always told in the same words.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).resolve().parent / "data" / "phrases.csv"
ANY: Final = "*"
"""Stands for a reading that has no phrase of its own, as on the cards of somebody's own deck."""

_TERM = re.compile(r"\[([^\]]+)\]")


class Phrase(NamedTuple):
    """One way to say a thing."""

    en: str
    es: str

    def text(self, language: str) -> str:
        """The phrase in a language, English where it is neither."""
        return self.es if language.startswith("es") else self.en


@cache
def book() -> dict[tuple[str, str], tuple[Phrase, ...]]:
    """All phrases by entry and reading (with its sign where the sign is told apart)."""
    found: dict[tuple[str, str], list[Phrase]] = defaultdict(list)
    with FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found[row["entry"], row["reading"]].append(Phrase(row["en"], row["es"]))
    return {key: tuple(phrases) for key, phrases in found.items()}


def say(
    entry: str, reading: str, turn: int, language: str, names: dict[str, object] | None = None
) -> str:
    """A reading in plain words; `turn` chooses among its phrases, one after the other.

    A reading with a sign (`CLAVAR+`) is looked up as it stands, then without its sign, then as
    any other; `KeyError` for an entry that the book does not know.
    """
    plain = reading.rstrip("+-")
    phrases = book().get((entry, reading)) or book().get((entry, plain)) or book()[entry, ANY]
    chosen = phrases[turn % len(phrases)].text(language)
    return chosen.format_map({"reading": plain.lower(), **(names or {})})


def parts(text: str) -> list[tuple[str, bool]]:
    """A told text in pieces: the words, and whether they are a glossed term."""
    pieces = _TERM.split(text)
    return [(piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece]


def plain(text: str) -> str:
    """A told text without the brackets round its terms."""
    return _TERM.sub(r"\1", text)
