"""The widths of the ranges on a matador's card, and a card with other widths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from corridas.engine import CROWD_RANGES, TROPHY_RANGES, MatadorCard, Range

EMPTY = Range(1, 0)
# The ranges that together cover each number from 1 to 100 once.
COVERING = (*CROWD_RANGES, *TROPHY_RANGES)

Widths: TypeAlias = dict[str, int]
Ranges: TypeAlias = dict[str, Range]


def widths(card: MatadorCard) -> Widths:
    return {name: getattr(card, name).size for name in COVERING}


def widest(sizes: Mapping[str, int], names: Iterable[str]) -> str:
    return max(names, key=lambda name: sizes[name])


def in_order(card: MatadorCard) -> list[str]:
    """Return the names of the ranges that cover 1 to 100, in the order on the card.

    An empty range comes first.
    """
    return sorted(COVERING, key=lambda name: (getattr(card, name).low, COVERING.index(name)))


def laid(card: MatadorCard, sizes: Mapping[str, int]) -> Ranges:
    """Return ranges of these widths in the same order as on the card."""
    ranges, start = {}, 1
    for name in in_order(card):
        ranges[name] = Range(start, start + sizes[name] - 1) if sizes[name] else EMPTY
        start += sizes[name]
    return ranges


def with_ranges(card: MatadorCard, ranges: Mapping[str, Range], vuelta: Range) -> MatadorCard:
    return replace(
        card,
        oreja=ranges["oreja"],
        dos_orejas=ranges["dos_orejas"],
        rabo=ranges["rabo"],
        bronca=ranges["bronca"],
        pitos=ranges["pitos"],
        silencio=ranges["silencio"],
        division=ranges["division"],
        aplausos=ranges["aplausos"],
        ovacion=ranges["ovacion"],
        vuelta=vuelta,
    )


def trophy_shift(card: MatadorCard, ranges: Mapping[str, Range]) -> int:
    """Return by how many numbers the first trophy begins later with these ranges."""
    return _first_trophy(ranges) - _first_trophy({name: getattr(card, name) for name in COVERING})


def _first_trophy(ranges: Mapping[str, Range]) -> int:
    return min((ranges[name].low for name in TROPHY_RANGES if ranges[name].size), default=0)
