"""Scoring of results: players of a league, places and points."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from fractions import Fraction

WIN, DRAW, LOSS = "W", "D", "L"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """A player's place in a confirmed match.

    `place` is the place of the player's side, from 1. Tied sides share a place. `points` are the
    points of the side. `against` are the points against it, by default those of the best other
    side. `when` is the time of the match, and `game` the key of its game. `round` is the round of
    the fixture, 0 without one. `forfeit` means that a player did not come to the match.
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
    round: int = 0
    forfeit: bool = False


class UnplayedKind(StrEnum):
    """Reason why a player did not play in a round.

    - `bye`: drawn, because there was no opponent left
    - `excused`: absent, as announced before the draw
    - `absent`: not paired for any other reason
    - `not_entered`: the player had not joined the league yet
    - `left`: the player had left the league
    - `void`: the fixture was voided
    - `forfeit_won`: an opponent did not come
    - `forfeit_lost`: the player did not come
    """

    BYE = "bye"
    EXCUSED = "excused"
    ABSENT = "absent"
    NOT_ENTERED = "not_entered"
    LEFT = "left"
    VOID = "void"
    FORFEIT_WON = "forfeit_won"
    FORFEIT_LOST = "forfeit_lost"


@dataclass(frozen=True, slots=True)
class UnplayedRound:
    """A round in which a player had no fixture, or a void fixture."""

    round: int
    kind: UnplayedKind = UnplayedKind.BYE


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsEntry:
    """A player in the standings of a league.

    `withdrawn` players do not count for the cut-off line, unless they left when the standings were
    final (`after_end`). `ranked_last` players withdrew from a league that ended under the oldest
    rules, which place them below all others.
    """

    player: int
    unplayed: tuple[UnplayedRound, ...] = ()
    withdrawn: bool = False
    after_end: bool = False
    ranked_last: bool = False

    @property
    def byes(self) -> int:
        return sum(each.kind is UnplayedKind.BYE for each in self.unplayed)


@dataclass(frozen=True, slots=True)
class ScoredMeeting:
    placings: tuple[Placing, ...]

    @property
    def sides(self) -> dict[int, int]:
        return {placing.side: placing.place for placing in self.placings}

    def outcome(self, placing: Placing) -> str:
        """Return `W` for a sole winner, `D` for a shared first place, and `L` for all other
        places.
        """
        places = list(self.sides.values())
        if placing.place > min(places):
            return LOSS
        return WIN if places.count(placing.place) == 1 else DRAW

    def points_against(self, placing: Placing) -> int:
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


def meetings(placings: Iterable[Placing]) -> list[ScoredMeeting]:
    by_match: dict[Hashable, list[Placing]] = {}
    for placing in placings:
        by_match.setdefault(placing.match, []).append(placing)
    meetings = [
        ScoredMeeting(tuple(sorted(some, key=lambda placing: placing.seat)))
        for some in by_match.values()
    ]
    return sorted(meetings, key=lambda meeting: min(p.when for p in meeting.placings))


HALF = Fraction(1, 2)
DUEL = 2
# Points of a scoring must be below this number, in thousandths or larger parts.
POINTS_BELOW = 10_000
SMALLEST_PART = 1000


def within_bounds(points: Fraction) -> bool:
    return abs(points) < POINTS_BELOW and points.denominator <= SMALLEST_PART


