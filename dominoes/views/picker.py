"""The tiles of a set, laid out to be ticked: row by row, each suit with the one it adds up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dominoes import words
from dominoes.engine import NotationError, Rules, domino_set, read_tile, write_tile
from dominoes.stage import Drawn, one

ONE_ROW = 6
"""Up to a double-six set a row has room for all tiles of a suit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """One tile of a picker. `others`: the seats that hold it too; `laid`: it lies in the train."""

    number: int
    drawn: Drawn
    value: str
    name: str
    checked: bool
    others: tuple[int, ...]
    turned: bool
    laid: bool

    @property
    def classes(self) -> str:
        """How it is drawn."""
        found = ["is-turned"] if self.turned else []
        if self.others:
            found.append("is-twice" if self.checked else "is-taken")
        return " ".join([*found, "is-laid"] if self.laid else found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picker:
    """What one seat was left with: its tiles, how many, their pips."""

    seat: int
    tiles: tuple[Ticked, ...]
    count: int
    sum: int
    pips: str
    small: bool

    @property
    def disputed(self) -> bool:
        """Whether somebody else is said to hold one of these tiles too."""
        return any(tick.checked and tick.others for tick in self.tiles)


def order_of(highest: int) -> list[tuple[int, bool]]:
    """The tiles row by row: suit r, then the suit n + 1 - r that makes the sum with it.

    With each whether it belongs to that other suit.
    """
    tiles, found = domino_set(highest), []
    for low in range((highest + 2) // 2):
        found += [(tiles.index(low, high), False) for high in range(low, highest + 1)]
        other = highest + 1 - low
        if low < other <= highest:
            found += [(tiles.index(other, high), True) for high in range(other, highest + 1)]
    if highest % 2:
        middle = (highest + 1) // 2
        found += [(tiles.index(middle, high), False) for high in range(middle, highest + 1)]
    return found


def picker(
    rules: Rules, seat: int, held: Mapping[int, Sequence[str]], pips: str, played: int = 0
) -> Picker:
    """The picker of one seat; `held` are the tiles of all of them, `played` those of the train."""
    owners = owners_of(held)
    tiles = domino_set(rules.highest)
    ticked = [
        Ticked(
            number=tile,
            drawn=one(rules, tile),
            value=write_tile(tile),
            name=words.tile_name(rules, tile),
            checked=seat in owners.get(tile, ()),
            others=tuple(other for other in owners.get(tile, ()) if other != seat),
            turned=turned and rules.highest <= ONE_ROW,
            laid=bool(played >> tile & 1),
        )
        for tile, turned in order_of(rules.highest)
    ]
    chosen = [tick.number for tick in ticked if tick.checked]
    return Picker(
        seat=seat,
        tiles=tuple(ticked),
        count=len(chosen),
        sum=sum(sum(tiles.tiles[tile]) for tile in chosen),
        pips=pips,
        small=rules.highest <= ONE_ROW,
    )


def owners_of(held: Mapping[int, Sequence[str]]) -> dict[int, tuple[int, ...]]:
    """By tile, the seats that hold it; what is no tile is nobody's."""
    found: dict[int, tuple[int, ...]] = {}
    for seat, texts in held.items():
        for text in dict.fromkeys(texts):
            try:
                tile = read_tile(text)
            except NotationError:
                continue
            found[tile] = (*found.get(tile, ()), seat)
    return found
