"""Ranking of players by score and tie-breaks, with shared places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypedDict, Unpack

from fairness import Seed
from leagues.standings.cut import CutLine, CutState, cut_states, final_state
from leagues.standings.head_to_head import meeting_points, part_by_meetings, shares_inside
from leagues.standings.scoring import Placing, Scoring, StandingsEntry, meetings
from leagues.standings.tallies import (
    NO_CALENDAR,
    Calendar,
    PlayerTally,
    RulesVersion,
    current_tallies,
    first_tallies,
)
from leagues.standings.tie_breaks import (
    FIRST_TERMS,
    RELATIVE,
    CurrentTerms,
    TieBreak,
    TieBreakTerm,
    value_of,
)

LOT_RANGE = 1 << 62


def draw_lots(players: Iterable[int], seed: Seed) -> dict[int, int]:
    """Return a random number for each player, independent of which other players there are.

    The number is for drawing lots. Higher is better.
    """
    return {player: seed.chance(f"lot/{player}").below(LOT_RANGE) for player in players}


FORM_LENGTH = 5
NO_LOTS: Mapping[int, int] = {}
PartedBy = Literal["score", "withdrawn", "unplaced"] | TieBreak
Group = tuple[list[PlayerTally], PartedBy | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's row in the standings.

    - `place` is shared (`shared`) if none of the chosen tie-breaks decides.
    - `parted_by` is the criterion that separates this row from the row above. It is None for the
      first row and for rows with the same place as the row above.
    - `breaks` are the values of the chosen tie-breaks. Head to head is included only if it was
      needed, and drawing lots never.
    - `form` are the last five results, oldest first: `W` (won), `D` (drawn), `L` (lost).
    - `state` is safe, alive or out, None without a cut-off line.
    - `after_end` means that the player withdrew when the standings were final.
    - `placed` is False for players who have neither played nor scored. Under the current rules,
      they are below all others.
    - `missing` is the number of matches that the player still needs to be placed above the cut-off
      line.
    """

    place: int
    shared: bool
    player: int
    score: Fraction
    played: int
    won: int
    drawn: int
    lost: int
    points: int
    against: int
    byes: int
    withdrawn: bool
    after_end: bool
    form: tuple[str, ...]
    breaks: Mapping[TieBreak, Fraction]
    parted_by: PartedBy | None
    placed: bool = True
    state: CutState | None = None
    missing: int = 0

    @property
    def margin(self) -> int:
        return self.points - self.against

    @property
    def is_member(self) -> bool:
        """Return whether the player is still a member of the league, or was a member at its end."""
        return self.after_end or not self.withdrawn

    @property
    def has_enough_matches(self) -> bool:
        """Return whether the player has played enough matches to be placed above the cut-off
        line.
        """
        return self.is_member and not self.missing


def compute_standings(
    entries: Iterable[StandingsEntry],
    placings: Iterable[Placing],
    *,
    scoring: Scoring | None = None,
    tie_breaks: Sequence[TieBreak] = (),
    lots: Mapping[int, int] = NO_LOTS,
    cut: CutLine | None = None,
    least: int = 0,
    rules: RulesVersion = RulesVersion.FIRST,
    calendar: Calendar = NO_CALENDAR,
) -> tuple[StandingsRow, ...]:
    """Return the rows of all players, best first.

    `lots` are the numbers of `draw_lots`. `cut` is the cut-off line with the open matches. `least`
    is the number of matches that a player needs to be placed above the line. `calendar` is used
    only by the current version of the rules.
    """
    entered = list(entries)
    order = order_of(
        entered,
        placings,
        scoring=scoring or Scoring(),
        tie_breaks=tie_breaks,
        lots=lots,
        rules=rules,
        calendar=calendar,
    )
    return rows_of(order, scoring or Scoring(), cut, least)


def rows_of(
    order: RankingOrder, scoring: Scoring, cut: CutLine | None, least: int = 0
) -> tuple[StandingsRow, ...]:
    rows = tuple(order.rows())
    if least:
        played = {row.player: order.everyone[row.player].matches for row in rows}
        rows = tuple(replace(row, missing=max(0, least - played[row.player])) for row in rows)
    return _with_states(rows, scoring, cut) if cut else rows


