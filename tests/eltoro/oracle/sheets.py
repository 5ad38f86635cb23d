"""A slow reading of the sheets a table hands in (Rulings E-1, E-7, E-9).

What they are made of is told in the plan: `points` and `arrivals`, both by days and seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.eltoro.oracle.morning import RUNNERS_EACH
from tests.eltoro.oracle.papers import Line
from tests.eltoro.oracle.town import places_by

Counted = list[list[int]]
Day = dict[str, Any]


@dataclass
class Reading:
    """The points by day and seat and the places; or None, where something is wrong."""

    points: Counted | None
    places: list[int] | None


WRONG = Reading(None, None)
WORTH: dict[object, int] = {1: -1, 2: 2, 3: -1, 4: 4, 5: -1, 6: 6}
"""What a face of the die brings: an even one its points, an odd one a point less."""


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


def days_on(sheet: Mapping[str, object], kind: str, days: int) -> list[Any]:
    """The days of a sheet of this kind; none, where it is another or has not so many."""
    rows = sheet.get("days")
    right = sheet.get("kind") == kind and isinstance(rows, list) and len(rows) == days
    return rows if right and isinstance(rows, list) else []


def read_points(sheet: Mapping[str, object], players: int, days: int) -> Reading:
    """`{"kind": "points", "days": [[points by seat], ...]}`."""
    rows = days_on(sheet, "points", days)
    read = bool(rows) and all(are_numbers(row, players) for row in rows)
    return stands(rows) if read else WRONG


def read_arrivals(
    sheet: Mapping[str, object], kinds: list[Line], players: int, days: int, most_gained: int
) -> Reading:
    """`{"kind": "arrivals", "days": [...]}`: each day under what the day before has left.

    `most_gained`: the points that cards can bring a player in a day.
    """
    rows = days_on(sheet, "arrivals", days)
    points: Counted = []
    reached: list[list[Line]] = [[] for _ in range(players)]
    for row in rows:
        day = whole_day(row, players)
        if not is_right(day, kinds, players, reached, most_gained):
            return WRONG
        laid = [kind_of(kinds, key) for key in day["destinations"]]
        points.append([points_of(day, laid, seat, reached[seat]) for seat in range(players)])
        reached = [reached_by(day, laid, seat) for seat in range(players)]
    return stands(points) if points else WRONG


def most_gained_by(cards: dict[str, Line], steps: int) -> int:
    """A card a step, each the best there is (Ruling E-4)."""
    bring = [line for line in cards.values() if line["effect"] in ("points", "brave")]
    return steps * max([0, *(int(line["amount"]) for line in bring)])


def whole_day(row: object, players: int) -> Day:
    """A day as it was written; points of cards and dice need not be there."""
    if not isinstance(row, dict):
        return {}
    return {"gained": [0] * players, "dice": [None] * players, **row}


def kind_of(kinds: list[Line], key: object) -> Line:
    """The destination card of this name."""
    return next(line for line in kinds if line["destination"] == key)


def is_right(
    day: Day, kinds: list[Line], players: int, reached: list[list[Line]], most_gained: int
) -> bool:
    """Whether a day can have ended so, after what was reached the day before."""
    return (
        can_be_laid(day.get("destinations"), kinds)
        and are_numbers(day.get("gained"), players)
        and all(0 <= gained <= most_gained for gained in day["gained"])
        and is_list_of(day.get("arrived"), players)
        and is_list_of(day.get("dice"), players)
        and all(
            can_arrive(day["arrived"][seat], players, reached[seat])
            and dice_are_due(day["dice"][seat], reached[seat])
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


def faces_in(written: object) -> list[object]:
    """What was rolled: nothing, a face, or a list of them."""
    if written is None:
        return []
    return written if isinstance(written, list) else [written]


def dice_are_due(written: object, reached: list[Line]) -> bool:
    """A face for each die that the day before gave, and no other."""
    faces = faces_in(written)
    due = [line for line in reached if line["effect"] == "die"]
    return len(faces) == len(due) and all(is_number(f) and f in range(1, 7) for f in faces)


def points_of(day: Day, laid: list[Line], seat: int, had: list[Line]) -> int:
    """Runners that arrived, points of cards, and what the day before gives (Ruling E-7)."""
    pairs = zip(day["arrived"][seat], laid, strict=True)
    points: int = sum(n * int(line["points"]) for n, line in pairs) + day["gained"][seat]
    points += sum(int(line["amount"]) for line in had if line["effect"] == "points")
    return points + sum(WORTH[face] for face in faces_in(day["dice"][seat]))


def reached_by(day: Day, laid: list[Line], seat: int) -> list[Line]:
    """The destinations whose effects a player has next day, each card once."""
    return [line for n, line in zip(day["arrived"][seat], laid, strict=True) if n]
