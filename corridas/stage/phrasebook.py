"""The phrasebooks of the story: several ways to say each thing, two languages, two wordings.

A phrase may hold names in braces (`{b}` the bull, `{m}` the matador) and glossed terms in square
brackets. Which of several is taken follows from a number given by the caller, so that the same
card of the same lidia is always told in the same words. The bloodless book (`Voice.bloodless`)
holds only what has to be said otherwise; all else is told as usual.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

DATA: Final = Path(__file__).resolve().parent.parent / "data"
USUAL: Final = DATA / "phrases.csv"
BLOODLESS: Final = DATA / "phrases_bloodless.csv"
ANY: Final = "*"
"""Stands for a reading that has no phrase of its own, as on the cards of somebody's own deck."""

_TERM = re.compile(r"\[([^\]]+)\]")


class Voice(NamedTuple):
    """How a corrida is told: in which language, and whether as a bloodless one."""

    language: str
    bloodless: bool = False


class Phrase(NamedTuple):
    """One way to say a thing."""

    en: str
    es: str

    def text(self, language: str) -> str:
        """The phrase in a language, English where it is neither."""
        return self.es if language.startswith("es") else self.en


Book = dict[tuple[str, str], tuple[Phrase, ...]]


@cache
def book(file: Path = USUAL) -> Book:
    """All phrases of a file by entry and reading (with its sign where it is told apart)."""
    found: dict[tuple[str, str], list[Phrase]] = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found[row["entry"], row["reading"]].append(Phrase(row["en"], row["es"]))
    return {key: tuple(phrases) for key, phrases in found.items()}


def say(
    entry: str, reading: str, turn: int, voice: Voice, names: dict[str, object] | None = None
) -> str:
    """A reading in plain words; `turn` chooses among its phrases, one after the other.

    Raises KeyError for an entry that no book knows.
    """
    phrases = ways(entry, reading, voice)
    chosen = phrases[turn % len(phrases)].text(voice.language)
    return chosen.format_map({"reading": reading.rstrip("+-").lower(), **(names or {})})


def ways(entry: str, reading: str, voice: Voice) -> tuple[Phrase, ...]:
    """All ways in which a voice tells a reading.

    A reading with a sign (`CLAVAR+`) is looked up as it stands, then without its sign, in the
    bloodless book before the usual one where the voice is bloodless; then as any other reading.
    Raises KeyError for an entry that no book knows.
    """
    books = (book(BLOODLESS), book()) if voice.bloodless else (book(),)
    named, other = ((entry, reading), (entry, reading.rstrip("+-"))), ((entry, ANY),)
    found = (one[key] for keys in (named, other) for one in books for key in keys if key in one)
    phrases = next(found, None)
    if phrases is None:
        raise KeyError((entry, reading))
    return phrases


def parts(text: str) -> list[tuple[str, bool]]:
    """A told text in pieces: the words, and whether they are a glossed term."""
    pieces = _TERM.split(text)
    return [(piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece]


def plain(text: str) -> str:
    """A told text without the brackets round its terms."""
    return _TERM.sub(r"\1", text)
