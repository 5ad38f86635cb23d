"""Who comes to an afternoon close to a record, or to a round number.

Nothing is foretold here: what is compared is posted already, and what one afternoon can bring.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from corridas.world.deeds import CIRCUIT, FERIA, HERD, PLAZA, Where
from corridas.world.records import CAREER, KINDS, SEASON, Kind

REACH: Final = {"corridas": 1, "ears": 3, "tails": 1, "indultos": 1}
"""How far short of a record one may be and still break it with two bulls or so."""
WORTH: Final[Mapping[str, Mapping[str, int]]] = {
    CIRCUIT: {"corridas": 20, "ears": 20, "tails": 4, "indultos": 3},
    PLAZA: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
    FERIA: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
    HERD: {"corridas": 6, "ears": 6, "tails": 2, "indultos": 2},
}
"""The least record worth a word before a corrida."""
ROUND: Final = {CIRCUIT: 50, PLAZA: 10, HERD: 10}
"""Every so manieth corrida of a career is told, in the circuit, one plaza, with one herd."""
EARS_ROUND: Final = 100
"""Every so manieth ear of a career is told when it is within an afternoon's reach."""
EARS_AN_AFTERNOON: Final = 4


class Sums(NamedTuple):
    """What a matador has behind him in a place: in his career, and this season."""

    matador: int
    where: Where
    career: Mapping[str, int]
    season: Mapping[str, int]


class Line(NamedTuple):
    """A record as it stands: its value, who holds it, and whether it is of this very season."""

    value: int
    matador: int | None
    fresh: bool


class Near(NamedTuple):
    """One thing to be said before an afternoon.

    `key` is the kind of record, or `round_corridas`, `round_ears`; `gap` is what is missing to be
    level with `value` (for round numbers: to reach it), `holder` who holds the record.
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
    sums: Iterable[Sums], lines: Mapping[tuple[str, str, str], Line], most: int | None = None
) -> list[Near]:
    """What is worth saying of these matadors in these places, the weightiest first."""
    found = [one for own in sums for one in (*_records(own, lines), *_round(own))]
    return sorted(found, key=_weight)[:most]


def _weight(one: Near) -> tuple[object, ...]:
    return (one.key.startswith("round"), _RANK[one.where[0]], one.gap, one.key, one.matador)


def _records(own: Sums, lines: Mapping[tuple[str, str, str], Line]) -> list[Near]:
    found = []
    for kind in _COMPARED:
        line = lines.get((*own.where, kind.key))
        if line is None or line.matador in {None, own.matador} or not _worth(own, kind, line):
            continue
        count = (own.season if kind.over == SEASON else own.career).get(kind.of, 0)
        gap = line.value - count
        if 0 <= gap <= REACH[kind.of]:
            found.append(Near(own.matador, own.where, kind.key, line.value, gap, line.matador))
    return found


def _worth(own: Sums, kind: Kind, line: Line) -> bool:
    """A season's record must have stood a winter: else it is but the race of this year."""
    known = WORTH.get(own.where[0], {})
    return line.value >= known.get(kind.of, 1) and not (kind.over == SEASON and line.fresh)


def _round(own: Sums) -> Sequence[Near]:
    """Round numbers: the corrida he is announced for, and ears in reach."""
    found = []
    every, nth = ROUND.get(own.where[0]), own.career.get("corridas", 0) + 1
    if every and nth % every == 0:
        found.append(Near(own.matador, own.where, "round_corridas", nth, 0))
    if own.where[0] == CIRCUIT:
        ears = own.career.get("ears", 0)
        goal = (ears // EARS_ROUND + 1) * EARS_ROUND
        if goal - ears <= EARS_AN_AFTERNOON:
            found.append(Near(own.matador, own.where, "round_ears", goal, goal - ears))
    return found
