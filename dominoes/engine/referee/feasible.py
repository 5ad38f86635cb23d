"""Search for different tiles of one set that have the recorded pips (Ruling D-10).

The referee uses it if only the pips left in each hand are recorded. Tiles are assigned to players
one by one. Before each assignment, every group of players is checked: can the remaining tiles have
as many pips as the group still needs? If not, the search does not continue there. Most impossible
cases are found before the first assignment.

Both *impossible* and *possible* are proofs. A search that reaches its limit returns *undecided*.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import accumulate
from typing import Final, NamedTuple

from dominoes.engine.tiles import MAX_DOUBLE, PIPS, bits

# Maximum number of checks of player groups per hand. They take about a third of a second.
MAX_STEPS: Final = 400_000
# Hands with at most this many pips get their tiles before all other hands.
FEW_PIPS: Final = 6
# Maximum number of players for which every group of players is checked.
MAX_GROUPED_PLAYERS: Final = 6


class PipsVerdict(Enum):
    """Result of the search for tiles with the recorded pips."""

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


class HiddenTiles(NamedTuple):
    """A player's remaining tiles, of which only the pips are known.

    `pips`: their sum. `least`, `most`: bounds of the number of tiles. `free`: how many tiles the
    player can hold without having drawn. `among`: the possible tiles, as a bit set.
    """

    pips: int
    least: int
    most: int
    free: int
    among: int


class SearchBudget:
    """Number of checks that a search may still use. All searches for one hand share this budget."""

    def __init__(self, limit: int = MAX_STEPS) -> None:
        self.left = limit
        self._reserve = 0

    def reserve(self, groups: int) -> None:
        """Reserve this number of checks for later searches."""
        self._reserve = groups

    def use_checks(self, groups: int) -> None:
        """Use this number of checks. Raises `_Limit` if the budget does not allow them."""
        if self.left - groups < self._reserve:
            raise _Limit
        self.left -= groups


class _Limit(Exception):
    """Error: the search has used up its budget."""


def find_verdict(shares: Sequence[HiddenTiles], drawn: int, patience: SearchBudget) -> PipsVerdict:
    """Return whether all players' pips are possible with different tiles of the set.

    At most `drawn` tiles can have been drawn by all players together.
    """
    if not shares:
        return PipsVerdict.POSSIBLE
    # If a search takes too long with one order of assigning tiles, it is tried with the other
    # order. Both orders rarely take too long.
    for low_first, reserve in ((True, patience.left * 3 // 4), (False, 0)):
        patience.reserve(reserve)
        with suppress(_Limit):
            is_possible = _Search(shares, drawn, patience, low_first=low_first).run()
            return PipsVerdict.POSSIBLE if is_possible else PipsVerdict.IMPOSSIBLE
    return PipsVerdict.UNDECIDED


def pip_bounds(share: HiddenTiles) -> tuple[int, int]:
    """Return the fewest and the most pips that a player's tiles can have together."""
    values = sorted(PIPS[tile] for tile in bits(share.among))
    most = min(share.most, len(values))
    if most < share.least:
        return (1, 0)
    return sum(values[: share.least]), sum(values[len(values) - most :])


class _Pool:
    """The tiles that a group of players may hold, in the order of assignment.

    `sums[count]`: the pips of the `count` highest tiles. Tiles are assigned from both ends of the
    order. At step `place` the remaining tiles are those from `start[place]` to `stop[place]`.
    """

    def __init__(self, low: Sequence[int], high: Sequence[int], among: int) -> None:
        order = [*high, *reversed(low)]
        self.sums = [0, *accumulate(PIPS[tile] for tile in order if among >> tile & 1)]
        gone_low = [0, *accumulate(among >> tile & 1 for tile in low)]
        gone_high = [0, *accumulate(among >> tile & 1 for tile in high)]
        size = len(self.sums) - 1
        self.start = [0] * len(low) + gone_high
        self.stop = [size - gone for gone in gone_low] + [size - gone_low[-1]] * len(high)

    def needed(self, place: int, pips: int) -> int:
        """Return the smallest number of remaining tiles that can have at least `pips` pips in
        total.

        If all remaining tiles together have fewer pips, the result is one more than their number.
        """
        start, stop = self.start[place], self.stop[place]
        return bisect_left(self.sums, self.sums[start] + pips, start, stop + 1) - start

    def room(self, place: int, pips: int) -> int:
        """Return the largest number of remaining tiles that have at most `pips` in total."""
        start, stop = self.start[place], self.stop[place]
        return stop - bisect_left(self.sums, self.sums[stop] - pips, start, stop)

    def can_reach(self, place: int, pips: int, least: int, most: int) -> bool:
        """Return True if `least` to `most` of the remaining tiles can have exactly `pips` pips in
        total.

        For speed, `pips` is only compared with the total of the lowest and with the total of the
        highest remaining tiles.
        """
        start, stop, sums = self.start[place], self.stop[place], self.sums
        if least > stop - start:
            return False
        top = min(start + most, stop)
        return sums[stop] - sums[stop - least] <= pips <= sums[top] - sums[start]


class _Group(NamedTuple):
    """A group of players whose pips are checked together.

    It consists of `player` and the members of the group with number `rest`.
    """

    player: int
    rest: int
    pool: _Pool


