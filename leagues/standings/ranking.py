"""Ranking of players by score and tie-breaks, with shared places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from fairness import Seed
from leagues.standings.cut import Cut, CutState, cut_states, final_state
from leagues.standings.scoring import Entry, Placing, Scoring, Tally, meetings, tallies

LOT_RANGE = 1 << 62
Tallies = Mapping[int, Tally]


class TieBreak(StrEnum):
    """A tie-break between players with the same score. Higher is better unless noted.

    `head_to_head`: share of the meetings among tied players, if all have met. `wins`: matches won.
    `margin`: points for minus points against. `points`: points for. `fewest_played`: fewer matches
    are better. `buchholz`: sum of the opponents' scores. `median_buchholz`: the same without the
    best and the weakest opponent. `sonneborn_berger`: scores of beaten opponents, and half of those
    drawn with. `best_single`: most points in one match. `cumulative`: sum of the scores after every
    match, which favours early success. `lots`: random.
    """

    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    MARGIN = "margin"
    POINTS = "points"
    FEWEST_PLAYED = "fewest_played"
    BUCHHOLZ = "buchholz"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    BEST_SINGLE = "best_single"
    CUMULATIVE = "cumulative"
    LOTS = "lots"


def draw_lots(players: Iterable[int], seed: Seed) -> dict[int, int]:
    """Return a random number per player, higher is better, independent of other players."""
    return {player: seed.chance(f"lot/{player}").below(LOT_RANGE) for player in players}


def _opponents(tally: Tally, everyone: Tallies) -> list[Fraction]:
    """Return the scores of all opponents. A bye counts as an opponent with the player's own
    score.
    """
    return [everyone[rival].score for rival, _ in tally.met] + [tally.score] * tally.byes


def _buchholz(tally: Tally, everyone: Tallies) -> Fraction:
    return sum(_opponents(tally, everyone), Fraction(0))


def _median_buchholz(tally: Tally, everyone: Tallies) -> Fraction:
    scores = _opponents(tally, everyone)
    if len(scores) < 3:
        return Fraction(0)
    return sum(scores, Fraction(0)) - min(scores) - max(scores)


def _sonneborn_berger(tally: Tally, everyone: Tallies) -> Fraction:
    return sum((share * everyone[rival].score for rival, share in tally.met), Fraction(0))


def _cumulative(tally: Tally, _: Tallies) -> Fraction:
    return sum(accumulate(tally.gains), Fraction(0))


_VALUES: dict[TieBreak, Callable[[Tally, Tallies], Fraction]] = {
    TieBreak.WINS: lambda tally, _: Fraction(tally.won),
    TieBreak.MARGIN: lambda tally, _: Fraction(tally.points - tally.against),
    TieBreak.POINTS: lambda tally, _: Fraction(tally.points),
    TieBreak.FEWEST_PLAYED: lambda tally, _: Fraction(-tally.played),
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.MEDIAN_BUCHHOLZ: _median_buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.BEST_SINGLE: lambda tally, _: Fraction(tally.best or 0),
    TieBreak.CUMULATIVE: _cumulative,
}


def head_to_head(group: Sequence[Tally]) -> dict[int, Fraction] | None:
    """Return each player's share of the meetings in the group. None unless all have met."""
    players = {tally.player for tally in group}
    shares = {}
    for tally in group:
        inside = [(rival, share) for rival, share in tally.met if rival in players]
        if len({rival for rival, _ in inside}) < len(players) - 1:
            return None
        total = sum((share for _, share in inside), Fraction(0))
        shares[tally.player] = total / max(1, len(inside))
    return shares


def break_values(
    name: TieBreak, group: Sequence[Tally], everyone: Tallies, lots: Mapping[int, int]
) -> dict[int, Fraction] | None:
    if name is TieBreak.HEAD_TO_HEAD:
        return head_to_head(group)
    if name is TieBreak.LOTS:
        return {tally.player: Fraction(lots.get(tally.player, 0)) for tally in group}
    return {tally.player: _VALUES[name](tally, everyone) for tally in group}


