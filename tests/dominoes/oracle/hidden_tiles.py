"""Check whether the hidden tiles can have been dealt and drawn so that all moves were legal.

A log can only exclude that a tile came into a hand before a certain move. A place is where a tile
can have come to: dealt to a seat, drawn by a seat at a move, or left in the boneyard. Each place is
either possible or impossible for a tile. The log is accepted if all tiles can be assigned to
different places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.dominoes.oracle.open_table import BEFORE, NotHeld, OpenHand, TileLocation
from tests.dominoes.oracle.tiles import Tile, all_tiles


@dataclass
class Known:
    """Tiles of each seat that the scoresheet lists besides the moves: remaining tiles and dealt
    tiles.

    `None` if the tiles of a seat are not listed.
    """

    held: Sequence[list[Tile] | None]
    dealt: Sequence[list[Tile] | None]


def faults_of_hidden_tiles(table: OpenHand, known: Known) -> list[str]:
    """Return an error if the tiles of the set cannot be assigned to the places, otherwise no
    errors.
    """
    tiles = all_tiles(table.rules["highest"])
    sizes = [(table.counts[seat], held) for seat, held in enumerate(known.held)]
    sizes += [(table.rules["hand_size"], dealt) for dealt in known.dealt]
    if any(written is not None and len(written) != size for size, written in sizes):
        return ["somebody held more or fewer tiles"]
    for written in (known.held, known.dealt):
        together = [tile for some in written for tile in some or []]
        if len(set(together)) < len(together) or not set(together) <= set(tiles):
            return ["a tile is none, or was held twice"]
    if any(tile in table.played for held in known.held for tile in held or []):
        return ["a tile held lies"]
    possible = [places_for(table, known, tile) for tile in tiles]
    return [] if everything_finds_a_place(possible) else ["no deal makes this possible"]


def places_for(table: OpenHand, known: Known, tile: Tile) -> list[int]:
    """Return the numbers of all places to which this tile can have come, in a fixed order."""
    return [n for n, place in enumerate(places(table)) if can_be_at(table, known, tile, place)]


def places(table: OpenHand) -> list[TileLocation]:
    """Return all places of a hand; there are as many places as tiles."""
    seats, size = range(len(table.counts)), table.rules["hand_size"]
    dealt = [TileLocation(seat, BEFORE) for seat in seats for _ in range(size)]
    return dealt + table.drawn + [TileLocation(None, BEFORE)] * table.boneyard


def can_be_at(table: OpenHand, known: Known, tile: Tile, place: TileLocation) -> bool:
    """Return whether all moves can be legal if the tile came to this place."""
    if tile in table.played:
        player, played_at = table.played[tile]
        stayed = player == place.seat and place.since < played_at
    else:
        stayed = as_written(known.held, tile, place.seat)
    dealt_to = place.seat if place.since == BEFORE else None
    return (
        stayed
        and as_written(known.dealt, tile, dealt_to)
        and not any(contradicts(table, tile, place, fact) for fact in table.not_held)
    )


def as_written(written: Sequence[list[Tile] | None], tile: Tile, seat: int | None) -> bool:
    """Return whether the scoresheet allows that this seat held the tile.

    The seat `None` means that no seat held the tile.
    """
    who = [at for at, tiles in enumerate(written) if tile in (tiles or [])]
    if seat is None or written[seat] is None:
        return not who
    return who == [seat]


def contradicts(table: OpenHand, tile: Tile, place: TileLocation, fact: NotHeld) -> bool:
    """Return whether the tile would have been in a hand that cannot have held it."""
    if fact.seat != place.seat or tile not in fact.tiles or place.since >= fact.at:
        return False
    return tile not in table.played or table.played[tile][1] >= fact.at


def everything_finds_a_place(possible: list[list[int]]) -> bool:
    """Return whether all tiles can be assigned to different places in hands and the boneyard
    (bipartite matching).
    """
    taken: dict[int, int] = {}
    return all(seat_somewhere(possible, taken, who, set()) for who in range(len(possible)))


def seat_somewhere(
    possible: list[list[int]], taken: dict[int, int], who: int, asked: set[int]
) -> bool:
    """Assign one more tile to a place, moving other tiles to another place if necessary."""
    for place in possible[who]:
        if place in asked:
            continue
        asked.add(place)
        if place not in taken or seat_somewhere(possible, taken, taken[place], asked):
            taken[place] = who
            return True
    return False
