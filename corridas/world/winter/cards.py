"""Adapts a matador's card to a new rating, and creates cards for new matadors.

A card divides the numbers 1 to 100 into ranges for trophies and for verdicts of the crowd. On the
bundled cards, trophies gain about one number for every fifteen points of rating (see
docs/careers.md). The rest of a card is the matador's style. So a card changes by one step for every
`RUNG` points of rating: one number moves from a verdict to a trophy. Since version 2 of the
winter's rules, a change within a step moves one number between two verdicts, so that every change
of rating changes the card. The same steps up and down restore the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from corridas.engine import CROWD_RANGES, RANGES, TROPHY_RANGES, MatadorCard, Range
from fairness import Chance

RUNG = 12
GIVERS = ("silencio", "aplausos", "silencio", "division")
TAKERS = ("dos_orejas", "dos_orejas", "oreja", "dos_orejas")
# One pair of verdicts for each rating point within a step: the second verdict lends one number to
# the first. The pairs become more favourable with each rating point.
SHADES = (
    ("silencio", "ovacion"),
    ("silencio", "aplausos"),
    ("division", "ovacion"),
    ("division", "aplausos"),
    ("silencio", "division"),
    ("aplausos", "ovacion"),
    ("division", "silencio"),
    ("ovacion", "aplausos"),
    ("aplausos", "division"),
    ("aplausos", "silencio"),
    ("ovacion", "division"),
    ("ovacion", "silencio"),
)
SHADED = ("silencio", "division", "aplausos", "ovacion")
# Number of times that a number moves between neighbouring ranges of a new card.
MUTATIONS = 8
EMPTY = Range(1, 0)
_COVERING = (*CROWD_RANGES, *TROPHY_RANGES)


def moved(card: MatadorCard, rating: int, *, version: int = 1) -> MatadorCard:
    """Return a valid card with this rating and slightly better or worse ranges.

    `version` is the version of the winter's rules.
    """
    if rating == card.rating:
        return card
    sizes = {name: getattr(card, name).size for name in _COVERING}
    low, high = _rung(card.rating), _rung(rating)
    shaded = version > 1 and all(sizes[name] for name in SHADED)
    if shaded:
        lent_to, lent_by = SHADES[card.rating % RUNG]
        _hand_over(sizes, lent_to, lent_by)
    for rung in range(low, high):
        _hand_over(sizes, GIVERS[rung % len(GIVERS)], TAKERS[rung % len(TAKERS)])
    for rung in reversed(range(high, low)):
        _hand_over(sizes, TAKERS[rung % len(TAKERS)], GIVERS[rung % len(GIVERS)])
    if shaded:
        lent_to, lent_by = SHADES[rating % RUNG]
        _hand_over(sizes, lent_by, lent_to)
    return _laid(replace(card, rating=rating), sizes)


def new_card(
    masters: Sequence[MatadorCard], name: str, rating: int, chance: Chance, *, version: int = 1
) -> MatadorCard:
    """Return a card for a new matador, varied from a random card of a master of his style.

    On average, new cards have the same ranges as the masters' cards at that rating.
    """
    card = moved(chance.pick(masters), rating, version=version)
    sizes = {name: getattr(card, name).size for name in _COVERING}
    line = [name for name in _in_order(card) if sizes[name]]
    for _ in range(MUTATIONS if len(line) > 1 else 0):
        place = chance.below(len(line) - 1)
        giver, taker = chance.shuffled(line[place : place + 2])
        if sizes[giver] > 1:
            sizes[giver] -= 1
            sizes[taker] += 1
    return _laid(replace(card, name=name, alternativa=None), sizes)


def _rung(rating: int) -> int:
    return rating // RUNG


def _hand_over(sizes: dict[str, int], giver: str, taker: str) -> None:
    """Move one number from the range `giver` to the range `taker`.

    A range that is too small is replaced by the largest one of the same group (trophies or
    verdicts).
    """
    giver = giver if sizes[giver] > 1 else _greatest(sizes, _family(giver))
    taker = taker if sizes[taker] else _greatest(sizes, _family(taker))
    if sizes[giver] > 1 and sizes[taker]:
        sizes[giver] -= 1
        sizes[taker] += 1


def _family(name: str) -> Iterable[str]:
    return TROPHY_RANGES if name in TROPHY_RANGES else CROWD_RANGES


def _greatest(sizes: dict[str, int], names: Iterable[str]) -> str:
    return max(names, key=lambda name: sizes[name])


def _in_order(card: MatadorCard) -> list[str]:
    """Return the names of the ranges that cover 1 to 100, in the order on the card.

    An empty range comes first.
    """
    return sorted(_COVERING, key=lambda name: (getattr(card, name).low, _COVERING.index(name)))


def _laid(card: MatadorCard, sizes: dict[str, int]) -> MatadorCard:
    """Return the card with ranges of these sizes in the same order as before.

    The VUELTA range (lap of honour) moves with the trophies.
    """
    ranges, start = {}, 1
    for name in _in_order(card):
        ranges[name] = Range(start, start + sizes[name] - 1) if sizes[name] else EMPTY
        start += sizes[name]
    shift = _first_trophy(ranges) - _first_trophy({name: getattr(card, name) for name in RANGES})
    changed: dict[str, Any] = {**ranges, "vuelta": _shifted(card.vuelta, shift)}
    return replace(card, **changed)


def _first_trophy(ranges: dict[str, Range]) -> int:
    return min((ranges[name].low for name in TROPHY_RANGES if ranges[name].size), default=0)


def _shifted(extent: Range, shift: int) -> Range:
    low, high = extent.low + shift, extent.high + shift
    return Range(low, high) if extent.size and low >= 1 and high <= 100 else extent
