"""Explanation of a player's place in the standings: the terms of the score and of each tie-break.

Everything is taken from the `RankingOrder` that also calculates the standings, so explanation and
standings cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from leagues.standings.head_to_head import (
    bounds,
    current_terms,
    first_terms,
    parted_once,
    rivals_inside,
)
from leagues.standings.ranking import CurrentOrder, PartedBy, RankingOrder, StandingsRow
from leagues.standings.tallies import PlayerTally, PlayerTurn
from leagues.standings.tie_breaks import TieBreak, TieBreakTerm

Level = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionStep:
    """A criterion that compares players who were tied by all criteria before it.

    `parts` are the groups into which the criterion separates these players, best first. There is
    only one group if it does not decide. `values` are the values of all these players, empty if the
    criterion does not apply. `most` are values that players can still reach, if these are higher.
    `terms` are the summands of the explained player's value. `unmet` are the players of the group
    whom the player has not met.
    """

    by: PartedBy
    parts: tuple[Level, ...]
    values: Mapping[int, Fraction]
    terms: tuple[TieBreakTerm, ...] = ()
    most: Mapping[int, Fraction] = field(default_factory=dict)
    unmet: Level = ()

    def part_of(self, player: int) -> Level:
        return next(part for part in self.parts if player in part)

    def ahead_of(self, player: int) -> Level:
        """Return the players whom this criterion places above the player, best first."""
        earlier = self.parts[: self.parts.index(self.part_of(player))]
        return tuple(other for part in earlier for other in part)

    def level_of(self, player: int) -> Level:
        later = self.parts[self.parts.index(self.part_of(player)) + 1 :]
        return tuple(other for part in later for other in part)

    def separates(self, player: int, other: int) -> bool:
        return any(other in part for part in self.parts if part != self.part_of(player))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Explanation of a player's row in the standings.

    `turns` are the player's matches, and rounds without a match, in the order of the rounds.
    `sharing` are the players with the same place, `above` and `below` the nearest other players.
    `counted_ahead` and `counted_level` are the numbers of players who count for the cut-off line
    and have a higher or the same place. `scores` are the scores of all players.
    """

    row: StandingsRow
    turns: tuple[PlayerTurn, ...]
    steps: tuple[CriterionStep, ...]
    sharing: Level
    above: int | None
    below: int | None
    counted_ahead: int
    counted_level: int
    scores: Mapping[int, Fraction]

    def step_between(self, other: int) -> CriterionStep:
        """Return the step that separates the player from another player with a different place."""
        return next(step for step in self.steps if step.separates(self.row.player, other))


def explain_standing(order: RankingOrder, rows: Sequence[StandingsRow], player: int) -> Explanation:
    """Explain the row of a player, who must be in the standings."""
    at = next(at for at, row in enumerate(rows) if row.player == player)
    row = rows[at]
    sharing = (other.player for other in rows if other.place == row.place)
    above = (other.player for other in reversed(rows[:at]) if other.place != row.place)
    below = (other.player for other in rows[at:] if other.place != row.place)
    counted = [other.place for other in rows if other.has_enough_matches]
    return Explanation(
        row=row,
        turns=_in_rounds(order.everyone[player].turns),
        steps=tuple(_steps(order, player)),
        sharing=tuple(other for other in sharing if other != player),
        above=next(above, None),
        below=next(below, None),
        counted_ahead=sum(place < row.place for place in counted),
        counted_level=counted.count(row.place),
        scores={player: tally.score for player, tally in order.everyone.items()},
    )


def _in_rounds(turns: Sequence[PlayerTurn]) -> tuple[PlayerTurn, ...]:
    """Return matches and free rounds in the order of rounds. Those outside of rounds come last."""
    return tuple(sorted(turns, key=lambda turn: (not turn.round, turn.round)))


def _steps(order: RankingOrder, player: int) -> Iterator[CriterionStep]:
    """Yield the criteria of the ranking that compared the player with tied players, until no tied
    player was left.

    Withdrawal, a missing place and the score are included only if they separate some of the
    players.
    """
    group: Sequence[PlayerTally] = order.entered
    for name, groups in order.stages():
        if len(group) < 2:
            return
        inside = {tally.player for tally in group}
        parts = [part for part, _ in groups if part[0].player in inside]
        if name is TieBreak.HEAD_TO_HEAD and isinstance(order, CurrentOrder):
            yield from _meeting_steps(group, player)
        elif len(parts) > 1 or isinstance(name, TieBreak):
            yield _step(order, name, group, parts, player)
        group = _group_of(player, parts)


def _group_of(player: int, groups: Sequence[Sequence[PlayerTally]]) -> Sequence[PlayerTally]:
    return next(group for group in groups if any(tally.player == player for tally in group))


def _step(
    order: RankingOrder,
    name: PartedBy,
    group: Sequence[PlayerTally],
    parts: Sequence[Sequence[PlayerTally]],
    player: int,
) -> CriterionStep:
    own = order.everyone[player]
    terms: Sequence[TieBreakTerm] = ()
    unmet: Level = ()
    if name is TieBreak.HEAD_TO_HEAD:
        terms = first_terms(own, rivals_inside(own, group))
        unmet = _unmet(own, group)
    elif isinstance(name, TieBreak) and name is not TieBreak.LOTS:
        terms = order.terms(name, own)
    return CriterionStep(
        by=name,
        parts=_players(parts),
        values=order.values(name, group),
        terms=tuple(terms),
        unmet=unmet,
    )


def _meeting_steps(group: Sequence[PlayerTally], player: int) -> Iterator[CriterionStep]:
    """Yield the head-to-head step of a group of tied players.

    Further steps follow for smaller groups that are still tied and are compared again among
    themselves.
    """
    while len(group) > 1:
        own = next(tally for tally in group if tally.player == player)
        parts = parted_once(group)
        ranges = {tally.player: bounds(tally, group) for tally in group}
        yield CriterionStep(
            by=TieBreak.HEAD_TO_HEAD,
            parts=_players(parts),
            values={player: least for player, (least, _) in ranges.items()},
            most={player: most for player, (least, most) in ranges.items() if most > least},
            terms=tuple(current_terms(own, rivals_inside(own, group))),
            unmet=_unmet(own, group),
        )
        if len(parts) == 1:
            return
        group = _group_of(player, parts)


def _players(parts: Sequence[Sequence[PlayerTally]]) -> tuple[Level, ...]:
    return tuple(tuple(tally.player for tally in part) for part in parts)


def _unmet(own: PlayerTally, group: Sequence[PlayerTally]) -> Level:
    met = {rival for rival, _ in own.met}
    return tuple(sorted(rivals_inside(own, group) - met))
