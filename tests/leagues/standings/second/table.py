"""A second, slow implementation of the standings, written from a league's page of rules.

It shares no code with `leagues.standings`. Sentences of the page are quoted where they are applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from tests.leagues.standings.second.facts import Facts, Fixture, Match, Round
from tests.leagues.standings.second.rounds import (
    HALF,
    NOT_PLAYED,
    RoundKind,
    RoundTurn,
    beaten,
    full_win,
    match_points,
    mean,
    worth,
)


@dataclass(frozen=True, kw_only=True)
class StandingsRow:
    """A row of the standings.

    `place` is None for players without a place. `counts`: the player counts for the cut-off line.
    `above`: the player is above the line. It is None without a line, for players without a place or
    withdrawn, and for players tied at the line.
    """

    player: int
    place: int | None
    score: Fraction
    breaks: Mapping[str, Fraction]
    byes: int
    withdrawn: bool
    counts: bool
    above: bool | None = None


# Tie-breaks that compare players with each other, so that a single player has no value.
RELATIVE: Final = ("head_to_head", "lots")


class StandingsTable:
    """The standings that follow from these facts."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.settings = facts.settings
        self.win = full_win(facts.settings)
        seated = {seat.player for match in facts.matches for seat in match.seats}
        # Calculated with the places: the groups that only lots divide, and the points of the first
        # comparison of players whom their results against each other may divide.
        self.level_before_lots: list[list[int]] = []
        self.points_against_each_other: dict[int, Fraction] = {}
        self.players = sorted({member.player for member in facts.members} | seated)
        self.turns = {player: self._turns(player) for player in self.players}
        self.scores = {
            player: sum((turn.points for turn in turns), Fraction(0))
            for player, turns in self.turns.items()
        }

    def _turns(self, player: int) -> list[RoundTurn]:
        if self.settings.is_ladder:
            matches = sorted(self.facts.matches, key=lambda match: (match.played_at, match.number))
            return [self._match(match, player) for match in matches if match.has(player)]
        return [
            turn
            for drawn in sorted(self.facts.rounds, key=lambda drawn: drawn.number)
            for turn in self._turns_of_round(drawn, player)
        ]

    def _turns_of_round(self, drawn: Round, player: int) -> list[RoundTurn]:
        turns = [
            self._fixture(fixture, player)
            for fixture in self.facts.fixtures
            if fixture.round == drawn.number and player in fixture.players
        ]
        # After a merge, a player may have two byes in a round (which is one round without a match),
        # or two fixtures, or a fixture and a bye.
        if player in drawn.byes and self._is_bye(drawn):
            turns.append(self._without_match(drawn.number, RoundKind.BYE))
        elif player in drawn.byes:
            turns.append(self._nothing(drawn.number))
        happened = [turn for turn in turns if turn.kind is not RoundKind.VOID]
        return happened or turns[:1] or [self._without_match(drawn.number, RoundKind.ABSENT)]

    def _fixture(self, fixture: Fixture, player: int) -> RoundTurn:
        for match in self.facts.matches:
            if match.fixture == fixture.key:
                return self._match(match, player)
        if fixture.void:
            return self._without_match(fixture.round, RoundKind.VOID)
        return self._nothing(fixture.round)

    def _match(self, match: Match, player: int) -> RoundTurn:
        if match.forfeited:
            kind = RoundKind.FORFEIT_LOST if self._lost(match, player) else RoundKind.FORFEIT_WON
            return self._without_match(match.round or 0, kind, match)
        points = match_points(self.settings, match, player)
        return RoundTurn(round=match.round or 0, kind=RoundKind.MATCH, points=points, match=match)

    def _lost(self, match: Match, player: int) -> bool:
        """Return whether the player forfeited the match. Partners forfeit together."""
        side = match.side_of(player)
        return any(seat.player in match.absent for seat in match.seats if seat.side == side)

    def _without_match(self, number: int, kind: RoundKind, match: Match | None = None) -> RoundTurn:
        return RoundTurn(round=number, kind=kind, points=worth(self.settings, kind), match=match)

    def _nothing(self, number: int) -> RoundTurn:
        return RoundTurn(round=number, kind=RoundKind.TO_PLAY, points=Fraction(0))

    def _is_bye(self, drawn: Round) -> bool:
        """“Rest days do not count as byes if everybody has the same number of them ...”."""
        if not self.settings.is_round_robin:
            return True
        people = {player for fixture in self.facts.fixtures for player in fixture.players}
        people |= {player for each in self.facts.rounds for player in each.byes}
        rests = {sum(player in each.byes for each in self.facts.rounds) for player in people}
        if len(rests) < 2:
            return False
        return self.has_come(drawn)

    def has_come(self, drawn: Round) -> bool:
        """Return whether a match of that round, or of a later one, has been played."""
        return any(
            match.round is not None and match.round >= drawn.number for match in self.facts.matches
        )

    # The following functions calculate scores as they count for opponents.

    def is_without_match(self, turn: RoundTurn) -> bool:
        """Return whether a turn counts as a round without a match.

        In a round robin, forfeited matches count like all other matches.
        """
        if self.settings.is_round_robin:
            return turn.kind is RoundKind.BYE
        return turn.kind in NOT_PLAYED

    def score_for_opponents(self, player: int) -> Fraction:
        """“In the tie-breaks of a player’s opponents, the player’s score is changed ...”."""
        score = self.scores[player]
        if self.settings.format != "swiss":
            return score
        for turn in reversed(self.turns[player]):
            if turn.kind in (RoundKind.MATCH, RoundKind.BYE, RoundKind.FORFEIT_WON, RoundKind.VOID):
                break
            if turn.kind is RoundKind.ABSENT:
                score += self.win * HALF
        return score

    def opponents_values(self, player: int) -> list[tuple[RoundTurn, Fraction]]:
        """Return the opponents’ score of each round; in a match with several opponents,
        their mean.
        """
        values = []
        for turn in self.turns[player]:
            if self.is_without_match(turn):
                values.append((turn, self.scores[player]))
            elif turn.match is not None:
                others = turn.match.opponents(player)
                scores = [self.score_for_opponents(other.player) for other in others]
                values.append((turn, mean(scores)))
        return values

    # The following functions calculate the values of tie-breaks.

    def value(self, name: str, player: int) -> Fraction:
        ways: Mapping[str, Callable[[int], Fraction]] = {
            "wins": self.wins,
            "wins_played": self.wins_played,
            "margin": self.margin,
            "points": self.points,
            "fewest_played": self.fewest_played,
            "buchholz": self.buchholz,
            "buchholz_cut": self.buchholz_cut,
            "median_buchholz": self.median_buchholz,
            "sonneborn_berger": self.sonneborn_berger,
            "best_single": self.best_single,
            "cumulative": self.cumulative,
            "lots": self.lots,
        }
        return ways[name](player)

    def wins(self, player: int) -> Fraction:
        wins = self.wins_played(player)
        for turn in self.turns[player]:
            wins += turn.kind is RoundKind.FORFEIT_WON
            wins += turn.kind is RoundKind.BYE and turn.points >= self.win > 0
        return wins

    def wins_played(self, player: int) -> Fraction:
        won = 0
        for match in self.played(player):
            mine = match.seat_of(player)
            won += mine.place == 1 and all(beaten(mine, x) == 1 for x in match.opponents(player))
        return Fraction(won)

    def played(self, player: int) -> list[Match]:
        return [
            turn.match
            for turn in self.turns[player]
            if turn.kind is RoundKind.MATCH and turn.match is not None
        ]

    def margin(self, player: int) -> Fraction:
        margin = 0
        for match in self.played(player):
            best = max(other.points for other in match.opponents(player))
            margin += match.seat_of(player).points - best
        return Fraction(margin)

    def points(self, player: int) -> Fraction:
        return Fraction(sum(match.seat_of(player).points for match in self.played(player)))

    def fewest_played(self, player: int) -> Fraction:
        """“A forfeited match counts as played.” The number is negative, so that more is better
        everywhere.
        """
        return Fraction(-sum(turn.match is not None for turn in self.turns[player]))

    def best_single(self, player: int) -> Fraction:
        points = [match.seat_of(player).points for match in self.played(player)]
        return Fraction(max(points, default=0))

    def buchholz(self, player: int) -> Fraction:
        return sum((value for _turn, value in self.opponents_values(player)), Fraction(0))

    def buchholz_cut(self, player: int) -> Fraction:
        values = self.opponents_values(player)
        return sum((value for _turn, value in self._without_lowest(values)), Fraction(0))

    def median_buchholz(self, player: int) -> Fraction:
        values = self.opponents_values(player)
        if len(values) < 3:
            return Fraction(0)
        rest = [value for _turn, value in self._without_lowest(values)]
        return sum(rest, Fraction(0)) - max(rest)

    def _without_lowest(
        self, values: list[tuple[RoundTurn, Fraction]]
    ) -> list[tuple[RoundTurn, Fraction]]:
        missed = [
            each
            for each in values
            if self.is_without_match(each[0])
            and each[0].kind in (RoundKind.ABSENT, RoundKind.FORFEIT_LOST)
        ]
        among = missed or values
        if not among:
            return []
        lowest = min(among, key=lambda each: each[1])
        return [each for each in values if each is not lowest]

    def sonneborn_berger(self, player: int) -> Fraction:
        total = Fraction(0)
        for turn in self.turns[player]:
            if self.is_without_match(turn):
                # A round without points never beats an opponent, even if a win brings no points.
                total += self.scores[player] * turn.points / (self.win or 1)
            elif turn.match is not None:
                mine = turn.match.seat_of(player)
                total += mean(
                    [
                        beaten(mine, other) * self.score_for_opponents(other.player)
                        for other in turn.match.opponents(player)
                    ]
                )
        return total

    def cumulative(self, player: int) -> Fraction:
        """“The scores reached after every round are added together ...”"""
        score, total = Fraction(0), Fraction(0)
        if self.settings.is_ladder:
            for turn in self.turns[player]:
                score += turn.points
                total += score
            return total
        for drawn in self.facts.rounds:
            if self.settings.is_round_robin and not self.has_come(drawn):
                continue
            total += sum(
                (turn.points for turn in self.turns[player] if turn.round <= drawn.number),
                Fraction(0),
            )
        return total

    def lots(self, player: int) -> Fraction:
        return self.facts.lots.get(player, Fraction(0))

    # The following functions compare results of tied players against each other.

    def against_each_other(self, group: list[int]) -> list[list[int]]:
        """Divide a group of tied players as far as no missing match could change the order."""
        points, missing = self._meetings(group)
        order = sorted(group, key=lambda player: -points[player])
        parts = [order[:1]]
        for size in range(1, len(order)):
            upper, lower = order[:size], order[size:]
            if all(points[a] > points[b] + missing[b] for a in upper for b in lower):
                parts.append([])
            parts[-1].append(order[size])
        if len(parts) == 1:
            return parts
        return [smaller for part in parts for smaller in self.against_each_other(part)]

    def shown_against_each_other(self, group: list[int]) -> dict[int, Fraction]:
        return self._meetings(group)[0]

    def _meetings(self, group: list[int]) -> tuple[dict[int, Fraction], dict[int, int]]:
        points = dict.fromkeys(group, Fraction(0))
        missing = dict.fromkeys(group, 0)
        for player in group:
            for other in group:
                if other == player:
                    continue
                results = self._results(player, other)
                if results:
                    points[player] += mean(results)
                else:
                    missing[player] += 1
        return points, missing

    def _results(self, player: int, other: int) -> list[Fraction]:
        return [
            beaten(turn.match.seat_of(player), seat)
            for turn in self.turns[player]
            if turn.match is not None and not self.is_without_match(turn)
            for seat in turn.match.opponents(player)
            if seat.player == other
        ]

    # Places

    def groups(self) -> list[list[int]]:
        """Return groups of players who are tied in everything, the best group first."""
        placed = [player for player in self.players if self.is_placed(player)]
        groups = divided([placed], self.scores.__getitem__)
        for name in self.settings.tie_breaks:
            level = [group for group in groups if len(group) > 1]
            if name == "lots":
                self.level_before_lots = level
            if name == "head_to_head":
                for group in level:
                    self.points_against_each_other |= self.shown_against_each_other(group)
            groups = self.divided_by(name, groups)
        return groups

    def divided_by(self, name: str, groups: list[list[int]]) -> list[list[int]]:
        if name == "head_to_head":
            return [part for group in groups for part in self.against_each_other(group)]
        return divided(groups, lambda player: self.value(name, player))

    def is_placed(self, player: int) -> bool:
        # “Players who have neither played nor received points without playing are listed below ...”
        if self.played(player):
            return True
        return any(
            turn.kind in (RoundKind.BYE, RoundKind.FORFEIT_WON) and turn.points > 0
            for turn in self.turns[player]
        )

    def has_withdrawn(self, player: int, *, before_the_end: bool = False) -> bool:
        mine = [member for member in self.facts.members if member.player == player]
        return bool(mine) and all(
            member.withdrawn_at is not None and not (before_the_end and member.left_after_end)
            for member in mine
        )

    def has_enough_matches(self, player: int) -> bool:
        """“Players with fewer ... are not counted above the line. Forfeits do not count ...”"""
        matches = [match for match in self.played(player) if not match.forfeited]
        return len(matches) >= self.settings.cut_matches

    def rows(self) -> list[StandingsRow]:
        rows = []
        place = 1
        for group in self.groups():
            rows += [self._row(player, place) for player in group]
            place += len(group)
        placed = {row.player for row in rows}
        rows += [self._row(player, None) for player in self.players if player not in placed]
        return [replace(row, above=self._is_above(row, rows)) for row in rows]

    def _is_above(self, row: StandingsRow, rows: list[StandingsRow]) -> bool | None:
        """“Players above the cut-off line ... who withdrew before the end are not counted.”"""
        if self.settings.cut is None or row.place is None:
            return None
        if self.has_withdrawn(row.player, before_the_end=True):
            return None
        if not row.counts:
            return False
        places = [other.place for other in rows if other.place is not None and other.counts]
        ahead = sum(place < row.place for place in places)
        if ahead + places.count(row.place) <= self.settings.cut:
            return True
        return False if ahead >= self.settings.cut else None

    def _row(self, player: int, place: int | None) -> StandingsRow:
        names = [name for name in self.settings.tie_breaks if name not in RELATIVE]
        breaks = {name: self.value(name, player) for name in names}
        if player in self.points_against_each_other:
            breaks["head_to_head"] = self.points_against_each_other[player]
        return StandingsRow(
            player=player,
            place=place,
            score=self.scores[player],
            breaks=breaks,
            byes=sum(turn.kind is RoundKind.BYE for turn in self.turns[player]),
            withdrawn=self.has_withdrawn(player),
            counts=not self.has_withdrawn(player, before_the_end=True)
            and self.has_enough_matches(player),
        )


def divided(groups: Iterable[list[int]], key: Callable[[int], Fraction]) -> list[list[int]]:
    """Divide groups of players by a value, the highest first."""
    return [
        [player for player in group if key(player) == value]
        for group in groups
        for value in sorted({key(player) for player in group}, reverse=True)
    ]
