"""Tiles of a domino set, and the players and sides at the table (Rulings D-1 and D-2)."""

from __future__ import annotations

from typing import Any, TypedDict, cast

Tile = tuple[int, int]


class Options(TypedDict):
    """All options of a rule set, named as in the rulings."""

    highest: int
    hand_size: int
    partners: bool
    lead: str
    set_highest_double: bool
    boneyard: str
    free_pass: bool
    out_wins: bool
    target: int
    matadors: str


def options(**changes: Any) -> Options:
    """Return the options of the rulebook with these changes."""
    plain = Options(
        highest=6, hand_size=7, partners=False, lead="draw", set_highest_double=False,
        boneyard="draw", free_pass=False, out_wins=False, target=100, matadors="inline",
    )  # fmt: skip
    assert set(changes) <= set(plain)
    return cast(Options, {**plain, **changes})


def all_tiles(highest: int) -> list[Tile]:
    """Return every tile of the double-n set once, with its lower half first (Ruling D-1)."""
    return [(low, high) for low in range(highest + 1) for high in range(low, highest + 1)]


def matching_number(highest: int) -> int:
    """Return the number to which touching halves add up: 7 with a double-six set (Ruling D-1)."""
    return highest + 1


def is_matador(tile: Tile, highest: int) -> bool:
    """Return whether a tile is a matador (Ruling D-1).

    Matadors are the 0-0 and tiles whose halves add up to the matching number.
    """
    return tile == (0, 0) or tile[0] + tile[1] == matching_number(highest)


def is_double(tile: Tile) -> bool:
    """Return whether both halves of the tile are equal."""
    return tile[0] == tile[1]


def lying_flat(tile: Tile) -> Tile:
    """Return the tile with its lower half first."""
    return (min(tile), max(tile))


def pips(tiles: list[Tile]) -> int:
    """Return the sum of the pips on these tiles."""
    return sum(a + b for a, b in tiles)


def doubles(tiles: list[Tile]) -> list[Tile]:
    """Return the doubles among these tiles, highest first."""
    return sorted((tile for tile in tiles if is_double(tile)), reverse=True)


def possible_players(rules: Options) -> list[int]:
    """Return the allowed numbers of players (Ruling D-2).

    Every player must be dealt a hand; partners are always four.
    """
    in_the_box = len(all_tiles(rules["highest"]))
    enough = [n for n in range(2, in_the_box + 1) if n * rules["hand_size"] <= in_the_box]
    return [n for n in enough if n == 4] if rules["partners"] else enough


def sides(rules: Options, players: int) -> list[list[int]]:
    """Return the seats of every side: partners sit at 0 and 2, and at 1 and 3 (Ruling D-2)."""
    return [[0, 2], [1, 3]] if rules["partners"] else [[seat] for seat in range(players)]


def next_seat(seat: int, players: int) -> int:
    """Return the next seat on the left (Ruling D-2)."""
    return (seat + 1) % players
