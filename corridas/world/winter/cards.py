"""Cards moved with their rating, and cards for those who have none yet.

The trophies of the shipped cards grow by about a number for every fifteen points of rating (see
docs/careers.md); all else is a man's style. So a card that moves goes up or down a ladder, one
rung every `RUNG` points of rating, and each rung hands one number from a verdict of the crowd to
a trophy. Up and down the same rungs gives the same card.
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
MUTATIONS = 8
"""So many numbers of a new card go to a neighbouring range, either way."""
EMPTY = Range(1, 0)
_COVERING = (*CROWD_RANGES, *TROPHY_RANGES)


def moved(card: MatadorCard, rating: int) -> MatadorCard:
    """The card at another rating, its ranges a little better or worse; a legal one in any case."""
    if rating == card.rating:
        return card
    sizes = {name: getattr(card, name).size for name in _COVERING}
    low, high = _rung(card.rating), _rung(rating)
    for rung in range(low, high):
        _hand_over(sizes, GIVERS[rung % len(GIVERS)], TAKERS[rung % len(TAKERS)])
    for rung in reversed(range(high, low)):
        _hand_over(sizes, TAKERS[rung % len(TAKERS)], GIVERS[rung % len(GIVERS)])
    return _laid(replace(card, rating=rating), sizes)


def new_card(masters: Sequence[MatadorCard], name: str, rating: int, chance: Chance) -> MatadorCard:
    """A card for a new man, learned from one of the masters of his style and made his own.

    Over many men it has the mean ranges of the masters at that rating.
    """
    card = moved(chance.pick(masters), rating)
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
    """One number from a range to another, or from and to their greatest relations."""
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
    """The ranges that cover 1 to 100 as they follow each other on the card, empty ones first."""
    return sorted(_COVERING, key=lambda name: (getattr(card, name).low, _COVERING.index(name)))


def _laid(card: MatadorCard, sizes: dict[str, int]) -> MatadorCard:
    """The card with ranges of these sizes in their old order; VUELTA moves with the trophies."""
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
