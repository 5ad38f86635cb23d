"""Whether distinct tiles of one set can have the pips that were written down (Ruling D-10).

An exact search with a limit: an answer of *impossible* is a proof, and a search that reaches its
limit answers that nothing speaks against the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from dominoes.engine.tiles import PIPS, bits

LIMIT: Final = 20_000
"""Steps of the search, about a third of a second at most."""


class Share(NamedTuple):
    """What one player still held.

    `pips`: their sum. `least`, `most`: how many tiles. `free`: as many without having drawn.
    `among`: the tiles it can be, as a bit set.
    """

    pips: int
    least: int
    most: int
    free: int
    among: int


class _Kind(NamedTuple):
    """Tiles that are alike here: same pips, open to the same players."""

    pips: int
    open_to: int


class _Limit(Exception):  # noqa: N818  no error, the end of patience
    """The search has taken as many steps as it may."""


def possible(shares: Sequence[Share], drawn: int) -> bool:
    """Whether all can hold what they say at once, drawing `drawn` tiles at most together.

    False is a proof; True also stands for a search given up.
    """
    if not shares:
        return True
    if any(_out_of_bounds(share) for share in shares):
        return False
    try:
        return _Search(shares, drawn).run()
    except _Limit:
        return True


def bounds(share: Share) -> tuple[int, int]:
    """The fewest and the most pips that so many of these tiles can have."""
    values = sorted(PIPS[tile] for tile in bits(share.among))
    most = min(share.most, len(values))
    if most < share.least:
        return (1, 0)
    return sum(values[: share.least]), sum(values[len(values) - most :])


def _out_of_bounds(share: Share) -> bool:
    low, high = bounds(share)
    return not low <= share.pips <= high


class _Search:
    """Players one after the other, the least free first; each picks tiles kind by kind."""

    def __init__(self, shares: Sequence[Share], drawn: int) -> None:
        self.shares = sorted(shares, key=_freedom)
        self.kinds, self.counts = _kinds(self.shares)
        self.drawn = drawn
        self.steps = 0
        self.seen: set[tuple[int, int, tuple[int, ...]]] = set()

    def run(self) -> bool:
        """Whether there is a way."""
        ways = [self._ways(0, self.drawn)]
        while ways:
            drawn = next(ways[-1], None)
            if drawn is None:
                ways.pop()
            elif len(ways) == len(self.shares):
                return True
            elif self._is_new(len(ways), drawn):
                ways.append(self._ways(len(ways), drawn))
        return False

    def _is_new(self, number: int, drawn: int) -> bool:
        """Whether this player has not been tried with just these tiles left."""
        key = (number, drawn, tuple(self.counts))
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _ways(self, number: int, drawn: int) -> Iterator[int]:
        """Every way this player can have the pips, as the tiles others may still draw.

        While a way stands its tiles are taken from `counts`.
        """
        share = self.shares[number]
        for count in _by_likelihood(share, drawn):
            left = drawn - max(0, count - share.free)
            for _way in self._picks(number, 0, count, share.pips):
                yield left

    def _picks(self, number: int, kind: int, count: int, pips: int) -> Iterator[None]:
        """Every way in which `count` more tiles from this kind on have the pips."""
        self.steps += 1
        if self.steps > LIMIT:
            raise _Limit
        if count == 0 or kind == len(self.kinds):
            if count == pips == 0:
                yield
            return
        if not self._reachable(number, kind, count, pips):
            return
        here = self.kinds[kind]
        most = min(self.counts[kind], count) if here.open_to >> number & 1 else 0
        for taken in range(most, -1, -1):
            self.counts[kind] -= taken
            yield from self._picks(number, kind + 1, count - taken, pips - taken * here.pips)
            self.counts[kind] += taken

    def _reachable(self, number: int, kind: int, count: int, pips: int) -> bool:
        """Whether the sum lies between the lowest and the highest that are left."""
        high = self._extreme(number, range(kind, len(self.kinds)), count)
        low = self._extreme(number, range(len(self.kinds) - 1, kind - 1, -1), count)
        return high is not None and low is not None and low <= pips <= high

    def _extreme(self, number: int, order: range, count: int) -> int | None:
        """The pips of the first `count` tiles in this order; None where there are not so many."""
        found = 0
        for kind in order:
            if self.kinds[kind].open_to >> number & 1:
                taken = min(count, self.counts[kind])
                found += taken * self.kinds[kind].pips
                count -= taken
                if not count:
                    return found
        return None


def _freedom(share: Share) -> int:
    """How far the sum is from the lowest and the highest there can be."""
    low, high = bounds(share)
    return min(share.pips - low, high - share.pips)


def _by_likelihood(share: Share, drawn: int) -> list[int]:
    """How many tiles it may be, the usual number for such a sum first."""
    most = min(share.most, share.free + drawn)
    values = [PIPS[tile] for tile in bits(share.among)]
    usual = sum(values) / max(1, len(values)) or 1
    return sorted(range(share.least, most + 1), key=lambda count: abs(count * usual - share.pips))


def _kinds(shares: Sequence[Share]) -> tuple[list[_Kind], list[int]]:
    """The kinds of tiles, highest pips first, and how many there are of each."""
    found: dict[_Kind, int] = {}
    everything = 0
    for share in shares:
        everything |= share.among
    for tile in bits(everything):
        open_to = sum(1 << number for number, share in enumerate(shares) if share.among >> tile & 1)
        kind = _Kind(PIPS[tile], open_to)
        found[kind] = found.get(kind, 0) + 1
    kinds = sorted(found, reverse=True)
    return kinds, [found[kind] for kind in kinds]
