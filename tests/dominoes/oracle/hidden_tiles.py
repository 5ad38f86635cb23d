"""Whether the tiles nobody saw can have lain so that all moves were legal.

Everything a log tells of hidden tiles is of one form: a tile came into a hand too early to be
compatible with what happened later. So each place a tile can have come to (dealt to a seat, drawn
by a seat at a move, left in the boneyard) is either possible for a tile or not, and the log stands
when all tiles find places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.dominoes.oracle.open_table import BEFORE, NotHeld, OpenHand, Place
from tests.dominoes.oracle.tiles import Tile, all_tiles


@dataclass
class Known:
    """What was written down beside the moves: tiles left, or dealt, by seat; None where not."""

    held: Sequence[list[Tile] | None]
    dealt: Sequence[list[Tile] | None]


def faults_of_hidden_tiles(table: OpenHand, known: Known) -> list[str]:
    """Whether every tile of the set can have been somewhere."""
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
    """The numbers of the places, in a fixed order, where this tile can have come to."""
    return [n for n, place in enumerate(places(table)) if can_be_at(table, known, tile, place)]


def places(table: OpenHand) -> list[Place]:
    """Every place there was: as many as there are tiles."""
    seats, size = range(len(table.counts)), table.rules["hand_size"]
    dealt = [Place(seat, BEFORE) for seat in seats for _ in range(size)]
    return dealt + table.drawn + [Place(None, BEFORE)] * table.boneyard


def can_be_at(table: OpenHand, known: Known, tile: Tile, place: Place) -> bool:
    """Whether the tile can have come to this place and all that happened still be legal."""
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
    """Whether what was written down lets this seat (None: nobody) have had the tile."""
    who = [at for at, tiles in enumerate(written) if tile in (tiles or [])]
    if seat is None or written[seat] is None:
        return not who
    return who == [seat]


def contradicts(table: OpenHand, tile: Tile, place: Place, fact: NotHeld) -> bool:
    """The tile would have been in that hand when it was not."""
    if fact.seat != place.seat or tile not in fact.tiles or place.since >= fact.at:
        return False
    return tile not in table.played or table.played[tile][1] >= fact.at


def everything_finds_a_place(possible: list[list[int]]) -> bool:
    """Whether all can be seated, one a place: each newcomer may ask others to move over."""
    taken: dict[int, int] = {}
    return all(seat_somewhere(possible, taken, who, set()) for who in range(len(possible)))


def seat_somewhere(
    possible: list[list[int]], taken: dict[int, int], who: int, asked: set[int]
) -> bool:
    """Seat one more, moving others over where that helps."""
    for place in possible[who]:
        if place in asked:
            continue
        asked.add(place)
        if place not in taken or seat_somewhere(possible, taken, taken[place], asked):
            taken[place] = who
            return True
    return False