class ScoringKind(StrEnum):
    """Kind of scoring.

    `places`: points for each place. `beaten`: the share of other sides that placed lower, where a
    tie counts half. This is fair between tables of different sizes. `points`: the points of the
    game itself.
    """

    PLACES = "places"
    BEATEN = "beaten"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Scoring of a league. By default a win brings 1 point, which joint winners share.

    `by_place` are the points for first, second, ... place. All further places bring 0. Tied players
    share the points of their places. `draw` is what each joint winner gets instead. `bye` are the
    points for a bye, and `absence` those for an announced absence. None means the usual amount.
    `sides` is the number of sides of a full match under the current rules, None under the first
    version.
    """

    kind: ScoringKind = ScoringKind.PLACES
    by_place: tuple[Fraction, ...] = (Fraction(1),)
    draw: Fraction | None = None
    bye: Fraction | None = None
    absence: Fraction | None = None
    sides: int | None = None

    @classmethod
    def from_options(cls, options: Mapping[str, object], *, sides: int | None = None) -> Scoring:
        """Return the scoring for the result of `options`. Raises `ValueError` if it is invalid."""
        places = options.get("by_place", ["1"])
        if isinstance(places, str) or not isinstance(places, Sequence):
            raise ValueError("The points by place are a list.")  # noqa: TRY004 - data, not code

        def number(name: str) -> Fraction | None:
            given = options.get(name)
            return None if given is None else Fraction(str(given))

        return cls(
            kind=ScoringKind(str(options.get("kind", ScoringKind.PLACES))),
            by_place=tuple(Fraction(str(place)) for place in places),
            draw=number("draw"),
            bye=number("bye"),
            absence=number("absence"),
            sides=sides,
        )

    def options(self) -> dict[str, object]:
        """Return the scoring as JSON. Numbers are texts, which keeps fractions exact."""
        given = {"bye": self.bye, "absence": self.absence}
        return {
            "kind": self.kind.value,
            "by_place": [str(place) for place in self.by_place],
            "draw": None if self.draw is None else str(self.draw),
            **{name: str(value) for name, value in given.items() if value is not None},
        }

    @property
    def fits(self) -> bool:
        given = (*self.by_place, self.draw, self.bye, self.absence)
        return all(within_bounds(points) for points in given if points is not None)

    @property
    def win(self) -> Fraction:
        """Return the points for a full win.

        If the points of the game itself count in the standings, it is what a bye brings.
        """
        if self.kind is ScoringKind.POINTS:
            return self.bye_worth
        if self.kind is ScoringKind.BEATEN:
            return Fraction(1)
        return self.by_place[0] if self.by_place else Fraction(0)

    @property
    def bye_worth(self) -> Fraction:
        """Points for a bye.

        Usually, a bye brings as much as a win in matches of two sides, and otherwise the mean of
        the points for all places of a full match. It brings nothing if the points of the game
        count, or under the first version of the rules.
        """
        if self.bye is not None:
            return self.bye
        if self.sides is None or self.kind is ScoringKind.POINTS:
            return Fraction(0)
        if self.sides == DUEL:
            return self.win
        if self.kind is ScoringKind.BEATEN:
            return HALF
        return sum(self.by_place[: self.sides], Fraction(0)) / self.sides

    def unplayed_worth(self, kind: UnplayedKind) -> Fraction:
        """Return the points for a round without a match."""
        if kind is UnplayedKind.BYE:
            return self.bye_worth
        if kind is UnplayedKind.FORFEIT_WON:
            return self.win
        if kind is UnplayedKind.EXCUSED:
            return self.win / 2 if self.absence is None else self.absence
        return Fraction(0)

    def worth(self, place: int, places: Sequence[int], points: int = 0) -> Fraction:
        """Return the points that a place in a match brings in the standings.

        `place` is the place of one side, and `places` are the places of all sides, including this
        one.
        """
        if self.kind is ScoringKind.POINTS:
            return Fraction(points)
        ahead = sum(other < place for other in places)
        level = sum(other == place for other in places)
        if self.kind is ScoringKind.BEATEN:
            behind = len(places) - ahead - level
            return (behind + HALF * (level - 1)) / max(1, len(places) - 1)
        if self.draw is not None and level > 1 and not ahead:
            return self.draw
        return sum(self._values(len(places))[ahead : ahead + level], Fraction(0)) / level

    def _values(self, sides: int) -> Sequence[Fraction]:
        """Return the points for each place of a match with this number of sides.

        If the match is smaller than a full one, the first and last place keep their points, and the
        places between are spread in equal steps. A list with fewer places than a full match is used
        as it is.
        """
        full = self.sides
        if full is None or not 1 < sides < full or len(self.by_place) < full:
            return self.by_place
        first, last = self.by_place[0], self.by_place[full - 1]
        return [first + (last - first) * at / (sides - 1) for at in range(sides)]
