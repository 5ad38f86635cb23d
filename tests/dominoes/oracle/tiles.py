"""What is in the box and who sits at the table (Rulings D-1 and D-2)."""

from __future__ import annotations

from typing import Any, TypedDict, cast

Tile = tuple[int, int]


class Options(TypedDict):
    """The rule set, option by option, under the names the rulings give them."""

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
    """The rulebook's own options, some of them changed."""
    plain = Options(
        highest=6, hand_size=7, partners=False, lead="draw", set_highest_double=False,
        boneyard="draw", free_pass=False, out_wins=False, target=100, matadors="inline",
    )  # fmt: skip
    assert set(changes) <= set(plain)
    return cast(Options, {**plain, **changes})


def all_tiles(highest: int) -> list[Tile]:
    """Every tile of the double-n set once, lower half first (Ruling D-1)."""
    return [(low, high) for low in range(highest + 1) for high in range(low, highest + 1)]


def matching_number(highest: int) -> int:
    """What touching halves add up to: 7 with a double-six set (Ruling D-1)."""
    return highest + 1


def is_matador(tile: Tile, highest: int) -> bool:
    """The 0-0, and every tile whose halves add up to the matching number (Ruling D-1)."""
    return tile == (0, 0) or tile[0] + tile[1] == matching_number(highest)


def is_double(tile: Tile) -> bool:
    """Both halves alike."""
    return tile[0] == tile[1]


def lying_flat(tile: Tile) -> Tile:
    """The tile with its lower half first, however it was written."""
    return (min(tile), max(tile))


def pips(tiles: list[Tile]) -> int:
    """All the pips on some tiles."""
    return sum(a + b for a, b in tiles)


def doubles(tiles: list[Tile]) -> list[Tile]:
    """The doubles among some tiles, highest first."""
    return sorted((tile for tile in tiles if is_double(tile)), reverse=True)


def possible_players(rules: Options) -> list[int]:
    """From 2 up, while everybody can be dealt a hand; partners are four (Ruling D-2)."""
    in_the_box = len(all_tiles(rules["highest"]))
    enough = [n for n in range(2, in_the_box + 1) if n * rules["hand_size"] <= in_the_box]
    return [n for n in enough if n == 4] if rules["partners"] else enough


def sides(rules: Options, players: int) -> list[list[int]]:
    """The seats of every side: partners sit at 0+2 and 1+3 (Ruling D-2)."""
    return [[0, 2], [1, 3]] if rules["partners"] else [[seat] for seat in range(players)]


def next_seat(seat: int, players: int) -> int:
    """Play goes to the left (Ruling D-2)."""
    return (seat + 1) % players
