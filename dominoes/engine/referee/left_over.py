"""Whether a hand can have left just these tiles: the others make a train (Rulings D-3 to D-6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dominoes.engine.fits import fits_of
from dominoes.engine.moves import MOVES
from dominoes.engine.referee.written import Objection
from dominoes.engine.rules import STAYING, Rules
from dominoes.engine.tiles import TILES, bits, domino_set, write_tile

MOST_TRAINS: Final = 7_000
"""So many trains are laid in a search; past that nothing is said against the tiles left."""

Train = tuple[int, int, int]
"""The tiles that lie, as a bit set, and the state of both ends, the lower first."""


def object_to_left_over(rules: Rules, held: Sequence[int], out: int | None) -> list[Objection]:
    """What speaks against these tiles by seat, bit sets, at the end of a hand without a log.

    Neither whose turn it was nor who laid what is asked: what stands need not have been played so.
    """
    together = 0
    for tiles in held:
        together |= tiles
    fault = _double_that_led(rules, held, together)
    if fault is not None:
        return [fault]
    blocked = out is None and not rules.free_pass
    search = _Search(rules, together, _lengths(rules, held, out), blocked)
    if search.finds_a_train():
        return []
    return [Objection("held", "no_block" if blocked else "no_train")]


def _double_that_led(rules: Rules, held: Sequence[int], together: int) -> Objection | None:
    """Ruling D-3: where nobody draws, the highest double that was dealt leads."""
    if rules.lead != "highest_double" or rules.boneyard != "pass":
        return None
    doubles = domino_set(rules.highest).doubles
    # tiles are numbered so that a higher double has a higher number
    if not doubles & together or doubles & ~together > doubles & together:
        return None
    tile = (doubles & together).bit_length() - 1
    seat = next(seat for seat, tiles in enumerate(held) if tiles >> tile & 1)
    return Objection(f"held/{seat}", "double_led", {"seat": seat, "tile": write_tile(tile)})


def _lengths(rules: Rules, held: Sequence[int], out: int | None) -> range:
    """How many tiles can lie (Ruling D-5)."""
    count = sum(map(int.bit_count, held))
    dealt = rules.hand_size * len(held)
    if rules.boneyard == "pass":
        return range(dealt - count, dealt - count + 1)
    most = max(dealt, len(domino_set(rules.highest)) - STAYING) - count
    if out is None and not rules.free_pass:
        return range(most, most + 1)  # nobody passes while there is something to draw
    least = rules.hand_size if out is not None else 1
    return range(max(least, dealt - count), most + 1)


class _Search:
    """The search for a train of the tiles that nobody holds.

    `lengths`: how many tiles lie at the end. `blocked`: nobody can go on but with a matador.
    """

    def __init__(self, rules: Rules, together: int, lengths: range, blocked: bool) -> None:
        self.fits = fits_of(rules.highest, rules.matadors)
        self.free = domino_set(rules.highest).all & ~together
        self.lengths = lengths
        self.unplayable = together if blocked else 0
        self.seen: set[Train] = set()

    def finds_a_train(self) -> bool:
        """Whether there is one, or nobody knows: the search was given up."""
        waiting = list(self._first())
        while waiting:
            train = waiting.pop()
            if train in self.seen:
                continue
            self.seen.add(train)
            if len(self.seen) > MOST_TRAINS or self._ends_so(train):
                return True
            if train[0].bit_count() < self.lengths[-1]:
                waiting += self._longer(train)
        return False

    def _ends_so(self, train: Train) -> bool:
        laid, left, right = train
        plain = self.fits.plain[left] | self.fits.plain[right]
        return laid.bit_count() in self.lengths and not plain & self.unplayable

    def _first(self) -> Iterator[Train]:
        """Any tile set first; both its halves are ends (Ruling D-4)."""
        if self.lengths and self.lengths[-1] > 0:
            for tile in bits(self.free):
                low, high = TILES[tile]
                yield 1 << tile, low, high

    def _longer(self, train: Train) -> Iterator[Train]:
        """The trains with one tile more, at either end."""
        laid, *ends = train
        free = self.free & ~laid
        for end, other in ((ends[0], ends[1]), (ends[1], ends[0])):
            spot = self.fits.spots[end]
            for code in spot.right[free & spot.fits]:
                tile = MOVES[code].tile
                assert tile is not None
                low, high = sorted((self.fits.after[code], other))
                yield laid | 1 << tile, low, high
