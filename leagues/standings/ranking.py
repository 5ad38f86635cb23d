"""Ranking of players by score and tie-breaks, with shared places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from fairness import Seed
from leagues.standings.cut import Cut, CutState, cut_states, final_state
from leagues.standings.scoring import Entry, Placing, Scoring, meetings
from leagues.standings.tallies import (
    NO_CALENDAR,
    Calendar,
    RulesVersion,
    Tally,
    current_tallies,
    first_tallies,
)
from leagues.standings.tie_breaks import (
    FIRST_VALUES,
    RELATIVE,
    CurrentValues,
    TieBreak,
    meeting_points,
    part_by_meetings,
    shares_inside,
)

LOT_RANGE = 1 << 62


def draw_lots(players: Iterable[int], seed: Seed) -> dict[int, int]:
    """Return a random number per player, higher is better, independent of other players."""
    return {player: seed.chance(f"lot/{player}").below(LOT_RANGE) for player in players}


FORM_LENGTH = 5
NO_LOTS: Mapping[int, int] = {}
PartedBy = Literal["score", "withdrawn", "unplaced"] | TieBreak
Group = tuple[list[Tally], PartedBy | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's line. `place` is shared (`shared`) if no chosen tie-break decides.

    `parted_by` is what separates this row from the one above, None for the first and shared ones.
    `breaks` are the values of the chosen tie-breaks, head to head only where it was needed, and
    never lots. `form` are the last five results, oldest first: `W`, `D`, `L`. `state` is safe,
    alive or out, None without a cut. `after_end` means that the player withdrew when the table was
    final. Players who have neither played nor scored are not `placed`
    under the current rules and stand below all others.
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

    @property
    def margin(self) -> int:
        return self.points - self.against

    @property
    def stays(self) -> bool:
        """Whether the line of the cut counts the player."""
        return self.after_end or not self.withdrawn


def compute_standings(
    entries: Iterable[Entry],
    placings: Iterable[Placing],
    *,
    scoring: Scoring | None = None,
    tie_breaks: Sequence[TieBreak] = (),
    lots: Mapping[int, int] = NO_LOTS,
    cut: Cut | None = None,
    rules: RulesVersion = RulesVersion.FIRST,
    calendar: Calendar = NO_CALENDAR,
) -> tuple[StandingsRow, ...]:
    """Return the rows of all entries, best first.

    See `draw_lots` for `lots`. `cut` is the line and the open matches. `calendar` is for the
    current rules only.
    """
    scoring, entered, played = scoring or Scoring(), list(entries), meetings(placings)
    order: _Order
    if rules is RulesVersion.CURRENT:
        order = _CurrentOrder(
            current_tallies(entered, played, scoring, calendar), tie_breaks, lots, scoring, calendar
        )
    else:
        order = _Order(first_tallies(entered, played, scoring), tie_breaks, lots)
    rows = tuple(order.rows([order.everyone[entry.player] for entry in entered]))
    return _with_states(rows, scoring, cut) if cut else rows


class _Order:
    """The order of the first rules."""

    def __init__(
        self, everyone: Mapping[int, Tally], names: Sequence[TieBreak], lots: Mapping[int, int]
    ) -> None:
        self.everyone, self.names, self.lots = everyone, names, lots
        self.values: dict[int, dict[TieBreak, Fraction]] = {player: {} for player in everyone}

    def rows(self, entered: list[Tally]) -> Iterator[StandingsRow]:
        for name in self.names:
            if name not in RELATIVE:
                self._note(name, self._values(name, entered))
        place = 1
        for group, parted_by in self._groups(entered):
            for position, tally in enumerate(group):
                yield self._row(tally, place, len(group) > 1, None if position else parted_by)
            place += len(group)

    def _groups(self, entered: list[Tally]) -> list[Group]:
        groups: list[Group] = [(sorted(entered, key=lambda tally: tally.player), None)]
        groups = _split(
            groups, "withdrawn", {tally.player: Fraction(-tally.ranked_last) for tally in entered}
        )
        groups = _split(
            groups, "unplaced", {tally.player: Fraction(self._placed(tally)) for tally in entered}
        )
        groups = _split(groups, "score", {tally.player: tally.score for tally in entered})
        for name in self.names:
            parted: list[Group] = []
            for group, by in groups:
                parted += self._parted(name, group, by) if len(group) > 1 else [(group, by)]
            groups = parted
        return groups

    def _placed(self, tally: Tally) -> bool:
        return True

    def _parted(self, name: TieBreak, group: list[Tally], by: PartedBy | None) -> list[Group]:
        values = self._values(name, group)
        if name is not TieBreak.LOTS:
            self._note(name, values)
        return _split([(group, by)], name, values) if values else [(group, by)]

    def _values(self, name: TieBreak, group: list[Tally]) -> Mapping[int, Fraction]:
        if name is TieBreak.HEAD_TO_HEAD:
            return shares_inside(group) or {}
        if name is TieBreak.LOTS:
            return {tally.player: Fraction(self.lots.get(tally.player, 0)) for tally in group}
        return {tally.player: self._value(name, tally) for tally in group}

    def _value(self, name: TieBreak, tally: Tally) -> Fraction:
        return FIRST_VALUES[name](tally, self.everyone)

    def _note(self, name: TieBreak, values: Mapping[int, Fraction]) -> None:
        for player, value in values.items():
            self.values[player][name] = value

    def _row(
        self, tally: Tally, place: int, shared: bool, parted_by: PartedBy | None
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
            breaks=self.values[tally.player],
            parted_by=parted_by,
            placed=self._placed(tally),
        )


class _CurrentOrder(_Order):
    """The order of the current rules."""

    def __init__(
        self,
        everyone: Mapping[int, Tally],
        names: Sequence[TieBreak],
        lots: Mapping[int, int],
        scoring: Scoring,
        calendar: Calendar,
    ) -> None:
        super().__init__(everyone, names, lots)
        self.current = CurrentValues(everyone, scoring, calendar)

    def _placed(self, tally: Tally) -> bool:
        return tally.played > tally.forfeits or tally.score > 0

    def _parted(self, name: TieBreak, group: list[Tally], by: PartedBy | None) -> list[Group]:
        if name is not TieBreak.HEAD_TO_HEAD:
            return super()._parted(name, group, by)
        if self._placed(group[0]):
            self._note(name, {tally.player: meeting_points(tally, group) for tally in group})
        levels = part_by_meetings(group)
        return [(level, name if position else by) for position, level in enumerate(levels)]

    def _value(self, name: TieBreak, tally: Tally) -> Fraction:
        return self.current.value(name, tally, self.everyone)


def _split(groups: list[Group], name: PartedBy, values: Mapping[int, Fraction]) -> list[Group]:
    parted: list[Group] = []
    for group, by in groups:
        levels: dict[Fraction, list[Tally]] = {}
        for tally in group:
            levels.setdefault(values[tally.player], []).append(tally)
        for position, value in enumerate(sorted(levels, reverse=True)):
            parted.append((levels[value], name if position else by))
    return parted


def _with_states(
    rows: tuple[StandingsRow, ...], scoring: Scoring, cut: Cut
) -> tuple[StandingsRow, ...]:
    """Add states to the rows. Withdrawn players have none, and the line does not count them."""
    staying = [row for row in rows if row.stays]
    if cut.fixtures:
        states = cut_states({row.player: row.score for row in staying}, scoring, cut)
    else:
        sharing = Counter(row.place for row in staying)
        ahead = {place: sum(row.place < place for row in staying) for place in sharing}
        states = {
            row.player: final_state(1 + ahead[row.place], sharing[row.place], cut)
            for row in staying
        }
    return tuple(replace(row, state=states.get(row.player)) for row in rows)
