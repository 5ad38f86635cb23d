"""Adapts a matador's card to a new rating, and creates cards for new matadors.

A card divides the numbers 1 to 100 into ranges for trophies and for verdicts of the crowd. Since
version 3 of the winter's rules, a card moves along the ladder of `ladder.py`.

On the bundled cards of versions 1 and 2, trophies gain about one number for every fifteen points of
rating (see docs/careers.md). The rest of a card is the matador's style. So in these versions a card
changes by one step for every `RUNG` points of rating: one number moves from a verdict to a trophy.
In version 2, a change within a step moves one number between two verdicts, so that every change of
rating changes the card. The same steps up and down restore the card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from corridas.engine import CROWD_RANGES, TROPHY_RANGES, MatadorCard, Range
from corridas.world.winter import ladder
from corridas.world.winter.widths import (
    Widths,
    in_order,
    laid,
    trophy_shift,
    widest,
    widths,
    with_ranges,
)
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


def moved(card: MatadorCard, rating: int, *, version: int = 1) -> MatadorCard:
    """Return a valid card with this rating and slightly better or worse ranges.

    `version` is the version of the winter's rules.
    """
    if rating == card.rating:
        return card
    if version > 2:
        return ladder.climbed(card, rating)
    sizes = widths(card)
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
    master = chance.pick(masters)
    if version > 2:
        card = ladder.widened(ladder.climbed(master, ladder.PIVOT))
        varied = ladder.with_widths(card, _varied_widths(card, ladder.MINIMA, chance))
        card = ladder.climbed(ladder.widened(varied), rating)
    else:
        card = moved(master, rating, version=version)
        card = _laid(card, _varied_widths(card, {}, chance))
    return replace(card, name=name, alternativa=None)


def _varied_widths(card: MatadorCard, least: Mapping[str, int], chance: Chance) -> Widths:
    """Return the widths after `MUTATIONS` numbers have moved between neighbouring ranges.

    `least` are the minimum widths, 1 for other ranges.
    """
    sizes = widths(card)
    line = [name for name in in_order(card) if sizes[name]]
    for _ in range(MUTATIONS if len(line) > 1 else 0):
        place = chance.below(len(line) - 1)
        giver, taker = chance.shuffled(line[place : place + 2])
        if sizes[giver] > least.get(giver, 1):
            sizes[giver] -= 1
            sizes[taker] += 1
    return sizes


def _rung(rating: int) -> int:
    return rating // RUNG


def _hand_over(sizes: Widths, giver: str, taker: str) -> None:
    """Move one number from the range `giver` to the range `taker`.

    A range that is too small is replaced by the largest one of the same group (trophies or
    verdicts).
    """
    giver = giver if sizes[giver] > 1 else widest(sizes, _family(giver))
    taker = taker if sizes[taker] else widest(sizes, _family(taker))
    if sizes[giver] > 1 and sizes[taker]:
        sizes[giver] -= 1
        sizes[taker] += 1


def _family(name: str) -> Iterable[str]:
    return TROPHY_RANGES if name in TROPHY_RANGES else CROWD_RANGES


def _laid(card: MatadorCard, sizes: Widths) -> MatadorCard:
    """Return the card with ranges of these sizes in the same order as before.

    The VUELTA range (lap of honour) moves with the trophies.
    """
    ranges = laid(card, sizes)
    vuelta = _shifted(card.vuelta, trophy_shift(card, ranges))
    return with_ranges(card, ranges, vuelta)


def _shifted(extent: Range, shift: int) -> Range:
    low, high = extent.low + shift, extent.high + shift
    return Range(low, high) if extent.size and low >= 1 and high <= 100 else extent
