"""Compare the events that a feed has sent with what their reader may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.e2e.book import Lying, Positions, TableRows
from tests.e2e.fragment import FragmentTiles, Tile


class EventReading(NamedTuple):
    """One event: the tiles it reveals, the drawn ones among them, and secret seeds in its text.

    `lying` is the position of the tiles at that moment; `hidden` are the tiles that must not be
    revealed.
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
    """Return what the events (number and text) reveal to a seat, or to a spectator (None)."""
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
    """Return the events that reveal secrets: number, hidden tiles, secret seeds."""
    return [
        (one.number, one.tiles & one.hidden, one.seeds)
        for one in found
        if one.seeds or one.tiles & one.hidden
    ]