class Criteria(TypedDict):
    """Data that decides the order of players.

    `lots` are the numbers of `draw_lots`. `calendar` is used only by the current version of the
    rules.
    """

    scoring: Scoring
    tie_breaks: Sequence[TieBreak]
    lots: Mapping[int, int]
    rules: RulesVersion
    calendar: Calendar


def order_of(
    entries: Sequence[StandingsEntry], placings: Iterable[Placing], **by: Unpack[Criteria]
) -> RankingOrder:
    scoring, tie_breaks, lots = by["scoring"], by["tie_breaks"], by["lots"]
    played = meetings(placings)
    players = [entry.player for entry in entries]
    if by["rules"] is RulesVersion.CURRENT:
        everyone = current_tallies(entries, played, scoring, by["calendar"])
        return CurrentOrder(everyone, players, tie_breaks, lots, scoring, by["calendar"])
    return RankingOrder(first_tallies(entries, played, scoring), players, tie_breaks, lots)


class RankingOrder:
    """The order of players under the first version of the rules."""

    def __init__(
        self,
        everyone: Mapping[int, PlayerTally],
        players: Iterable[int],
        names: Sequence[TieBreak],
        lots: Mapping[int, int],
    ) -> None:
        self.everyone, self.names, self.lots = everyone, names, lots
        self.entered = [everyone[player] for player in sorted(players)]
        self._noted: dict[int, dict[TieBreak, Fraction]] = {player: {} for player in everyone}

    def rows(self) -> Iterator[StandingsRow]:
        for name in self.names:
            if name not in RELATIVE:
                for tally in self.entered:
                    self._value(name, tally)
        place = 1
        *_, (_, groups) = self.stages()
        for group, parted_by in groups:
            for position, tally in enumerate(group):
                yield self._row(tally, place, len(group) > 1, None if position else parted_by)
            place += len(group)

    def stages(self) -> Iterator[tuple[PartedBy, list[Group]]]:
        """Yield each criterion, in order of priority, with groups of players.

        A group contains players who are tied by this criterion and all earlier ones.
        """
        groups: list[Group] = [(self.entered, None)]
        criteria: tuple[PartedBy, ...] = ("withdrawn", "unplaced", "score", *self.names)
        for name in criteria:
            groups = [
                part
                for group, by in groups
                for part in (
                    self._split_group(name, group, by) if len(group) > 1 else [(group, by)]
                )
            ]
            yield name, groups

    def _is_placed(self, tally: PlayerTally) -> bool:
        return True

    def _split_group(
        self, name: PartedBy, group: list[PlayerTally], by: PartedBy | None
    ) -> list[Group]:
        values = self.values(name, group)
        return _split_groups([(group, by)], name, values) if values else [(group, by)]

    def values(self, name: PartedBy, group: Sequence[PlayerTally]) -> Mapping[int, Fraction]:
        """Return the values of a criterion within a group of tied players. Higher is better.

        The result is empty if the criterion does not apply.
        """
        if name == "withdrawn":
            return {tally.player: Fraction(-tally.ranked_last) for tally in group}
        if name == "unplaced":
            return {tally.player: Fraction(self._is_placed(tally)) for tally in group}
        if name == "score":
            return {tally.player: tally.score for tally in group}
        if name is TieBreak.HEAD_TO_HEAD:
            shares = shares_inside(group) or {}
            self._note(name, shares)
            return shares
        if name is TieBreak.LOTS:
            return {tally.player: Fraction(self.lots.get(tally.player, 0)) for tally in group}
        return {tally.player: self._value(TieBreak(name), tally) for tally in group}

    def _value(self, name: TieBreak, tally: PlayerTally) -> Fraction:
        noted = self._noted[tally.player]
        if name not in noted:
            noted[name] = value_of(self.terms(name, tally))
        return noted[name]

    def terms(self, name: TieBreak, tally: PlayerTally) -> list[TieBreakTerm]:
        return FIRST_TERMS[name](tally, self.everyone)

    def _note(self, name: TieBreak, values: Mapping[int, Fraction]) -> None:
        for player, value in values.items():
            self._noted[player][name] = value

    def _row(
        self, tally: PlayerTally, place: int, shared: bool, parted_by: PartedBy | None
    ) -> StandingsRow:
        return StandingsRow(
            place=place,
            shared=shared,
            player=tally.player,
            score=tally.score,
            played=tally.played,
            won=tally.won,
            drawn=tally.drawn,
            lost=tally.lost,
            points=tally.points,
            against=tally.against,
            byes=tally.byes,
            withdrawn=tally.withdrawn,
            after_end=tally.after_end,
            form=tuple(tally.results[-FORM_LENGTH:]),
            breaks=self._noted[tally.player],
            parted_by=parted_by,
            placed=self._is_placed(tally),
        )


