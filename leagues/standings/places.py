"""What standings are reckoned from: who entered, and the places of confirmed results."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

WIN, DRAW, LOSS = "W", "D", "L"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """One player's place in one confirmed match.

    `place`: from 1, that of the player's side; level sides bear the same. `points`: what the
    side scored. `against`: what stood against it; None takes the best of the other sides.
    `when`: when it was played. `game`: the slug of what was played.
    """

    match: Hashable
    player: int
    seat: int
    side: int
    place: int
    when: datetime
    points: int = 0
    against: int | None = None
    game: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One who is in the league; `byes`: rounds sat out because nobody was left to play."""

    player: int
    byes: int = 0
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """All the places of one match, in the order of the seats."""

    placings: tuple[Placing, ...]

    @property
    def sides(self) -> dict[int, int]:
        """The place of each side."""
        return {placing.side: placing.place for placing in self.placings}

    def outcome(self, placing: Placing) -> str:
        """`W` for the one side in front, `D` for those who share the front, else `L`."""
        places = list(self.sides.values())
        if placing.place > min(places):
            return LOSS
        return WIN if places.count(placing.place) == 1 else DRAW

    def against(self, placing: Placing) -> int:
        """The points that stood against a player: given, or the best of the other sides."""
        if placing.against is not None:
            return placing.against
        others = [other.points for other in self.placings if other.side != placing.side]
        return max(others, default=0)

    def rivals(self, placing: Placing) -> Iterator[Placing]:
        """The places of all on other sides; nobody is a rival to themselves."""
        for other in self.placings:
            if other.side != placing.side and other.player != placing.player:
                yield other

    def partners(self, placing: Placing) -> Iterator[Placing]:
        """The places of the others on the same side."""
        for other in self.placings:
            if other.side == placing.side and other.player != placing.player:
                yield other


def meetings(placings: Iterable[Placing]) -> list[Meeting]:
    """The matches in the order in which they were played; level dates stay as they came."""
    by_match: dict[Hashable, list[Placing]] = {}
    for placing in placings:
        by_match.setdefault(placing.match, []).append(placing)
    found = [
        Meeting(tuple(sorted(some, key=lambda placing: placing.seat))) for some in by_match.values()
    ]
    return sorted(found, key=lambda meeting: min(p.when for p in meeting.placings))
