"""Finds matadors who can equal a record or reach a round number in their next corrida.

Only posted results are compared with what one corrida can add. Nothing is predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from corridas.world.deeds import CIRCUIT, FERIA, HERD, PLAZA, Where
from corridas.world.records import CAREER, KINDS, SEASON, Kind

# Largest gap to a record that a matador can usually close with two bulls.
REACH: Final = {"corridas": 1, "ears": 3, "tails": 1, "indultos": 1}
# Records below these values are not mentioned before a corrida.
WORTH: Final[Mapping[str, Mapping[str, int]]] = {
    CIRCUIT: {"corridas": 20, "ears": 20, "tails": 4, "indultos": 3},
    PLAZA: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
    FERIA: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
    HERD: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
}
# Every n-th corrida of a career is mentioned: in the circuit, in one plaza, with one herd.
ROUND: Final = {CIRCUIT: 50, PLAZA: 10, HERD: 10}
# Every n-th ear of a career is mentioned if one corrida can reach it.
EARS_ROUND: Final = 100
EARS_AN_AFTERNOON: Final = 4


class Sums(NamedTuple):
    """A matador's counters in one place, for his career and for this season."""

    matador: int
    where: Where
    career: Mapping[str, int]
    season: Mapping[str, int]


class RecordLine(NamedTuple):
    """A current record: its value and its holder. `fresh` is true if it was set this season."""

    value: int
    matador: int | None
    fresh: bool


class Near(NamedTuple):
    """One fact to mention before a corrida: a record or a round number that is within reach.

    `key` is the kind of record, or `round_corridas` or `round_ears`. `gap` is the difference from
    `value`, which the matador would equal or reach. `holder` is the current holder of the record.
    """

    matador: int
    where: Where
    key: str
    value: int
    gap: int
    holder: int | None = None


_COMPARED: Final = tuple(
    kind for kind in KINDS if kind.over in {SEASON, CAREER} and kind.of in REACH
)
_RANK: Final = {CIRCUIT: 0, PLAZA: 1, FERIA: 2, HERD: 3}


def near(
    sums: Iterable[Sums], lines: Mapping[tuple[str, str, str], RecordLine], most: int | None = None
) -> list[Near]:
    """Return the records and round numbers within reach of these matadors, the most important
    first.
    """
    candidates = [candidate for own in sums for candidate in (*_records(own, lines), *_round(own))]
    return sorted(candidates, key=_weight)[:most]


def _weight(near: Near) -> tuple[object, ...]:
    return (near.key.startswith("round"), _RANK[near.where[0]], near.gap, near.key, near.matador)


def _records(own: Sums, lines: Mapping[tuple[str, str, str], RecordLine]) -> list[Near]:
    close_records = []
    for kind in _COMPARED:
        line = lines.get((*own.where, kind.key))
        if line is None or line.matador in {None, own.matador} or not _worth(own, kind, line):
            continue
        count = (own.season if kind.over == SEASON else own.career).get(kind.of, 0)
        gap = line.value - count
        if 0 <= gap <= REACH[kind.of]:
            close_records.append(
                Near(own.matador, own.where, kind.key, line.value, gap, line.matador)
            )
    return close_records


def _worth(own: Sums, kind: Kind, line: RecordLine) -> bool:
    """Return whether a record is worth mentioning.

    A season record that was set this very season is not, because the lead in it still changes.
    """
    known = WORTH.get(own.where[0], {})
    return line.value >= known.get(kind.of, 1) and not (kind.over == SEASON and line.fresh)


def _round(own: Sums) -> Sequence[Near]:
    """Return the round numbers within reach: his number of corridas, or his number of ears."""
    close_rounds = []
    every, nth = ROUND.get(own.where[0]), own.career.get("corridas", 0) + 1
    if every and nth % every == 0:
        close_rounds.append(Near(own.matador, own.where, "round_corridas", nth, 0))
    if own.where[0] == CIRCUIT:
        ears = own.career.get("ears", 0)
        goal = (ears // EARS_ROUND + 1) * EARS_ROUND
        if goal - ears <= EARS_AN_AFTERNOON:
            close_rounds.append(Near(own.matador, own.where, "round_ears", goal, goal - ears))
    return close_rounds