FORM_LENGTH = 5
NO_LOTS: Mapping[int, int] = {}
PartedBy = Literal["score", "withdrawn"] | TieBreak
Group = tuple[list[Tally], PartedBy | None]
# Tie-breaks that depend on the tied group or have no meaningful value.
RELATIVE = (TieBreak.HEAD_TO_HEAD, TieBreak.LOTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A player's line. `place` is shared (`shared`) if no chosen tie-break decides.

    `parted_by` is what separates this row from the one above, None for the first and shared ones.
    `breaks` are the values of the chosen tie-breaks, head to head only where it was needed, and
    never lots. `form` are the last five results, oldest first: `W`, `D`, `L`. `state` is safe,
    alive or out, None without a cut.
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
    form: tuple[str, ...]
    breaks: Mapping[TieBreak, Fraction]
    parted_by: PartedBy | None
    state: CutState | None = None

    @property
    def margin(self) -> int:
        return self.points - self.against


def compute_standings(
    entries: Iterable[Entry],
    placings: Iterable[Placing],
    *,
    scoring: Scoring | None = None,
    tie_breaks: Sequence[TieBreak] = (),
    lots: Mapping[int, int] = NO_LOTS,
    cut: Cut | None = None,
) -> tuple[StandingsRow, ...]:
    """Return the rows of all entries, best first. Withdrawn players come last.

    See `draw_lots` for `lots`. `cut` is the line and the open matches.
    """
    scoring, entered = scoring or Scoring(), list(entries)
    everyone = tallies(entered, meetings(placings), scoring)
    order = _Order(everyone, tie_breaks, lots)
    rows = tuple(order.rows([everyone[entry.player] for entry in entered]))
    return _with_states(rows, scoring, cut) if cut else rows


class _Order:
    def __init__(
        self, everyone: Mapping[int, Tally], names: Sequence[TieBreak], lots: Mapping[int, int]
    ) -> None:
        self.everyone, self.names, self.lots = everyone, names, lots
        self.values: dict[int, dict[TieBreak, Fraction]] = {player: {} for player in everyone}

    def rows(self, entered: list[Tally]) -> Iterator[StandingsRow]:
        for name in self.names:
            if name not in RELATIVE:
                self._broken(name, entered)
        place = 1
        for group, parted_by in self._groups(entered):
            for position, tally in enumerate(group):
                yield self._row(tally, place, len(group) > 1, None if position else parted_by)
            place += len(group)

    def _groups(self, entered: list[Tally]) -> list[Group]:
        groups: list[Group] = [(sorted(entered, key=lambda tally: tally.player), None)]
        groups = _split(groups, "withdrawn", {t.player: Fraction(-t.withdrawn) for t in entered})
        groups = _split(groups, "score", {tally.player: tally.score for tally in entered})
        for name in self.names:
            parted: list[Group] = []
            for group, by in groups:
                values = self._broken(name, group) if len(group) > 1 else None
                parted += _split([(group, by)], name, values) if values else [(group, by)]
            groups = parted
        return groups

    def _broken(self, name: TieBreak, group: list[Tally]) -> Mapping[int, Fraction] | None:
        values = break_values(name, group, self.everyone, self.lots)
        if values and name is not TieBreak.LOTS:
            for player, value in values.items():
                self.values[player][name] = value
        return values

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
            form=tuple(tally.results[-FORM_LENGTH:]),
            breaks=self.values[tally.player],
            parted_by=parted_by,
        )


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
    """Add states to the rows. Withdrawn players have none and don't affect others."""
    staying = [row for row in rows if not row.withdrawn]
    if cut.fixtures:
        states = cut_states({row.player: row.score for row in staying}, scoring, cut)
    else:
        sharing = Counter(row.place for row in rows)
        states = {row.player: final_state(row.place, sharing[row.place], cut) for row in staying}
    return tuple(replace(row, state=states.get(row.player)) for row in rows)
