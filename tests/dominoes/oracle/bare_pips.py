"""Check whether distinct tiles of a set can have the pips that a scoresheet lists (Ruling D-10)."""

from __future__ import annotations

from functools import cache

from tests.dominoes.oracle.hand import LAST_TILES_THAT_STAY
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles

Figures = tuple[int, ...]


def drawable(rules: Options, players: int) -> int:
    """Return how many tiles can be drawn from the boneyard during a hand (Ruling D-5)."""
    left = len(all_tiles(rules["highest"])) - players * rules["hand_size"]
    return max(0, left - LAST_TILES_THAT_STAY) if rules["boneyard"] == "draw" else 0


def counts_allowed(rules: Options, counts: Figures, out: int | None) -> bool:
    """Check the number of remaining tiles of each seat.

    The player who went out must hold no tiles, and every other player at least one tile. Together
    the players must not hold more tiles than were dealt or drawn, less the tiles that were played.
    """
    size, most = rules["hand_size"], drawable(rules, len(counts))
    if any((count == 0) != (seat == out) for seat, count in enumerate(counts)):
        return False
    surely_drawn = sum(max(0, count - size) for count in counts)
    surely_played = size if out is not None else 1
    everything = size * len(counts) + most
    return surely_drawn <= most and sum(counts) <= everything - surely_played


def could_be_held(rules: Options, held: list[int], out: int | None) -> bool:
    """Return whether distinct tiles, in allowed numbers, can have these pips at each seat."""
    tiles = all_tiles(rules["highest"])
    ways = ways_to_hold(tiles, tuple(held))
    return any(counts_allowed(rules, counts, out) for counts in ways)


def ways_to_hold(tiles: list[Tile], held: Figures) -> frozenset[Figures]:
    """Return all combinations of tile counts by seat with which the seats can have these pips.

    Each tile of the set is held by at most one seat.
    """

    @cache
    def counts(first: int, missing: Figures) -> frozenset[Figures]:
        if first == len(tiles):
            return frozenset({tuple(0 for _ in held)} if not any(missing) else ())
        found = set(counts(first + 1, missing))
        for seat in range(len(held)):
            left = list(missing)
            left[seat] -= sum(tiles[first])
            if left[seat] >= 0:
                found |= {one_more(way, seat) for way in counts(first + 1, tuple(left))}
        return frozenset(found)

    return counts(0, held)


def one_more(counts: Figures, seat: int) -> Figures:
    """Return the counts after one seat has received another tile."""
    return tuple(count + (at == seat) for at, count in enumerate(counts))
