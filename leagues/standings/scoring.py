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
    """A player's place in a confirmed match.

    `place` is that of the player's side, from 1; ties share one. `points` are those of the side.
    `against` are the points against it, by default the best of the other sides. `when` is the time
    of the match, `game` the slug of its game.
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
    """A member of the league. `byes` counts rounds in which nobody was left to play."""

    player: int
    byes: int = 0
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    placings: tuple[Placing, ...]

    @property
    def sides(self) -> dict[int, int]:
        return {placing.side: placing.place for placing in self.placings}

    def outcome(self, placing: Placing) -> str:
        """Return `W` for the only first side, `D` for a shared first place, else `L`."""
        places = list(self.sides.values())
        if placing.place > min(places):
            return LOSS
        return WIN if places.count(placing.place) == 1 else DRAW

    def against(self, placing: Placing) -> int:
        if placing.against is not None:
            return placing.against
        others = [other.points for other in self.placings if other.side != placing.side]
        return max(others, default=0)

    def rivals(self, placing: Placing) -> Iterator[Placing]:
        for other in self.placings:
            if other.side != placing.side and other.player != placing.player:
                yield other

    def partners(self, placing: Placing) -> Iterator[Placing]:
        for other in self.placings:
            if other.side == placing.side and other.player != placing.player:
                yield other


def meetings(placings: Iterable[Placing]) -> list[Meeting]:
    by_match: dict[Hashable, list[Placing]] = {}
    for placing in placings:
        by_match.setdefault(placing.match, []).append(placing)
    meetings = [
        Meeting(tuple(sorted(some, key=lambda placing: placing.seat))) for some in by_match.values()
    ]
    return sorted(meetings, key=lambda meeting: min(p.when for p in meeting.placings))


HALF = Fraction(1, 2)


class ScoringKind(StrEnum):
    """`places`: points for each place. `beaten`: share of the other sides that placed lower,
    with half for ties, which is fair between tables of different sizes. `points`: points as
    scored.
    """

    PLACES = "places"
    BEATEN = "beaten"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Scoring of a league. By default the winner gets 1, which joint winners share.

    `by_place` is for the first, second, ... place, 0 for all further ones. Ties share the points of
    their places. `draw` is what each of the joint winners gets instead. `bye` is for a round
    without a match.
    """

    kind: ScoringKind = ScoringKind.PLACES
    by_place: tuple[Fraction, ...] = (Fraction(1),)
    draw: Fraction | None = None
    bye: Fraction = Fraction(0)

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Scoring:
        """Create scoring from the result of `options`. Raises `ValueError` if it is invalid."""
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
        """Return plain data with numbers as text, which keeps fractions exact."""
        return {
            "kind": self.kind.value,
            "by_place": [str(place) for place in self.by_place],
            "draw": None if self.draw is None else str(self.draw),
            "bye": str(self.bye),
        }

    def worth(self, place: int, places: Sequence[int], points: int = 0) -> Fraction:
        """Return the value of `place` among the `places` of all sides, including this one."""
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
    """Running totals of a player.

    `gains` are the scores of the matches in order, `results` are `W`, `D`, `L` in order. `met` are
    the opponents of each match with 1 if beaten, 1/2 if tied, else 0.
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
        return len(self.results)

    @property
    def won(self) -> int:
        return self.results.count(WIN)

    @property
    def drawn(self) -> int:
        return self.results.count(DRAW)

    @property
    def lost(self) -> int:
        return self.results.count(LOSS)

    def take(self, meeting: Meeting, placing: Placing, scoring: Scoring) -> None:
        gain = scoring.worth(placing.place, list(meeting.sides.values()), placing.points)
        self.score += gain
        self.gains.append(gain)
        self.results.append(meeting.outcome(placing))
        self.points += placing.points
        self.against += meeting.against(placing)
        self.best = placing.points if self.best is None else max(self.best, placing.points)
        self.met += [(rival.player, beaten(placing, rival)) for rival in meeting.rivals(placing)]


def beaten(placing: Placing, rival: Placing) -> Fraction:
    """Return 1 if the rival placed lower, 1/2 if tied, else 0."""
    if placing.place == rival.place:
        return HALF
    return ONE if placing.place < rival.place else NONE


def tallies(
    entries: Iterable[Entry], played: Iterable[Meeting], scoring: Scoring
) -> dict[int, Tally]:
    tally_by_player = {
        entry.player: Tally(
            entry.player, entry.byes, entry.withdrawn, score=scoring.bye * entry.byes
        )
        for entry in entries
    }
    for meeting in played:
        for placing in meeting.placings:
            tally = tally_by_player.setdefault(placing.player, Tally(placing.player))
            tally.take(meeting, placing, scoring)
    return tally_by_player
