"""What a feed told somebody, held against what they may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.e2e.book import Lying, Positions, TableRows
from tests.e2e.fragment import FragmentTiles, Tile


class EventReading(NamedTuple):
    """One event: tiles it tells of, those of them it draws, sealed seeds it holds.

    `lying`: where the tiles were at that moment; `hidden`: those not to be known.
    """

    number: int
    tiles: set[Tile]
    drawn: set[Tile]
    seeds: list[str]
    lying: Lying
    hidden: frozenset[Tile]


def readings(
    book: TableRows, told: Sequence[tuple[int, str]], seat: int | None
) -> list[EventReading]:
    """What was told to a seat, or (None) to watchers: of each event the number and the text."""
    moments, positions, deals = book.moments(), Positions(book), book.deals()
    found = []
    for number, text in told:
        moment, read = moments[number], FragmentTiles(text, positions.tiles)
        lying = positions.after(moment.round, moment.moves)
        opened = moment.round if lying.over else moment.round - 1
        sealed = [deal.seed.hex() for deal in deals if deal.number > opened]
        seeds = [seed for seed in sealed if seed in text]
        hidden = lying.hidden_from(seat)
        found.append(EventReading(number, read.tiles, set(read.drawn), seeds, lying, hidden))
    return found


def given_away(found: Sequence[EventReading]) -> list[tuple[int, set[Tile], list[str]]]:
    """Events that tell what they must not: number, hidden tiles, sealed seeds."""
    return [
        (one.number, one.tiles & one.hidden, one.seeds)
        for one in found
        if one.seeds or one.tiles & one.hidden
    ]
