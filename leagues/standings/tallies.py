"""The tally of each player: what every match and every round without one brought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction

from leagues.standings.scoring import (
    DRAW,
    HALF,
    LOSS,
    WIN,
    Entry,
    Meeting,
    Placing,
    Scoring,
    UnplayedKind,
)

NONE, ONE = Fraction(0), Fraction(1)


class RulesVersion(IntEnum):
    """Version of the rules of standings, which a league keeps from its foundation.

    `final`: the first rules with their faults, for tables that were final when these were mended.
    `first`: the first rules. `current`: one table of what a round without a match counts.
    """

    FINAL = 0
    FIRST = 1
    CURRENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The rounds that count so far. `rounds` is the last one, 0 in a ladder.

    Where `fixed`, as in a round robin, everybody knew their opponents from the start, and a
    forfeited match counts as a meeting.
    """

    rounds: int = 0
    fixed: bool = True


NO_CALENDAR = Calendar()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a match, or a round without one, brought a player.

    `rivals` are the opponents with 1 if beaten, 1/2 if tied, else 0; nobody in a round without a
    match. `kind` is that of such a round and of a forfeited match.
    """

    round: int
    gain: Fraction
    rivals: tuple[tuple[int, Fraction], ...] = ()
    kind: UnplayedKind | None = None


@dataclass(slots=True)
class Tally:
    """Running totals of a player.

    `gains` are the scores of the matches in order, `results` are `W`, `D`, `L` in order. `met` are
    the opponents of each match with 1 if beaten, 1/2 if tied, else 0. `turns` are in the order of
    the rounds, only under the current rules.
    """

    player: int
    byes: int = 0
    withdrawn: bool = False
    after_end: bool = False
    ranked_last: bool = False
    score: Fraction = Fraction(0)
    points: int = 0
    against: int = 0
    best: int | None = None
    forfeits: int = 0
    gains: list[Fraction] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    met: list[tuple[int, Fraction]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

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

    def take(self, meeting: Meeting, placing: Placing, gain: Fraction, result: str) -> None:
        self.score += gain
        self.gains.append(gain)
        self.results.append(result)
        self.points += placing.points
        self.against += meeting.against(placing)
        self.best = placing.points if self.best is None else max(self.best, placing.points)
        self.forfeits += placing.forfeit


Tallies = Mapping[int, Tally]


def beaten(placing: Placing, rival: Placing) -> Fraction:
    """Return 1 if the rival placed lower, 1/2 if tied, else 0."""
    if placing.place == rival.place:
        return HALF
    return ONE if placing.place < rival.place else NONE


def _started(entries: Iterable[Entry]) -> dict[int, Tally]:
    return {
        entry.player: Tally(
            entry.player,
            byes=entry.byes,
            withdrawn=entry.withdrawn,
            after_end=entry.after_end,
            ranked_last=entry.ranked_last,
        )
        for entry in entries
    }


def first_tallies(
    entries: Iterable[Entry], played: Iterable[Meeting], scoring: Scoring
) -> dict[int, Tally]:
    """Return tallies under the first rules, where byes are added and all else is a match."""
    found = _started(entries)
    for tally in found.values():
        tally.score = scoring.bye_worth * tally.byes
    for meeting in played:
        places = list(meeting.sides.values())
        for placing in meeting.placings:
            tally = found.setdefault(placing.player, Tally(placing.player))
            gain = scoring.worth(placing.place, places, placing.points)
            tally.take(meeting, placing, gain, meeting.outcome(placing))
            tally.met += _shares(meeting, placing)
    return found


def _shares(meeting: Meeting, placing: Placing) -> Iterator[tuple[int, Fraction]]:
    for rival in meeting.rivals(placing):
        yield rival.player, beaten(placing, rival)


def current_tallies(
    entries: Iterable[Entry], played: Iterable[Meeting], scoring: Scoring, calendar: Calendar
) -> dict[int, Tally]:
    """Return tallies under the current rules, with the turns of each player."""
    entered = list(entries)
    found = _started(entered)
    for meeting in played:
        for placing in meeting.placings:
            tally = found.setdefault(placing.player, Tally(placing.player))
            turn = _turn(meeting, placing, scoring, calendar)
            tally.take(meeting, placing, turn.gain, _result(meeting, placing))
            tally.met += turn.rivals
            tally.turns.append(turn)
    for entry in entered:
        tally = found[entry.player]
        for missed in entry.unplayed:
            gain = scoring.unplayed_worth(missed.kind)
            tally.score += gain
            tally.turns.append(Turn(round=missed.round, gain=gain, kind=missed.kind))
        tally.turns.sort(key=lambda turn: turn.round)
    return found


def _result(meeting: Meeting, placing: Placing) -> str:
    if placing.forfeit:
        return WIN if placing.place == 1 else LOSS
    return meeting.outcome(placing)


def _turn(meeting: Meeting, placing: Placing, scoring: Scoring, calendar: Calendar) -> Turn:
    if placing.forfeit:
        came = placing.place == 1
        kind = UnplayedKind.FORFEIT_WON if came else UnplayedKind.FORFEIT_LOST
        return Turn(
            round=placing.round,
            gain=scoring.unplayed_worth(kind),
            rivals=tuple(_shares(meeting, placing)) if calendar.fixed else (),
            kind=kind,
        )
    return Turn(
        round=placing.round,
        gain=scoring.worth(placing.place, list(meeting.sides.values()), placing.points),
        rivals=tuple(_shares(meeting, placing)),
    )
