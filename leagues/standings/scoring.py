"""Scoring of results: entries, places, points, and the tally of each player."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction

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


HALF = Fraction(1, 2)


class ScoringKind(StrEnum):
    """`places`: so much for each place. `beaten`: the share of the other sides left behind, a
    level one counted half, fair between tables of different sizes. `points`: as scored.
    """

    PLACES = "places"
    BEATEN = "beaten"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a league counts; as it stands, 1 for the winner, and who is level shares.

    `by_place`: for the first, the second, ... place, 0 for all further ones; level sides share
    what their places bring together. `draw`: what each of joint winners gets instead of the
    share. `bye`: what a round without a match counts.
    """

    kind: ScoringKind = ScoringKind.PLACES
    by_place: tuple[Fraction, ...] = (Fraction(1),)
    draw: Fraction | None = None
    bye: Fraction = Fraction(0)

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Scoring:
        """Read what `options` wrote; `ValueError` where it says something else."""
        places = options.get("by_place", ["1"])
        if isinstance(places, str) or not isinstance(places, Sequence):
            raise ValueError("The points by place are a list.")  # noqa: TRY004 - data, not code
        draw = options.get("draw")
        return cls(
            kind=ScoringKind(str(options.get("kind", ScoringKind.PLACES))),
            by_place=tuple(Fraction(str(place)) for place in places),
            draw=None if draw is None else Fraction(str(draw)),
            bye=Fraction(str(options.get("bye", 0))),
        )

    def options(self) -> dict[str, object]:
        """The same as plain data: numbers as text, so that a third stays a third."""
        return {
            "kind": self.kind.value,
            "by_place": [str(place) for place in self.by_place],
            "draw": None if self.draw is None else str(self.draw),
            "bye": str(self.bye),
        }

    def worth(self, place: int, places: Sequence[int], points: int = 0) -> Fraction:
        """What `place` is worth among the `places` of all sides, the own one included."""
        if self.kind is ScoringKind.POINTS:
            return Fraction(points)
        ahead = sum(other < place for other in places)
        level = sum(other == place for other in places)
        if self.kind is ScoringKind.BEATEN:
            behind = len(places) - ahead - level
            return (behind + HALF * (level - 1)) / max(1, len(places) - 1)
        if self.draw is not None and level > 1 and not ahead:
            return self.draw
        return sum(self.by_place[ahead : ahead + level], Fraction(0)) / level


NONE, ONE = Fraction(0), Fraction(1)


@dataclass(slots=True)
class Tally:
    """What one player has gathered so far.

    `gains`: what each match brought, in order. `results`: `W`, `D`, `L`, in order. `met`: each
    opponent of each match with 1 where beaten, 1/2 where level, 0 where not.
    """

    player: int
    byes: int = 0
    withdrawn: bool = False
    score: Fraction = Fraction(0)
    points: int = 0
    against: int = 0
    best: int | None = None
    gains: list[Fraction] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    met: list[tuple[int, Fraction]] = field(default_factory=list)

    @property
    def played(self) -> int:
        """Matches with a confirmed result."""
        return len(self.results)

    @property
    def won(self) -> int:
        """Matches won alone, or with the own side."""
        return self.results.count(WIN)

    @property
    def drawn(self) -> int:
        """Matches in which the first place was shared."""
        return self.results.count(DRAW)

    @property
    def lost(self) -> int:
        """All other matches."""
        return self.results.count(LOSS)

    def take(self, meeting: Meeting, placing: Placing, scoring: Scoring) -> None:
        """Count one match in."""
        gain = scoring.worth(placing.place, list(meeting.sides.values()), placing.points)
        self.score += gain
        self.gains.append(gain)
        self.results.append(meeting.outcome(placing))
        self.points += placing.points
        self.against += meeting.against(placing)
        self.best = placing.points if self.best is None else max(self.best, placing.points)
        self.met += [(rival.player, beaten(placing, rival)) for rival in meeting.rivals(placing)]


def beaten(placing: Placing, rival: Placing) -> Fraction:
    """1 where the rival stands behind, 1/2 where level, 0 where in front."""
    if placing.place == rival.place:
        return HALF
    return ONE if placing.place < rival.place else NONE


def tallies(
    entries: Iterable[Entry], played: Iterable[Meeting], scoring: Scoring
) -> dict[int, Tally]:
    """What everybody has gathered who entered or was met by one who did."""
    found = {
        entry.player: Tally(
            entry.player, entry.byes, entry.withdrawn, score=scoring.bye * entry.byes
        )
        for entry in entries
    }
    for meeting in played:
        for placing in meeting.placings:
            tally = found.setdefault(placing.player, Tally(placing.player))
            tally.take(meeting, placing, scoring)
    return found
