"""Moves a matador's card along the ladder of ratings, since version 3 of the winter's rules.

Every point of rating moves one number on the card: from a verdict of the crowd to one ear, from one
ear to two, from two ears to the tail, or it makes VUELTA (lap of honour) one number wider. The same
steps back restore a card with the minimum widths of `MINIMA` at rating `PIVOT`, for all ratings
from 40 to 99. Other cards stay valid, and a higher rating never makes them worse.
"""

from __future__ import annotations

from dataclasses import replace

from corridas.engine import CROWD_RANGES, HIGHEST, TROPHY_RANGES, MatadorCard, Range
from corridas.world.winter.widths import (
    EMPTY,
    Widths,
    laid,
    trophy_shift,
    widest,
    widths,
    with_ranges,
)

# What a point of rating brings, by its remainder when divided by 20: E, a verdict becomes an ear;
# D, an ear becomes two; R, two ears become a tail; V, VUELTA begins one number earlier.
LADDER = "EDVEDEVERDEDVEDEVEDE"
# The verdicts that become an ear, in turn. SILENCIO gives for a verdict that a card lacks.
GIVERS = ("silencio", "pitos", "aplausos", "silencio", "division")
# New cards are made at this rating and then moved.
PIVOT = 75
# The least widths at rating `PIVOT` with which a card can be moved to any rating from 40 to 99 and
# back. A verdict other than SILENCIO may also be missing.
MINIMA = {
    "oreja": 8,
    "dos_orejas": 12,
    "rabo": 3,
    "silencio": 12,
    "pitos": 4,
    "division": 4,
    "aplausos": 4,
}
# VUELTA at rating `PIVOT`: its least width, and the numbers between which it lies. A card may also
# have none.
LEAST_VUELTA, FIRST_VUELTA, LAST_VUELTA = 10, 17, 80


def climbed(card: MatadorCard, rating: int) -> MatadorCard:
    """Return the card with this rating, moved by one number for each point of rating."""
    sizes, laps = widths(card), 0
    for point in range(card.rating + 1, rating + 1):
        laps += _step(sizes, point, up=True)
    for point in range(card.rating, rating, -1):
        laps -= _step(sizes, point, up=False)
    return replace(with_widths(card, sizes, laps), rating=rating)


def widened(card: MatadorCard) -> MatadorCard:
    """Return a card of rating `PIVOT` with at least the minimum widths.

    A missing range stays missing, except SILENCIO. The numbers come from the range that can spare
    most: for a trophy from a trophy, for a verdict from a verdict, if one can spare any.
    """
    sizes = widths(card)
    for name, least in MINIMA.items():
        while (sizes[name] or name == "silencio") and sizes[name] < least:
            sizes[_most_to_spare(sizes, name)] -= 1
            sizes[name] += 1
    changed = with_widths(card, sizes)
    return replace(changed, vuelta=_within(changed.vuelta))


def with_widths(card: MatadorCard, sizes: Widths, laps: int = 0) -> MatadorCard:
    """Return the card with other widths; VUELTA follows the trophies and gets wider by `laps`."""
    ranges = laid(card, sizes)
    vuelta = _lap(card.vuelta, trophy_shift(card, ranges), laps)
    return with_ranges(card, ranges, vuelta)


def _step(sizes: Widths, point: int, *, up: bool) -> int:
    """Take the step between the rating `point` and the one below it.

    Return by how many numbers it makes VUELTA wider.
    """
    turn, place = divmod(point, len(LADDER))
    kind = LADDER[place]
    if kind == "V":
        return 1
    if kind == "E":
        ears = turn * LADDER.count("E") + LADDER[:place].count("E")
        giver, taker = GIVERS[ears % len(GIVERS)], "oreja"
    elif kind == "D":
        giver, taker = "oreja", "dos_orejas"
    else:
        giver, taker = "dos_orejas", "rabo"
    _hand_over(sizes, *((giver, taker) if up else (taker, giver)))
    return 0


def _hand_over(sizes: Widths, giver: str, taker: str) -> None:
    """Move one number from one range to another. No range vanishes or appears."""
    giver, taker = _on_card(sizes, giver), _on_card(sizes, taker)
    if sizes[giver] < 2 and giver in CROWD_RANGES:
        giver = widest(sizes, CROWD_RANGES)
    if sizes[giver] > 1 and sizes[taker]:
        sizes[giver] -= 1
        sizes[taker] += 1


def _on_card(sizes: Widths, name: str) -> str:
    """Return the range, or the verdict that stands for it if the card lacks it."""
    if sizes[name] or name in TROPHY_RANGES:
        return name
    return "silencio" if sizes["silencio"] else widest(sizes, CROWD_RANGES)


def _most_to_spare(sizes: Widths, taker: str) -> str:
    spare = {name: size - MINIMA.get(name, 1) for name, size in sizes.items() if size}
    family = TROPHY_RANGES if taker in TROPHY_RANGES else CROWD_RANGES
    near = [name for name in family if spare.get(name, 0) > 0]
    return widest(spare, near or spare)


def _lap(extent: Range, shift: int, laps: int) -> Range:
    """Return VUELTA after the first trophy has moved by `shift`, wider by `laps` at its low end.

    At the ends of the card it keeps its width.
    """
    if not extent.size:
        return EMPTY
    width = max(1, min(HIGHEST, extent.size + laps))
    high = max(width, min(HIGHEST, extent.high + shift))
    return Range(high - width + 1, high)


def _within(extent: Range) -> Range:
    """Return VUELTA with its minimum width and between its bounds at rating `PIVOT`."""
    if not extent.size:
        return EMPTY
    width = max(LEAST_VUELTA, min(LAST_VUELTA - FIRST_VUELTA + 1, extent.size))
    high = max(FIRST_VUELTA + width - 1, min(LAST_VUELTA, extent.high))
    return Range(high - width + 1, high)
