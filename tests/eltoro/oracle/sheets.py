"""A slow reading of the sheets a table hands in (Rulings E-1, E-7, E-9).

What they are made of is told in the plan: `points` and `arrivals`, both by days and seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.eltoro.oracle.morning import RUNNERS_EACH
from tests.eltoro.oracle.papers import Line
from tests.eltoro.oracle.town import places_by

Counted = list[list[int]]


@dataclass
class Reading:
    """The points by day and seat and the places; or None, where something is wrong."""

    points: Counted | None
    places: list[int] | None


WRONG = Reading(None, None)


def is_number(value: object) -> bool:
    """A whole number; yes and no are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def are_numbers(value: object, many: int) -> bool:
    """So many whole numbers in a row."""
    return isinstance(value, list) and len(value) == many and all(map(is_number, value))


def stands(points: Counted) -> Reading:
    """A sheet that is right: who came where (Ruling E-9)."""
    total = [sum(column) for column in zip(*points, strict=True)]
    return Reading(points, places_by(total, points[-1]))


def read_points(sheet: Mapping[str, object], players: int, days: int) -> Reading:
    """`{"kind": "points", "days": [[points by seat], ...]}`."""
    rows = sheet.get("days")
    if not isinstance(rows, list) or len(rows) != days:
        return WRONG
    return stands(rows) if all(are_numbers(row, players) for row in rows) else WRONG


def read_arrivals(
    sheet: Mapping[str, object], kinds: list[Line], players: int, days: int
) -> Reading:
    """`{"kind": "arrivals", "days": [...]}`: each day under what the day before has left."""
    rows = sheet.get("days")
    if not isinstance(rows, list) or len(rows) != days:
        return WRONG
    points, reached = [], [[] for _ in range(players)]  # type: tuple[Counted, list[list[Line]]]
    for row in rows:
        if not is_right(row, kinds, players, reached):
            return WRONG
        laid = [kind_of(kinds, key) for key in row["destinations"]]
        points.append([points_of(row, laid, seat, reached[seat]) for seat in range(players)])
        reached = [reached_by(row, laid, seat) for seat in range(players)]
    return stands(points)


def kind_of(kinds: list[Line], key: str) -> Line:
    """The destination card of this name."""
    return next(line for line in kinds if line["destination"] == key)


def is_right(row: object, kinds: list[Line], players: int, reached: list[list[Line]]) -> bool:
    """Whether a day can have ended so, after what was reached the day before."""
    return (
        isinstance(row, dict)
        and can_be_laid(row.get("destinations"), kinds)
        and are_numbers(row.get("gained"), players)
        and is_list_of(row.get("arrived"), players)
        and is_list_of(row.get("dice"), players)
        and all(
            can_arrive(row["arrived"][seat], players, reached[seat])
            and die_is_due(row["dice"][seat], reached[seat])
            for seat in range(players)
        )
    )


def is_list_of(value: object, many: int) -> bool:
    """So many of something."""
    return isinstance(value, list) and len(value) == many


def can_be_laid(keys: object, kinds: list[Line]) -> bool:
    """Five destinations, none more often than there are cards of it."""
    if not isinstance(keys, list) or len(keys) != 5:
        return False
    there = {line["destination"]: int(line["count"]) for line in kinds}
    return all(isinstance(key, str) and keys.count(key) <= there.get(key, 0) for key in keys)


def can_arrive(counts: object, players: int, reached: list[Line]) -> bool:
    """No more runners than the player had this day (Rulings E-1 and E-7)."""
    if not isinstance(counts, list) or not are_numbers(counts, 5) or min(counts) < 0:
        return False
    more = sum(int(line["amount"]) for line in reached if line["effect"] == "runner")
    return sum(counts) <= max(1, RUNNERS_EACH[players] + more)


def die_is_due(face: object, reached: list[Line]) -> bool:
    """A face where the day before gave a die, else nothing."""
    due = any(line["effect"] == "die" for line in reached)
    return is_number(face) and face in range(1, 7) if due else face is None


def points_of(row: Mapping[str, list[object]], laid: list[Line], seat: int, had: list[Line]) -> int:
    """Runners that arrived, points of cards, and what the day before gives (Ruling E-7)."""
    arrived, gained, face = row["arrived"][seat], row["gained"][seat], row["dice"][seat]
    assert isinstance(arrived, list)
    assert isinstance(gained, int)
    scored: int = sum(n * int(line["points"]) for n, line in zip(arrived, laid, strict=True))
    given = sum(int(line["amount"]) for line in had if line["effect"] == "points")
    if isinstance(face, int):
        given += face if face in (2, 4, 6) else -1
    return scored + gained + given


def reached_by(row: Mapping[str, list[object]], laid: list[Line], seat: int) -> list[Line]:
    """The destinations whose effects a player has next day, once each."""
    arrived = row["arrived"][seat]
    assert isinstance(arrived, list)
    return [line for n, line in zip(arrived, laid, strict=True) if n]
