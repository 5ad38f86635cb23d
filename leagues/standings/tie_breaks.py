"""Tie-breaks between players with the same score, under the first and the current rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from leagues.standings.scoring import Scoring, UnplayedKind
from leagues.standings.tallies import Calendar, Tallies, Tally, Turn


class TieBreak(StrEnum):
    """A tie-break between players with the same score. Higher is better unless noted.

    `head_to_head`: results of the meetings among tied players. `wins`: matches won; under the
    current rules rounds that brought a full win, with or without a match. `wins_played`: matches
    won without a forfeit. `margin`: points for minus points against. `points`: points for.
    `fewest_played`: fewer matches are better. `buchholz`: scores of the opponents. `buchholz_cut`:
    the same without the weakest. `median_buchholz`: the same without the best and the weakest.
    `sonneborn_berger`: scores of beaten opponents, and half of those drawn with. `best_single`:
    most points in one match. `cumulative`: sum of the scores after every round, which favours early
    success. `lots`: random.
    """

    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    WINS_PLAYED = "wins_played"
    MARGIN = "margin"
    POINTS = "points"
    FEWEST_PLAYED = "fewest_played"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT = "buchholz_cut"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    BEST_SINGLE = "best_single"
    CUMULATIVE = "cumulative"
    LOTS = "lots"


# Tie-breaks that depend on the tied group or have no meaningful value.
RELATIVE = (TieBreak.HEAD_TO_HEAD, TieBreak.LOTS)
# Fewest opponents of whom the best and the weakest can be left out.
MEDIAN_FROM = 3


def total(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def mean(values: Sequence[Fraction]) -> Fraction:
    return total(values) / len(values)


# First rules ------------------------------------------------------------------------------


def _opponents(tally: Tally, everyone: Tallies) -> list[Fraction]:
    """Return the scores of all opponents. A bye counts as an opponent with the player's own
    score.
    """
    return [everyone[rival].score for rival, _ in tally.met] + [tally.score] * tally.byes


def _cut(scores: list[Fraction]) -> Fraction:
    return total(scores) - min(scores, default=Fraction(0))


def _median(scores: list[Fraction]) -> Fraction:
    if len(scores) < MEDIAN_FROM:
        return Fraction(0)
    return total(scores) - min(scores) - max(scores)


def _sonneborn_berger(tally: Tally, everyone: Tallies) -> Fraction:
    return total([share * everyone[rival].score for rival, share in tally.met])


def _cumulative(tally: Tally, _: Tallies) -> Fraction:
    return total(list(accumulate(tally.gains)))


Value = Callable[[Tally, Tallies], Fraction]
FIRST_VALUES: Mapping[TieBreak, Value] = {
    TieBreak.WINS: lambda tally, _: Fraction(tally.won),
    TieBreak.WINS_PLAYED: lambda tally, _: Fraction(tally.won),
    TieBreak.MARGIN: lambda tally, _: Fraction(tally.points - tally.against),
    TieBreak.POINTS: lambda tally, _: Fraction(tally.points),
    TieBreak.FEWEST_PLAYED: lambda tally, _: Fraction(-tally.played),
    TieBreak.BUCHHOLZ: lambda tally, everyone: total(_opponents(tally, everyone)),
    TieBreak.BUCHHOLZ_CUT: lambda tally, everyone: _cut(_opponents(tally, everyone)),
    TieBreak.MEDIAN_BUCHHOLZ: lambda tally, everyone: _median(_opponents(tally, everyone)),
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.BEST_SINGLE: lambda tally, _: Fraction(tally.best or 0),
    TieBreak.CUMULATIVE: _cumulative,
}


# Current rules ----------------------------------------------------------------------------

# Rounds that a player did not play although a match would have been possible.
ABSENCES = frozenset(
    {UnplayedKind.EXCUSED, UnplayedKind.ABSENT, UnplayedKind.NOT_ENTERED, UnplayedKind.LEFT}
)
OWN_CHOICE = ABSENCES | {UnplayedKind.FORFEIT_LOST}


class CurrentValues:
    """Values of tie-breaks under the current rules, following FIDE's C.07 of 2024."""

    def __init__(self, everyone: Tallies, scoring: Scoring, calendar: Calendar) -> None:
        self.scoring, self.calendar = scoring, calendar
        self.adjusted = {player: self._adjusted(tally) for player, tally in everyone.items()}
        self._functions: Mapping[TieBreak, Callable[[Tally], Fraction]] = {
            TieBreak.WINS: self._wins,
            TieBreak.WINS_PLAYED: self._wins_played,
            TieBreak.BUCHHOLZ: lambda tally: total(self._kept(tally)),
            TieBreak.BUCHHOLZ_CUT: lambda tally: total(self._kept(tally, cut=True)),
            TieBreak.MEDIAN_BUCHHOLZ: self._median,
            TieBreak.SONNEBORN_BERGER: self._sonneborn_berger,
            TieBreak.CUMULATIVE: self._cumulative,
        }

    def value(self, name: TieBreak, tally: Tally, everyone: Tallies) -> Fraction:
        function = self._functions.get(name)
        return FIRST_VALUES[name](tally, everyone) if function is None else function(tally)

    def _adjusted(self, tally: Tally) -> Fraction:
        """Return the score that opponents take over.

        Absences after which no other round follows than absences and lost forfeits count half a
        win, so that nobody is worse off for having met a player who stayed away later.
        """
        score = tally.score
        for turn in reversed(tally.turns):
            if turn.kind not in OWN_CHOICE:
                break
            if turn.kind in ABSENCES:
                score += self.scoring.win / 2 - turn.gain
        return score

    def _strength(self, tally: Tally, turn: Turn) -> Fraction:
        """Return the mean score of the opponents of a turn, or the own score without any."""
        if not turn.rivals:
            return tally.score
        return mean([self.adjusted[rival] for rival, _ in turn.rivals])

    def _kept(self, tally: Tally, *, cut: bool = False) -> list[Fraction]:
        """Return the strength of each turn.

        With `cut` one of them is left out: the lowest of the rounds that the player missed, or of
        all if there is no such round.
        """
        turns = sorted(
            (turn.kind not in OWN_CHOICE or bool(turn.rivals), self._strength(tally, turn))
            for turn in tally.turns
        )
        return [strength for _, strength in turns[1 if cut else 0 :]]

    def _median(self, tally: Tally) -> Fraction:
        if len(tally.turns) < MEDIAN_FROM:
            return Fraction(0)
        kept = self._kept(tally, cut=True)
        return total(kept) - max(kept)

    def _sonneborn_berger(self, tally: Tally) -> Fraction:
        return total([self._earned(tally, turn) for turn in tally.turns])

    def _earned(self, tally: Tally, turn: Turn) -> Fraction:
        if turn.rivals:
            return mean([share * self.adjusted[rival] for rival, share in turn.rivals])
        win = self.scoring.win
        return tally.score * turn.gain / win if win else Fraction(0)

    def _cumulative(self, tally: Tally) -> Fraction:
        """Return the sum of the scores after every round, or after every match of a ladder."""
        if not self.calendar.rounds:
            return _cumulative(tally, {})
        gained = dict.fromkeys(range(1, self.calendar.rounds + 1), Fraction(0))
        for turn in tally.turns:
            gained[turn.round] = gained.get(turn.round, Fraction(0)) + turn.gain
        return total(list(accumulate(gained.values())))

    def _wins(self, tally: Tally) -> Fraction:
        win = self.scoring.win
        free = sum(turn.kind is UnplayedKind.BYE and turn.gain >= win > 0 for turn in tally.turns)
        return Fraction(tally.won + free)

    def _wins_played(self, tally: Tally) -> Fraction:
        given = sum(turn.kind is UnplayedKind.FORFEIT_WON for turn in tally.turns)
        return Fraction(tally.won - given)


