"""Calculation whether players are certain to end above the cut-off line of the standings.

A player is `safe`, `out` or `alive` (undecided). Players are safe or out only if that is certain
from the remaining fixtures. If tie-breaks would decide, or if the search takes too long, the player
is alive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain

import networkx as nx

from leagues.standings.scoring import Scoring, ScoringKind

# Number of units into which a win is divided. Two to six players can share these units evenly.
UNITS = 60
# Maximum number of flow calculations for one player. After that, the state stays undecided.
MAX_FLOWS = 80
# Maximum number of different open matches in a flow network. If there are more, the state stays
# undecided.
MAX_TABLES = 2_000

Table = frozenset[int]


class Undecided(Exception):
    """The search was abandoned without a certain answer."""


@dataclass(frozen=True, slots=True)
class CutRace:
    """Scores in units (`UNITS` per win), and the number of open matches for each set of players.

    `of_player` maps a player to the sets that contain the player. `duels` means that all matches
    are between two players. `draws` means that matches can end in a draw. If in doubt, it should be
    True.
    """

    scores: Mapping[int, int]
    tables: Mapping[Table, int]
    of_player: Mapping[int, Sequence[Table]]
    duels: bool
    draws: bool = True

    @classmethod
    def from_scores(
        cls, scores: Mapping[int, int], fixtures: Iterable[Collection[int]], *, draws: bool = True
    ) -> CutRace:
        tables = Counter(frozenset(fixture) for fixture in fixtures)
        of_player: dict[int, list[Table]] = {player: [] for player in scores}
        for table in tables:
            for player in table:
                of_player.setdefault(player, []).append(table)
        return cls(scores, tables, of_player, all(len(table) == 2 for table in tables), draws)

    def matches_left(self, player: int, without: int | None = None) -> int:
        return sum(self.tables[table] for table in self.of_player[player] if without not in table)

    def can_be_among(self, player: int, after: int) -> bool:
        """Return whether it is possible that fewer than `after` others end strictly above the
        player.

        Raises `Undecided`.
        """
        target = self.scores[player] + UNITS * self.matches_left(player)
        others = {rival: score for rival, score in self.scores.items() if rival != player}
        free = after - 1 - sum(score > target for score in others.values())
        left = {rival: self.matches_left(rival, player) for rival in others}
        room = {
            rival: self._round_down(target - score)
            for rival, score in others.items()
            if score <= target < score + UNITS * left[rival]
        }
        return free >= 0 and _can_hold_back(_Dealing(self, room, left), free)

    def can_be_caught(self, player: int, after: int) -> bool:
        """Return whether it is possible that at least `after` others end tied with or above the
        player.

        Raises `Undecided`.
        """
        target = self.scores[player]
        others = {rival: score for rival, score in self.scores.items() if rival != player}
        wanted = after - sum(score >= target for score in others.values())
        left = {rival: self.matches_left(rival) for rival in others}
        needs = {
            rival: self._round_up(target - score)
            for rival, score in others.items()
            if score < target <= score + UNITS * left[rival]
        }
        return wanted <= 0 or _can_catch_up(_Dealing(self, needs, left), wanted)

    def _round_down(self, units: int) -> int:
        return units if self.draws else units // UNITS * UNITS

    def _round_up(self, units: int) -> int:
        return units if self.draws else -(-units // UNITS) * UNITS


@dataclass(slots=True)
class _Dealing:
    """Distribution of the remaining wins among rivals of a player.

    `amounts` are the units that each rival may gain at most, or must gain at least.
    """

    race: CutRace
    amounts: dict[int, int]
    left: Mapping[int, int]
    flows: int = 0

    def too_full(self, capped: frozenset[int]) -> set[int]:
        """Return a group of rivals who together must gain more units than their limits allow.

        Empty if all rivals can stay within their limits. Matches against players outside the group
        are ignored, because those players can win them.
        """
        if self._dealt_evenly(capped, lambda units, room: units <= room, up=True):
            return set()
        graph, wins = nx.DiGraph(), 0
        for table in self._tables(capped):
            if table <= capped:
                wins += UNITS * self.race.tables[table]
                graph.add_edge("wins", table, capacity=UNITS * self.race.tables[table])
                graph.add_edges_from((table, player) for player in table)
        for player in capped:
            graph.add_edge(player, "held", capacity=self.amounts[player])
        return self._short(graph, wins, capped)

    def too_poor(self, chosen: frozenset[int]) -> set[int]:
        """Return a group of rivals who together cannot gain the units that they need.

        Empty if all rivals can gain them.
        """
        if self._dealt_evenly(chosen, lambda units, need: units >= need, up=False):
            return set()
        graph = nx.DiGraph()
        for player in sorted(chosen):
            graph.add_edge("wins", player, capacity=self.amounts[player])
        for table in self._tables(chosen):
            graph.add_edges_from((player, table) for player in table & chosen)
            graph.add_edge(table, "held", capacity=UNITS * self.race.tables[table])
        return self._short(graph, sum(self.amounts[player] for player in chosen), chosen)

    def _tables(self, players: Iterable[int]) -> list[Table]:
        of_player = self.race.of_player
        return list(dict.fromkeys(chain.from_iterable(of_player[player] for player in players)))

    def _dealt_evenly(
        self, players: frozenset[int], fits: Callable[[int, int], bool], *, up: bool
    ) -> bool:
        """Return whether the rivals meet their limits if the players of every match share its win
        evenly. This is a fast check.

        If draws are impossible, each player gets half of the wins, rounded up or down.
        """
        if not self.race.duels:
            return False
        even = {player: self.left[player] * UNITS // 2 for player in players}
        if not self.race.draws:
            even = {player: (self.left[player] + up) // 2 * UNITS for player in players}
        return all(fits(even[player], self.amounts[player]) for player in players)

    def _short(self, graph: nx.DiGraph, wanted: int, among: frozenset[int]) -> set[int]:
        self.flows += 1
        if self.flows > MAX_FLOWS or graph.number_of_nodes() > MAX_TABLES + len(among):
            raise Undecided
        if not graph.has_node("wins") or not graph.has_node("held"):
            return set(among) if wanted else set()
        flow, (source_side, _) = nx.minimum_cut(graph, "wins", "held")
        return set() if flow == wanted else set(source_side & among)


def _can_hold_back(dealing: _Dealing, free: int) -> bool:
    seen: set[frozenset[int]] = set()

    def search(capped: frozenset[int], left: int) -> bool:
        if capped in seen:
            return False
        seen.add(capped)
        if left >= len(capped):
            return True
        culprits = dealing.too_full(capped)
        if not culprits:
            return True
        order = sorted(culprits, key=lambda player: (dealing.amounts[player], player))
        return left > 0 and any(search(capped - {player}, left - 1) for player in order)

    return search(frozenset(dealing.amounts), free)


def _can_catch_up(dealing: _Dealing, wanted: int) -> bool:
    seen: set[frozenset[int]] = set()

    def order(players: Iterable[int]) -> Sequence[int]:
        return sorted(players, key=lambda player: (dealing.amounts[player], player))

    def search(candidates: frozenset[int]) -> bool:
        if candidates in seen or len(candidates) < wanted:
            return False
        seen.add(candidates)
        culprits = dealing.too_poor(frozenset(order(candidates)[:wanted]))
        if not culprits:
            return True
        return any(search(candidates - {player}) for player in reversed(order(culprits)))

    return search(frozenset(dealing.amounts))


class CutState(StrEnum):
    """State of a player with regard to the cut-off line.

    `safe`: the player cannot fall below the line. `alive`: undecided. `out`: the player cannot end
    above the line any more.
    """

    SAFE = "safe"
    ALIVE = "alive"
    OUT = "out"


@dataclass(frozen=True, slots=True, kw_only=True)
class CutLine:
    """A cut-off line after `after` places (from 1), and the players of each open match.

    `fixtures` must contain all remaining matches, as in a round robin. `draws` means that matches
    can end in a draw. True is always correct, but leaves more states undecided. `sides` means that
    partners win together. `free_rounds` means that rounds without a match may still bring points.
    """

    after: int
    fixtures: Sequence[Sequence[int]] = ()
    draws: bool = True
    sides: bool = False
    free_rounds: bool = True


def final_state(place: int, sharing: int, cut: CutLine) -> CutState:
    if place > cut.after:
        return CutState.OUT
    return CutState.SAFE if place + sharing - 1 <= cut.after else CutState.ALIVE


def cut_states(
    scores: Mapping[int, Fraction], scoring: Scoring, cut: CutLine
) -> dict[int, CutState]:
    if scoring.kind is ScoringKind.POINTS or (scoring.bye_worth and cut.free_rounds):
        return dict.fromkeys(scores, CutState.ALIVE)
    reach = _Reach.from_scores(scores, scoring, cut)
    race = _race(scores, scoring, cut)
    return {player: _state(player, reach, race, cut.after) for player in scores}


@dataclass(frozen=True, slots=True)
class _Reach:
    """The lowest and highest possible final score of each player.

    Each match is considered separately.
    """

    least: Mapping[int, Fraction]
    most: Mapping[int, Fraction]

    @classmethod
    def from_scores(cls, scores: Mapping[int, Fraction], scoring: Scoring, cut: CutLine) -> _Reach:
        worths = {Fraction(0), Fraction(1)} if scoring.kind is ScoringKind.BEATEN else {Fraction(0)}
        worths |= set() if scoring.kind is ScoringKind.BEATEN else set(scoring.by_place)
        worths |= set() if scoring.draw is None else {scoring.draw}
        left = Counter(player for fixture in cut.fixtures for player in set(fixture))
        return cls(
            {player: score + left[player] * min(worths) for player, score in scores.items()},
            {player: score + left[player] * max(worths) for player, score in scores.items()},
        )

    def state(self, player: int, after: int) -> CutState:
        others = [rival for rival in self.least if rival != player]
        if sum(self.most[rival] >= self.least[player] for rival in others) < after:
            return CutState.SAFE
        if sum(self.least[rival] > self.most[player] for rival in others) >= after:
            return CutState.OUT
        return CutState.ALIVE


def _race(scores: Mapping[int, Fraction], scoring: Scoring, cut: CutLine) -> CutRace | None:
    """Return the data for the flow calculation if every match has exactly one win to share, else
    None.

    Without a race, only the bounds of `_Reach` decide. Under the current rules, a forfeit at a
    larger table is a full win for each player who came.
    """
    pairs = all(len(set(fixture)) == 2 for fixture in cut.fixtures)
    if scoring.sides is not None and not pairs:
        return None
    win = scoring.by_place[0] if scoring.by_place else Fraction(0)
    one_win = win > 0 and not any(scoring.by_place[1:]) and scoring.draw in {None, win / 2}
    if scoring.kind is ScoringKind.BEATEN:
        one_win, win = pairs, Fraction(1)
    if cut.sides or not one_win or (scoring.draw is not None and not pairs):
        return None
    units = {player: score * UNITS / win for player, score in scores.items()}
    if any(unit.denominator != 1 for unit in units.values()):
        return None
    return CutRace.from_scores(
        {player: int(unit) for player, unit in units.items()}, cut.fixtures, draws=cut.draws
    )


def _state(player: int, reach: _Reach, race: CutRace | None, after: int) -> CutState:
    bounded = reach.state(player, after)
    if bounded is not CutState.ALIVE or race is None:
        return bounded
    try:
        if not race.can_be_among(player, after):
            return CutState.OUT
    except Undecided:
        return CutState.ALIVE
    try:
        return CutState.ALIVE if race.can_be_caught(player, after) else CutState.SAFE
    except Undecided:
        return CutState.ALIVE
