"""The second implementation of standings under the first rules, where these differ."""

from __future__ import annotations

from fractions import Fraction

from tests.leagues.standings.second.facts import Match, Settings
from tests.leagues.standings.second.rounds import (
    HALF,
    RoundKind,
    RoundTurn,
    beaten,
    bye_points,
    mean,
    place_points,
)
from tests.leagues.standings.second.table import StandingsTable


def first_match_points(settings: Settings, match: Match, player: int) -> Fraction:
    """Return the points of a match under the first rules: points by place are not spread, and
    forfeits count by place, too.
    """
    mine = match.seat_of(player)
    if settings.kind == "points":
        return Fraction(mine.points)
    if settings.kind == "beaten":
        return mean([beaten(mine, other) for other in match.opponents(player)])
    places = {seat.side: seat.place for seat in match.seats}
    ahead = sum(place < mine.place for place in places.values())
    level = sum(place == mine.place for place in places.values())
    if ahead == 0 and level > 1 and settings.draw is not None:
        return settings.draw
    return mean([place_points(settings, ahead + at) for at in range(level)])


class FirstTable(StandingsTable):
    """The standings of a league under the first rules."""

    def _match(self, match: Match, player: int) -> RoundTurn:
        """“A forfeited match counts as a match without points: the players who turned up ...”"""
        return RoundTurn(
            round=match.round or 0,
            kind=RoundKind.MATCH,
            points=first_match_points(self.settings, match, player),
            match=match,
        )

    def _without_match(self, number: int, kind: RoundKind, match: Match | None = None) -> RoundTurn:
        points = bye_points(self.settings) if kind is RoundKind.BYE else Fraction(0)
        return RoundTurn(round=number, kind=kind, points=points)

    def opponents_scores(self, player: int) -> list[Fraction]:
        """Return the scores of all opponents; a bye counts as an opponent with the player’s own
        score.
        """
        return [
            score
            for turn in self.turns[player]
            for score in (
                [self.scores[other.player] for other in turn.match.opponents(player)]
                if turn.match is not None
                else [self.scores[player]] * (turn.kind is RoundKind.BYE)
            )
        ]

    def wins(self, player: int) -> Fraction:
        return self.wins_played(player)

    def buchholz(self, player: int) -> Fraction:
        return sum(self.opponents_scores(player), Fraction(0))

    def buchholz_cut(self, player: int) -> Fraction:
        scores = self.opponents_scores(player)
        return sum(scores, Fraction(0)) - min(scores, default=Fraction(0))

    def median_buchholz(self, player: int) -> Fraction:
        scores = self.opponents_scores(player)
        if len(scores) < 3:
            return Fraction(0)
        return sum(scores, Fraction(0)) - min(scores) - max(scores)

    def sonneborn_berger(self, player: int) -> Fraction:
        return sum(
            (
                beaten(match.seat_of(player), other) * self.scores[other.player]
                for match in self.played(player)
                for other in match.opponents(player)
            ),
            Fraction(0),
        )

    def cumulative(self, player: int) -> Fraction:
        """“The player’s total scores after each match are added together; byes are left out.”"""
        score, total = Fraction(0), Fraction(0)
        for match in sorted(self.played(player), key=lambda match: (match.played_at, match.number)):
            score += first_match_points(self.settings, match, player)
            total += score
        return total

    def against_each_other(self, group: list[int]) -> list[list[int]]:
        """“The share of the matches among the tied ... only if all the tied players have met.”"""
        shares = self._shares(group)
        if len(shares) < len(group):
            return [group]
        order = sorted({*shares.values()}, reverse=True)
        return [[player for player in group if shares[player] == share] for share in order]

    def _shares(self, group: list[int]) -> dict[int, Fraction]:
        found: dict[int, list[Fraction]] = {player: [] for player in group}
        for player in group:
            for other in group:
                if player != other and not self._results(player, other):
                    return {}
                if player != other:
                    found[player] += self._results(player, other)
        return {player: mean(results or [HALF]) for player, results in found.items()}

    def shown_against_each_other(self, group: list[int]) -> dict[int, Fraction]:
        return self._shares(group)

    def is_placed(self, player: int) -> bool:
        return True
