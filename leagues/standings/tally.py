"""What each player has gathered: matches, points, opponents, and the score of the league."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from leagues.standings.places import DRAW, LOSS, WIN, Entry, Meeting, Placing
from leagues.standings.scoring import HALF, Scoring

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
