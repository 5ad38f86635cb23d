"""How a tile may lie at an end of the train, and what end it leaves (Rulings D-4 and D-9)."""

from __future__ import annotations

from typing import NamedTuple

from tests.dominoes.oracle.tiles import Options, Tile, is_double, is_matador, matching_number


class End(NamedTuple):
    """One end of the train.

    `half`: one open half, to be matched. `either`: a matador across, either of whose halves may
    be matched. `blank`: a matador across on a blank, which asks for another blank.
    """

    kind: str
    halves: Tile | tuple[int]


class Way(NamedTuple):
    """How a tile is put down; a matador across has neither half inward, save in a stub."""

    inward: int | None
    outward: int | None
    across: bool


def ways_round(tile: Tile) -> list[Tile]:
    """The tile as (inward, outward), both ways; a double has but one."""
    return [tile] if is_double(tile) else [tile, (tile[1], tile[0])]


def fits_inline(tile: Tile, end: End, highest: int) -> list[Way]:
    """Ruling D-4: inward half and end make N; a matador fits any end, either way round."""
    ways = []
    for inward, outward in ways_round(tile):
        adds_up = any(inward + half == matching_number(highest) for half in end.halves)
        if is_matador(tile, highest) or adds_up:
            ways.append(Way(inward, outward, across=False))
    return ways


def fits_crosswise_open(tile: Tile, end: End, highest: int) -> list[Way]:
    """Ruling D-9: a matador may also lie across, but not right after one that does."""
    ways = fits_inline(tile, end, highest)
    if is_matador(tile, highest) and end.kind == "half":
        ways.append(Way(None, None, across=True))
    return ways


def fits_crosswise_on_blank(tile: Tile, end: End, highest: int) -> list[Way]:
    """Ruling D-9: a matador on a blank lies across, and then a blank must follow."""
    if end.kind == "blank":
        return [Way(i, o, across=False) for i, o in ways_round(tile) if i == 0]
    if is_matador(tile, highest) and end.halves == (0,):
        return [Way(None, None, across=True)]
    return fits_inline(tile, end, highest)


def fits_crosswise_stub(tile: Tile, end: End, highest: int) -> list[Way]:
    """Ruling D-9: as inline, only that a matador is drawn across, its outward half in line."""
    across = is_matador(tile, highest)
    return [Way(way.inward, way.outward, across) for way in fits_inline(tile, end, highest)]


READINGS = {
    "inline": fits_inline,
    "crosswise_open": fits_crosswise_open,
    "crosswise_on_blank": fits_crosswise_on_blank,
    "crosswise_stub": fits_crosswise_stub,
}


def ways_to_place(rules: Options, tile: Tile, end: End) -> list[Way]:
    """Every way the tile may lie at this end; none where it does not fit."""
    return READINGS[rules["matadors"]](tile, end, rules["highest"])


def end_left_by(rules: Options, tile: Tile, way: Way) -> End:
    """What the next tile at this end has to match."""
    if way.outward is not None:
        return End("half", (way.outward,))
    if rules["matadors"] == "crosswise_open":
        return End("either", tile)
    return End("blank", (0,))


def ends_of_first(tile: Tile) -> tuple[End, End]:
    """Ruling D-4: the first tile lies inline, a matador too; both halves are ends."""
    return End("half", (tile[0],)), End("half", (tile[1],))