class CurrentOrder(RankingOrder):
    """The order of players under the current version of the rules."""

    def __init__(
        self,
        everyone: Mapping[int, PlayerTally],
        players: Iterable[int],
        names: Sequence[TieBreak],
        lots: Mapping[int, int],
        scoring: Scoring,
        calendar: Calendar,
    ) -> None:
        super().__init__(everyone, players, names, lots)
        self.current = CurrentTerms(everyone, scoring, calendar)

    def _is_placed(self, tally: PlayerTally) -> bool:
        return tally.matches > 0 or tally.score > 0

    def _split_group(
        self, name: PartedBy, group: list[PlayerTally], by: PartedBy | None
    ) -> list[Group]:
        if name is not TieBreak.HEAD_TO_HEAD:
            return super()._split_group(name, group, by)
        if self._is_placed(group[0]):
            self._note(name, {tally.player: meeting_points(tally, group) for tally in group})
        levels = part_by_meetings(group)
        return [(level, name if position else by) for position, level in enumerate(levels)]

    def terms(self, name: TieBreak, tally: PlayerTally) -> list[TieBreakTerm]:
        return self.current.terms(name, tally, self.everyone)


def _split_groups(
    groups: list[Group], name: PartedBy, values: Mapping[int, Fraction]
) -> list[Group]:
    parted: list[Group] = []
    for group, by in groups:
        levels: dict[Fraction, list[PlayerTally]] = {}
        for tally in group:
            levels.setdefault(values[tally.player], []).append(tally)
        for position, value in enumerate(sorted(levels, reverse=True)):
            parted.append((levels[value], name if position else by))
    return parted


def _with_states(
    rows: tuple[StandingsRow, ...], scoring: Scoring, cut: CutLine
) -> tuple[StandingsRow, ...]:
    """Add the states (safe, alive or out) to the rows.

    Players who withdrew have no state, and they are left out when the places above the cut-off line
    are counted.
    """
    staying = [row for row in rows if row.is_member]
    states = _open_states(staying, scoring, cut) if cut.fixtures else _final_states(staying, cut)
    return tuple(replace(row, state=states.get(row.player)) for row in rows)


def _final_states(staying: Sequence[StandingsRow], cut: CutLine) -> dict[int, CutState]:
    counted = [row for row in staying if row.has_enough_matches]
    sharing = Counter(row.place for row in counted)
    ahead = {place: sum(row.place < place for row in counted) for place in sharing}
    states = {row.player: CutState.OUT for row in staying}
    for row in counted:
        states[row.player] = final_state(1 + ahead[row.place], sharing[row.place], cut)
    return states


def _open_states(
    staying: Sequence[StandingsRow], scoring: Scoring, cut: CutLine
) -> dict[int, CutState]:
    """Return the states of players (safe, alive or out) while matches are open.

    Players who do not yet have enough matches for the cut-off line, but may still have them later,
    can take a place from players who would otherwise be safe. Nobody is out because of them.
    """
    left = Counter(player for fixture in cut.fixtures for player in set(fixture))
    counted = {row.player: row.score for row in staying if row.has_enough_matches}
    later = {row.player: row.score for row in staying if 0 < row.missing <= left[row.player]}
    states = {row.player: CutState.OUT for row in staying} | cut_states(counted, scoring, cut)
    if later:
        certain = cut_states(counted | later, scoring, cut)
        for player, state in states.items():
            if state is CutState.SAFE and certain[player] is not CutState.SAFE:
                states[player] = CutState.ALIVE
        states |= dict.fromkeys(later, CutState.ALIVE)
    return states
