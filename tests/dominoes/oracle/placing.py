"""How a tile may be laid at an end of the train, and the new end (Rulings D-4 and D-9)."""

from __future__ import annotations

from typing import NamedTuple

from tests.dominoes.oracle.tiles import Options, Tile, is_double, is_matador, matching_number


class End(NamedTuple):
    """One end of the train.

    `half`: one open half must be matched. `either`: a matador lies across and either of its halves
    may be matched. `blank`: a matador lies across on a blank, so another blank must follow.
    """

    kind: str
    halves: Tile | tuple[int]


class TilePlacement(NamedTuple):
    """How a tile is placed at an end.

    A tile lying across has neither half inward, except under `crosswise_stub`.
    """

    inward: int | None
    outward: int | None
    across: bool


def ways_round(tile: Tile) -> list[Tile]:
    """Return the tile as (inward, outward) in both directions; a double has only one."""
    return [tile] if is_double(tile) else [tile, (tile[1], tile[0])]


def fits_inline(tile: Tile, end: End, highest: int) -> list[TilePlacement]:
    """Return the ways to place a tile in line (Ruling D-4).

    The inward half and the end must add up to the matching number. A matador fits any end in both
    directions.
    """
    ways = []
    for inward, outward in ways_round(tile):
        adds_up = any(inward + half == matching_number(highest) for half in end.halves)
        if is_matador(tile, highest) or adds_up:
            ways.append(TilePlacement(inward, outward, across=False))
    return ways


def fits_crosswise_open(tile: Tile, end: End, highest: int) -> list[TilePlacement]:
    """Return the ways to place a tile if a matador may also lie across (Ruling D-9).

    It may not lie across directly after another matador across.
    """
    ways = fits_inline(tile, end, highest)
    if is_matador(tile, highest) and end.kind == "half":
        ways.append(TilePlacement(None, None, across=True))
    return ways


def fits_crosswise_on_blank(tile: Tile, end: End, highest: int) -> list[TilePlacement]:
    """Return the ways to place a tile if a matador on a blank lies across (Ruling D-9).

    The next tile at this end must then have a blank inward.
    """
    if end.kind == "blank":
        return [TilePlacement(i, o, across=False) for i, o in ways_round(tile) if i == 0]
    if is_matador(tile, highest) and end.halves == (0,):
        return [TilePlacement(None, None, across=True)]
    return fits_inline(tile, end, highest)


def fits_crosswise_stub(tile: Tile, end: End, highest: int) -> list[TilePlacement]:
    """Return the ways to place a tile under `crosswise_stub` (Ruling D-9).

    They are the same as in line, but a matador is drawn across with its outward half in line.
    """
    across = is_matador(tile, highest)
    return [
        TilePlacement(way.inward, way.outward, across) for way in fits_inline(tile, end, highest)
    ]


READINGS = {
    "inline": fits_inline,
    "crosswise_open": fits_crosswise_open,
    "crosswise_on_blank": fits_crosswise_on_blank,
    "crosswise_stub": fits_crosswise_stub,
}


def ways_to_place(rules: Options, tile: Tile, end: End) -> list[TilePlacement]:
    """Return all ways to place the tile at this end, or none if it does not fit."""
    return READINGS[rules["matadors"]](tile, end, rules["highest"])


def end_left_by(rules: Options, tile: Tile, way: TilePlacement) -> End:
    """Return the end that the next tile must match."""
    if way.outward is not None:
        return End("half", (way.outward,))
    if rules["matadors"] == "crosswise_open":
        return End("either", tile)
    return End("blank", (0,))


def ends_of_first(tile: Tile) -> tuple[End, End]:
    """Return both ends of the first tile, which always lies in line (Ruling D-4)."""
    return End("half", (tile[0],)), End("half", (tile[1],))