class _Search:
    """Search that assigns the tiles one by one.

    `pips` are the pips that each player still needs, `counts` the tiles assigned so far. A player
    with very few pips has few possibilities, so the lowest tiles are assigned first, ascending.
    Then all others follow, descending. `alike[place]`: how many tiles from step `place` on have
    each number of pips.
    """

    def __init__(
        self, shares: Sequence[HiddenTiles], drawn: int, patience: SearchBudget, *, low_first: bool
    ) -> None:
        self.shares = shares
        self.drawn = drawn
        self.patience = patience
        self.low_first = low_first
        self.pips = [share.pips for share in shares]
        self.counts = [0] * len(shares)
        everything = 0
        for share in shares:
            everything |= share.among
        tiles = sorted(bits(everything), key=PIPS.__getitem__)
        few = max((pips for pips in self.pips if pips <= FEW_PIPS), default=-1)
        self.low = [tile for tile in tiles if PIPS[tile] <= few]
        self.high = tiles[len(self.low) :][::-1]
        self.order = [*self.low, *self.high]
        self.groups = self._groups()
        self.alone = [_Pool(self.low, self.high, share.among) for share in shares]
        self.alike = [[0] * (2 * MAX_DOUBLE + 1)]
        for tile in reversed(self.order):
            self.alike.append(self.alike[-1].copy())
            self.alike[-1][PIPS[tile]] += 1
        self.alike.reverse()
        self.seen: set[tuple[int, ...]] = set()

    def run(self) -> bool:
        """Return True if tiles with the recorded pips can be assigned."""
        if not self._open(0):
            return False
        ways = [self._ways(0)]
        while ways:
            if next(ways[-1], None) is None:
                ways.pop()
            elif not any(self.pips) and self._has_least_tiles():
                return True
            else:
                ways.append(self._ways(len(ways)))
        return False

    def _has_least_tiles(self) -> bool:
        return all(
            count >= share.least for count, share in zip(self.counts, self.shares, strict=True)
        )

    def _ways(self, place: int) -> Iterator[bool]:
        """Assign the tile of this step to one possible player after another, then to nobody.

        Yield after each assignment.
        """
        if place == len(self.order):
            return
        tile = self.order[place]
        value = PIPS[tile]
        for player in self._takers(tile):
            self.pips[player] -= value
            self.counts[player] += 1
            if self._is_new(place + 1) and self._open(place + 1):
                yield True
            self.pips[player] += value
            self.counts[player] -= 1
        if self._is_new(place + 1) and self._open(place + 1):
            yield True

    def _takers(self, tile: int) -> list[int]:
        """Return the players who can hold a tile.

        They are ordered by the pips that they still need, divided by the number of their remaining
        tiles.
        """
        drawable = self._drawable()
        takers = []
        for player, share in enumerate(self.shares):
            count, pips = self.counts[player], self.pips[player]
            room = min(share.most - count, max(0, share.free - count) + drawable)
            if room > 0 and pips >= PIPS[tile] and share.among >> tile & 1:
                takers.append((pips / room, player))
        return [player for _need, player in sorted(takers, reverse=not self.low_first)]

    def _drawable(self) -> int:
        """Return how many more tiles the players can have drawn from the boneyard."""
        pairs = zip(self.counts, self.shares, strict=True)
        return self.drawn - sum(max(0, count - share.free) for count, share in pairs)

    def _is_new(self, place: int) -> bool:
        """Return False if the search has already been in the same state: the same remaining tiles,
        and the same pips still needed.
        """
        key = (place, *self.pips, *self.counts)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _open(self, place: int) -> bool:
        """Return False if the search can stop here, because the remaining tiles cannot have the
        pips that some group of players still needs.
        """
        self.patience.use_checks(len(self.groups))
        drawn = self._drawable()
        least, undrawn, extra, forced = [], [], [], []
        single = self.alike[place].copy()
        for player, share in enumerate(self.shares):
            count, pips, pool = self.counts[player], self.pips[player], self.alone[player]
            free = max(0, share.free - count)
            need = max(share.least - count, pool.needed(place, pips))
            most = min(free + drawn, share.most - count, pool.room(place, pips))
            if need > most:
                return False
            if need == most == 1:  # the player needs a single tile with exactly these pips
                single[pips] -= 1
                if single[pips] < 0:
                    return False
            least.append(need)
            undrawn.append(min(most, free))
            extra.append(max(0, most - free))
            forced.append(max(0, need - free))
        # Tiles that one player must have drawn cannot have been drawn by another player.
        drawn -= sum(forced)
        if drawn < 0:
            return False
        sums = [(0, 0, 0, 0, 0)]
        for player, rest, pool in self.groups:
            pips, need, free, more, must = sums[rest]
            pips, need = pips + self.pips[player], need + least[player]
            free, more, must = free + undrawn[player], more + extra[player], must + forced[player]
            sums.append((pips, need, free, more, must))
            if not pool.can_reach(place, pips, need, free + min(more, drawn + must)):
                return False
        return True

    def _groups(self) -> list[_Group]:
        """Return the groups of players to check, without group 0, which is empty."""
        pools: dict[int, _Pool] = {}

        def pool(among: int) -> _Pool:
            if among not in pools:
                pools[among] = _Pool(self.low, self.high, among)
            return pools[among]

        players = sorted(range(len(self.shares)), key=lambda player: self.pips[player])
        groups, among = [], [0]
        if len(players) <= MAX_GROUPED_PLAYERS:
            for player in players:
                for rest in range(len(among)):
                    among.append(among[rest] | self.shares[player].among)
                    groups.append(_Group(player, rest, pool(among[-1])))
            return groups
        for order in (players, players[::-1]):
            rest = 0
            for player in order:
                among.append(among[rest] | self.shares[player].among)
                groups.append(_Group(player, rest, pool(among[-1])))
                rest = len(groups)
        return groups
