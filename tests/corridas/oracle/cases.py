"""Hypothesis strategies for decks (I-1), matador cards (I-13), rule options, plazas and lots.

The decks are more extreme than the shipped one. In some of them every second card injures, in
others no card scores.
"""

from __future__ import annotations

import itertools
import unicodedata
from typing import Any, cast

from hypothesis import strategies as st

from fairness import Chance, Seed
from tests.corridas.oracle.paper import (
    CROWD,
    OWN_RANGES,
    RULE_VALUES,
    TROPHIES,
    CardText,
    MatadorText,
)

SIGNS = ("", "+", "-")
WORDS = ("LANCE", "VERÓNICA", "PASE DE PECHO")
SCORING = tuple(word + sign for word in WORDS for sign in SIGNS)
MOVES = (*SCORING, "BULL", "BULL", "BULL")
SECONDS = (*MOVES, "CLAVAR", "CLAVAR+", "CLAVAR-")
BULLS = ("MIRA", "BRAVO+", "CABECEO-", "EMBISTE+", "HERIDA", "HERIDA")
CLAVARS = ("CLAVAR", "CLAVAR+", "CLAVAR-")
KEYS = ("", "zeta", "zeta-2")
NAMES = ("Álvaro", "A\u0301lvaro", "Alvaro", "Zeta", "Núñez", "Nu\u0301n\u0303ez", "ñ", "Ω", "b")

# All combinations of the rule options: twelve rule sets.
ALL_RULES = [
    dict(zip(RULE_VALUES, values, strict=True))
    for values in itertools.product(*RULE_VALUES.values())
]

plaza_ratings = st.integers(1, 3)
rule_sets = st.sampled_from(ALL_RULES)
seeds = st.binary(min_size=32, max_size=32).map(Seed)
sorteos = st.permutations(range(6)).map(tuple)


def some_of(words: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Return a strategy for lists of one to six of the given texts."""
    return st.lists(st.sampled_from(words), min_size=1, max_size=6)


def printed(readings: list[str], chance: Chance) -> list[str]:
    """Return seventy texts, chosen at random from the given texts."""
    return [chance.pick(readings) for _ in range(70)]


kills = st.builds("{} {}".format, st.sampled_from(WORDS), st.integers(-20, 0))


@st.composite
def decks(draw: st.DrawFn) -> list[CardText]:
    """Generate a legal deck of 70 cards (Ruling I-1), its digits in any order.

    Each column is printed with one to six different texts. A single drawn seed decides which card
    has which text, because four hundred Hypothesis draws a deck took longer than playing with it.
    """
    chance = draw(seeds).chance("deck")
    numbers = chance.shuffled([digit for digit in range(10) for _ in range(7)])
    columns = [printed(draw(some_of(words)), chance) for words in (MOVES, SECONDS, MOVES, BULLS)]
    strokes = draw(st.lists(kills, min_size=1, max_size=6))
    for place in draw(st.sets(st.integers(0, 69), min_size=2, max_size=8)):
        columns[1][place] = draw(st.sampled_from(CLAVARS))
    return [
        CardText(
            number=numbers[n], first=columns[0][n], second=columns[1][n], third=columns[2][n],
            bull=columns[3][n], kill=strokes[n % len(strokes)],
        )
        for n in range(70)
    ]  # fmt: skip


def range_text(low: int, high: int) -> str:
    """Return a range as printed, from its first and last number; `-` if the first is the higher."""
    if low > high:
        return "-"
    return str(low) if low == high else f"{low}-{high}"


range_texts = st.builds(range_text, st.integers(1, 100), st.integers(1, 100))


@st.composite
def partitions(draw: st.DrawFn) -> dict[str, str]:
    """Generate trophy and crowd ranges in any order that cover 1-100 exactly once.

    Some are empty.
    """
    names = draw(st.permutations(TROPHIES + CROWD))
    cuts = sorted(draw(st.lists(st.integers(0, 100), min_size=8, max_size=8)))
    bounds = itertools.pairwise([0, *cuts, 100])
    return {
        name: range_text(low + 1, high) for name, (low, high) in zip(names, bounds, strict=True)
    }


@st.composite
def matador_cards(draw: st.DrawFn, name: str = "A", key: str = "") -> MatadorText:
    """Generate a legal card (I-13).

    There are few ratings and dates, so that ties are common (I-14).
    """
    card: dict[str, Any] = {"name": name, "rating": draw(st.sampled_from([70, 71, 99]))}
    card |= {"key": key} if key else {}
    card["alternativa"] = draw(st.sampled_from([None, "1801-05-01", "1912-10-16", "2003-04-20"]))
    card |= draw(partitions()) | {own: draw(range_texts) for own in OWN_RANGES}
    return cast(MatadorText, card)


def identity(man: tuple[str, str]) -> tuple[str, str]:
    """Return the name (in Unicode form NFC) and the key of a matador, which identify him in a
    cartel.
    """
    name, key = man
    return unicodedata.normalize("NFC", name), key


@st.composite
def cuadrillas(draw: st.DrawFn) -> list[MatadorText]:
    """Generate three matadors in any order. Matadors of the same name have different keys."""
    men = st.tuples(st.sampled_from(NAMES), st.sampled_from(KEYS))
    drawn = draw(st.lists(men, min_size=3, max_size=3, unique_by=identity))
    return [draw(matador_cards(name, key)) for name, key in drawn]