# Results against each other ---------------------------------------------------------------


def shares_inside(group: Sequence[Tally]) -> dict[int, Fraction] | None:
    """Return each player's share of the meetings in the group. None unless all have met."""
    players = {tally.player for tally in group}
    shares = {}
    for tally in group:
        inside = [(rival, share) for rival, share in tally.met if rival in players]
        if len({rival for rival, _ in inside}) < len(players) - 1:
            return None
        shares[tally.player] = total([share for _, share in inside]) / max(1, len(inside))
    return shares


def part_by_meetings(group: Sequence[Tally]) -> list[list[Tally]]:
    """Part a tied group by the results against each other, best first.

    Those who are still level are asked again among themselves. Where some have not met, players are
    parted only if no result of the missing meetings could change their order.
    """
    parted = _parted_once(group)
    if len(parted) == 1:
        return parted
    return [level for part in parted for level in part_by_meetings(part)]


def _parted_once(group: Sequence[Tally]) -> list[list[Tally]]:
    bounds = {tally.player: _bounds(tally, group) for tally in group}
    order = sorted(group, key=lambda tally: (bounds[tally.player], -tally.player), reverse=True)
    parts: list[list[Tally]] = []
    for at, tally in enumerate(order):
        worst_above = min((bounds[other.player][0] for other in order[:at]), default=None)
        best_below = max(bounds[other.player][1] for other in order[at:])
        if worst_above is None or worst_above > best_below:
            parts.append([])
        parts[-1].append(tally)
    return parts


def _bounds(tally: Tally, group: Sequence[Tally]) -> tuple[Fraction, Fraction]:
    """Return the least and the most that a player's meetings in the group can come to.

    The mean share against each opponent counts. A missing meeting counts 0 or 1.
    """
    shares: dict[int, list[Fraction]] = {
        other.player: [] for other in group if other.player != tally.player
    }
    for rival, share in tally.met:
        if rival in shares:
            shares[rival].append(share)
    least = total([mean(found) for found in shares.values() if found])
    return least, least + sum(not found for found in shares.values())


def meeting_points(tally: Tally, group: Sequence[Tally]) -> Fraction:
    """Return what a player's results against the others of the group come to."""
    return _bounds(tally, group)[0]
