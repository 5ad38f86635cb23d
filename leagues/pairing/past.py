"""What was played or is still to be played: who met whom, with whom, and in which seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from leagues.pairing.rounds import PARTNERSHIP_SEATS


def same_side(seat: int, other: int) -> bool:
    """Whether two seats of a partnership are partners: sides are seats 0+2 and 1+3."""
    return seat % 2 == other % 2


def pair(one: int, other: int) -> tuple[int, int]:
    """Two players as a key, whichever comes first."""
    return (one, other) if one < other else (other, one)


class Past:
    """Counts over matches (players by seat, in the order they were paired) and byes.

    Pending matches belong in it as well as played ones: who is to meet has as good as met.
    Players who withdrew may appear; they are nobody's concern.
    """

    def __init__(
        self,
        matches: Iterable[Sequence[int]] = (),
        byes: Iterable[int] = (),
        *,
        sides: bool = False,
    ) -> None:
        self.sides = sides
        self.met: Counter[tuple[int, int]] = Counter()
        self.partnered: Counter[tuple[int, int]] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()
        self.last_seat: dict[int, int] = {}
        self.byes: Counter[int] = Counter(byes)
        for seats in matches:
            self.add(seats)

    def copy(self) -> Past:
        """A past that can go on without changing this one."""
        other = Past(sides=self.sides)
        other.met, other.partnered = self.met.copy(), self.partnered.copy()
        other.sat, other.byes = self.sat.copy(), self.byes.copy()
        other.last_seat = dict(self.last_seat)
        return other

    def add(self, seats: Sequence[int]) -> None:
        """Count a match."""
        self._count(seats, 1)
        for seat, player in enumerate(seats):
            self.sat[player, seat] += 1
            self.last_seat[player] = seat

    def add_table(self, seats: Sequence[int]) -> None:
        """Count who meets whom, and leave seats to be dealt out later."""
        self._count(seats, 1)

    def remove_table(self, seats: Sequence[int]) -> None:
        """Take back what `add_table` counted."""
        self._count(seats, -1)

    def _count(self, seats: Sequence[int], step: int) -> None:
        for key, partners in self.pairs(seats):
            (self.partnered if partners else self.met)[key] += step

    def pairs(self, seats: Sequence[int]) -> Iterator[tuple[tuple[int, int], bool]]:
        """Each two players of a match, and whether they are partners in it."""
        together = self.sides and len(seats) == PARTNERSHIP_SEATS
        for (seat, player), (other_seat, other) in combinations(enumerate(seats), 2):
            if player != other:
                yield pair(player, other), together and same_side(seat, other_seat)
