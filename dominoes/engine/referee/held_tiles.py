"""The tiles and pips that each seat still held according to the sheet (Ruling D-1)."""

from __future__ import annotations

from collections.abc import Sequence

from dominoes.engine.errors import NotationError
from dominoes.engine.moves import read_tile
from dominoes.engine.referee.reading import Held, Objection
from dominoes.engine.tiles import DominoSet, bits, write_tile

MAX_QUOTED = 40
# Characters of the input that are quoted.


class HeldTiles:
    """What each seat held: `tiles` (bit set) and `pips`, None if unknown."""

    def __init__(self, tiles: DominoSet, held: Sequence[Held]) -> None:
        self.set = tiles
        self.tiles: list[int | None] = [None] * len(held)
        self.pips: list[int | None] = [None] * len(held)
        self.objections: list[Objection] = []
        for seat, what in enumerate(held):
            self._read(seat, what)
        self._find_shared()

    def keep(self, seat: int, tiles: int) -> None:
        """Record that a seat held exactly these tiles."""
        self.tiles[seat] = tiles
        self.pips[seat] = self.set.pips(tiles)

    def known(self) -> int:
        """Return all tiles known to be in hands, as a bit set."""
        found = 0
        for tiles in self.tiles:
            found |= tiles or 0
        return found

    def _read(self, seat: int, what: Held) -> None:
        if what.tiles is not None:
            self.keep(seat, self._read_tiles(seat, what.tiles))
        if what.pips is None:
            return
        if what.pips < 0:
            self._object(seat, "pips_negative", pips=what.pips)
        elif self.pips[seat] is None:
            self.pips[seat] = what.pips
        elif self.pips[seat] != what.pips:
            self._object(seat, "pips_sum", pips=what.pips, sum=self.pips[seat] or 0)

    def _read_tiles(self, seat: int, written: Sequence[str]) -> int:
        found = 0
        for text in written[: len(self.set) + 1]:
            tile = read_set_tile(self.set, text)
            if tile is None:
                self._object(seat, "no_tile", tile=text[:MAX_QUOTED], highest=self.set.highest)
            elif found >> tile & 1:
                self._object(seat, "twice", tile=write_tile(tile))
            else:
                found |= 1 << tile
        return found

    def _find_shared(self) -> None:
        """Object to a tile held by two players."""
        owners: dict[int, int] = {}
        for seat, tiles in enumerate(self.tiles):
            for tile in bits(tiles or 0):
                other = owners.setdefault(tile, seat)
                if other != seat:
                    self._object(seat, "shared", tile=write_tile(tile), other=other)

    def _object(self, seat: int, code: str, **params: str | int) -> None:
        self.objections.append(Objection(f"held/{seat}", code, {"seat": seat, **params}))


def read_set_tile(tiles: DominoSet, text: str) -> int | None:
    """Return the number of a tile in notation, or None if the set has no such tile."""
    try:
        tile = read_tile(text)
    except NotationError:
        return None
    return tile if tile < len(tiles) else None
