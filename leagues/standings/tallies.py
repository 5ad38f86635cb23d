"""The tally of each player: points and opponents of every match and every round without a match."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction

from leagues.standings.scoring import (
    DRAW,
    HALF,
    LOSS,
    WIN,
    Placing,
    ScoredMeeting,
    Scoring,
    StandingsEntry,
    UnplayedKind,
    UnplayedRound,
)

NONE, ONE = Fraction(0), Fraction(1)


class RulesVersion(IntEnum):
    """Version of the rules of standings, which is set when a league is founded.

    `final`: the first version with its errors, for standings that were final when these errors were
    corrected. `first`: the first version. `current`: the version with uniform rules for rounds
    without a match.
    """

    FINAL = 0
    FIRST = 1
    CURRENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The rounds that count so far. `rounds` is the number of the last one, 0 in a ladder.

    `fixed` means that all opponents were known from the start, as in a round robin. A forfeited
    match then counts as a meeting.
    """

    rounds: int = 0
    fixed: bool = True


NO_CALENDAR = Calendar()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerTurn:
    """Points and opponents of a player in a match, or in a round without a match.

    `gain` are the points for the standings. `rivals` are the opponents, with 1 if beaten, 1/2 if
    tied, else 0. `kind` is the reason of a round without a match and, under the current rules, of a
    forfeited match. `result` is `W`, `D` or `L`, empty without a match. `points` and `against` are
    the points of the match.
    """

    round: int
    gain: Fraction
    rivals: tuple[tuple[int, Fraction], ...] = ()
    kind: UnplayedKind | None = None
    match: Hashable | None = None
    result: str = ""
    points: int = 0
    against: int = 0


@dataclass(slots=True)
class PlayerTally:
    """Running totals of a player.

    `results` are `W`, `D` or `L` in the order of the matches. `met` are the opponents of each
    match, with 1 if beaten, 1/2 if tied, else 0. `turns` are in the order of the rounds under the
    current rules. Under the first version, byes come after all matches.
    """

    player: int
    byes: int = 0
    withdrawn: bool = False
    after_end: bool = False
    ranked_last: bool = False
    score: Fraction = Fraction(0)
    points: int = 0
    against: int = 0
    forfeits: int = 0
    results: list[str] = field(default_factory=list)
    met: list[tuple[int, Fraction]] = field(default_factory=list)
    turns: list[PlayerTurn] = field(default_factory=list)

    @property
    def played(self) -> int:
        return len(self.results)

    @property
    def matches(self) -> int:
        """Return the number of matches played, without forfeits."""
        return self.played - self.forfeits

    @property
    def won(self) -> int:
        return self.results.count(WIN)

    @property
    def drawn(self) -> int:
        return self.results.count(DRAW)

    @property
    def lost(self) -> int:
        return self.results.count(LOSS)

    def add_match(self, turn: PlayerTurn, *, forfeit: bool) -> None:
        """Add a match to the totals."""
        self.score += turn.gain
        self.results.append(turn.result)
        self.met += turn.rivals
        self.turns.append(turn)
        self.points += turn.points
        self.against += turn.against
        self.forfeits += forfeit

    def miss(self, missed: UnplayedRound, gain: Fraction) -> None:
        """Add a round in which the player had no match to the totals."""
        self.score += gain
        self.turns.append(PlayerTurn(round=missed.round, gain=gain, kind=missed.kind))


Tallies = Mapping[int, PlayerTally]


def beaten(placing: Placing, rival: Placing) -> Fraction:
    """Return 1 if the rival placed lower, 1/2 if the rival is tied, else 0."""
    if placing.place == rival.place:
        return HALF
    return ONE if placing.place < rival.place else NONE


def _empty_tallies(entries: Iterable[StandingsEntry]) -> dict[int, PlayerTally]:
    return {
        entry.player: PlayerTally(
            entry.player,
            byes=entry.byes,
            withdrawn=entry.withdrawn,
            after_end=entry.after_end,
            ranked_last=entry.ranked_last,
        )
        for entry in entries
    }


def first_tallies(
    entries: Iterable[StandingsEntry], played: Iterable[ScoredMeeting], scoring: Scoring
) -> dict[int, PlayerTally]:
    """Return tallies under the first version of the rules.

    Points for byes are added, and every other round counts as a match.
    """
    entered = list(entries)
    found = _empty_tallies(entered)
    for meeting in played:
        places = list(meeting.sides.values())
        for placing in meeting.placings:
            tally = found.setdefault(placing.player, PlayerTally(placing.player))
            turn = PlayerTurn(
                round=placing.round,
                gain=scoring.worth(placing.place, places, placing.points),
                rivals=tuple(_shares(meeting, placing)),
                match=placing.match,
                result=meeting.outcome(placing),
                points=placing.points,
                against=meeting.points_against(placing),
            )
            tally.add_match(turn, forfeit=placing.forfeit)
    for entry in entered:
        for missed in entry.unplayed:
            if missed.kind is UnplayedKind.BYE:
                found[entry.player].miss(missed, scoring.bye_worth)
    return found


def _shares(meeting: ScoredMeeting, placing: Placing) -> Iterator[tuple[int, Fraction]]:
    for rival in meeting.rivals(placing):
        yield rival.player, beaten(placing, rival)


def current_tallies(
    entries: Iterable[StandingsEntry],
    played: Iterable[ScoredMeeting],
    scoring: Scoring,
    calendar: Calendar,
) -> dict[int, PlayerTally]:
    """Return tallies under the current version of the rules, with each player's turns by round."""
    entered = list(entries)
    found = _empty_tallies(entered)
    for meeting in played:
        for placing in meeting.placings:
            tally = found.setdefault(placing.player, PlayerTally(placing.player))
            turn = _turn(meeting, placing, scoring, calendar)
            tally.add_match(turn, forfeit=placing.forfeit)
    for entry in entered:
        tally = found[entry.player]
        for missed in entry.unplayed:
            tally.miss(missed, scoring.unplayed_worth(missed.kind))
        tally.turns.sort(key=lambda turn: turn.round)
    return found


def _result(meeting: ScoredMeeting, placing: Placing) -> str:
    if placing.forfeit:
        return WIN if placing.place == 1 else LOSS
    return meeting.outcome(placing)


def _turn(
    meeting: ScoredMeeting, placing: Placing, scoring: Scoring, calendar: Calendar
) -> PlayerTurn:
    shares = tuple(_shares(meeting, placing))
    kind = None
    if placing.forfeit:
        came = placing.place == 1
        kind = UnplayedKind.FORFEIT_WON if came else UnplayedKind.FORFEIT_LOST
        gain = scoring.unplayed_worth(kind)
    else:
        gain = scoring.worth(placing.place, list(meeting.sides.values()), placing.points)
    return PlayerTurn(
        round=placing.round,
        gain=gain,
        rivals=shares if kind is None or calendar.fixed else (),
        kind=kind,
        match=placing.match,
        result=_result(meeting, placing),
        points=placing.points,
        against=meeting.points_against(placing),
    )
