"""The standings: everybody in order, with what parts each from the one above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from leagues.standings.breaks import TieBreak, break_values
from leagues.standings.cut import Cut, State, decided, states
from leagues.standings.places import Entry, Placing, meetings
from leagues.standings.scoring import Scoring
from leagues.standings.tally import Tally, tallies

FORM_LENGTH = 5
NO_LOTS: Mapping[int, int] = {}
PartedBy = Literal["score", "withdrawn"] | TieBreak
Group = tuple[list[Tally], PartedBy | None]
RELATIVE = (TieBreak.HEAD_TO_HEAD, TieBreak.LOTS)
"""What depends on who is level, or says nothing of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player's line. `place` is shared (`shared`) where nothing picked parts the players.

    `parted_by`: what parts this row from the one above; None for the first and for shared ones.
    `breaks`: the values of the tie-breaks picked; head to head where it was needed, lots never,
    for they mean nothing. `form`: the last five, oldest first: `W`, `D`, `L`.
    `state`: safe, alive or out for the cut, None where there is no cut.
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
    state: State | None = None

    @property
    def margin(self) -> int:
        """Points for less points against."""
        return self.points - self.against


def standings(
    entries: Iterable[Entry],
    placings: Iterable[Placing],
    *,
    scoring: Scoring | None = None,
    tie_breaks: Sequence[TieBreak] = (),
    lots: Mapping[int, int] = NO_LOTS,
    cut: Cut | None = None,
) -> tuple[Row, ...]:
    """The rows of all entries, best first; who withdrew stands below all others.

    `lots`: see `draw_lots`. `cut`: where the line is drawn and what is still to be played.
    """
    scoring, entered = scoring or Scoring(), list(entries)
    everyone = tallies(entered, meetings(placings), scoring)
    order = _Order(everyone, tie_breaks, lots)
    rows = tuple(order.rows([everyone[entry.player] for entry in entered]))
    return _with_states(rows, scoring, cut) if cut else rows


class _Order:
    """Parts players by score, then by one tie-break after the other."""

    def __init__(
        self, everyone: Mapping[int, Tally], names: Sequence[TieBreak], lots: Mapping[int, int]
    ) -> None:
        self.everyone, self.names, self.lots = everyone, names, lots
        self.values: dict[int, dict[TieBreak, Fraction]] = {player: {} for player in everyone}

    def rows(self, entered: list[Tally]) -> Iterator[Row]:
        """The rows of those who entered, best first."""
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

    def _row(self, tally: Tally, place: int, shared: bool, parted_by: PartedBy | None) -> Row:
        return Row(
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
    """Each group parted by the values, highest first; what parts it from above is kept."""
    parted: list[Group] = []
    for group, by in groups:
        levels: dict[Fraction, list[Tally]] = {}
        for tally in group:
            levels.setdefault(values[tally.player], []).append(tally)
        for position, value in enumerate(sorted(levels, reverse=True)):
            parted.append((levels[value], name if position else by))
    return parted


def _with_states(rows: tuple[Row, ...], scoring: Scoring, cut: Cut) -> tuple[Row, ...]:
    """The rows with their states; who withdrew has none and is in nobody's way."""
    staying = [row for row in rows if not row.withdrawn]
    if cut.fixtures:
        found = states({row.player: row.score for row in staying}, scoring, cut)
    else:
        found = {row.player: decided(row.place, _sharing(rows, row), cut) for row in staying}
    return tuple(replace(row, state=found.get(row.player)) for row in rows)


def _sharing(rows: tuple[Row, ...], row: Row) -> int:
    return sum(other.place == row.place for other in rows)
