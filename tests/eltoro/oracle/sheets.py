"""An independent reading of El Toro scoresheets (Rulings E-1, E-7 and E-9).

They have the kinds `points` and `arrivals`, both by day and seat.
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
class SheetReading:
    """Points by day and seat, and places; both are `None` if the scoresheet is invalid."""

    points: Counted | None
    places: list[int] | None


WRONG = SheetReading(None, None)
# Points for each face of a casino die: even faces bring their number, odd faces cost one point.
WORTH: dict[object, int] = {1: -1, 2: 2, 3: -1, 4: 4, 5: -1, 6: 6}


def is_number(value: object) -> bool:
    """Return whether a value is an integer (booleans are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def are_numbers(value: object, many: int) -> bool:
    """Return whether a value is a list of this many integers."""
    return isinstance(value, list) and len(value) == many and all(map(is_number, value))


def valid_reading(points: Counted) -> SheetReading:
    """Return the reading of a valid scoresheet, with the places of Ruling E-9."""
    total = [sum(column) for column in zip(*points, strict=True)]
    return SheetReading(points, places_by(total, points[-1]))


def days_on(sheet: Mapping[str, object], kind: str, days: int) -> list[Any]:
    """Return the days of a scoresheet, or none if its kind or its number of days is wrong."""
    rows = sheet.get("days")
    right = sheet.get("kind") == kind and isinstance(rows, list) and len(rows) == days
    return rows if right and isinstance(rows, list) else []


def read_points(sheet: Mapping[str, object], players: int, days: int) -> SheetReading:
    """Read a scoresheet of the form `{"kind": "points", "days": [[points by seat], ...]}`."""
    rows = days_on(sheet, "points", days)
    read = bool(rows) and all(are_numbers(row, players) for row in rows)
    return valid_reading(rows) if read else WRONG


def read_arrivals(
    sheet: Mapping[str, object], kinds: list[Line], players: int, days: int, most_gained: int
) -> SheetReading:
    """Read a scoresheet of the form `{"kind": "arrivals", "days": [...]}`.

    Each day is checked against the effects of the previous day. `most_gained` is the largest number
    of points that a player can gain from cards in a day.
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
    return valid_reading(points) if points else WRONG


def most_gained_by(cards: dict[str, Line], steps: int) -> int:
    """Return the most points from cards in a day: the best card in every step (Ruling E-4)."""
    bring = [line for line in cards.values() if line["effect"] in ("points", "brave")]
    return steps * max([0, *(int(line["amount"]) for line in bring)])


def whole_day(row: object, players: int) -> Day:
    """Return a day with defaults for points from cards and dice, which may be missing."""
    if not isinstance(row, dict):
        return {}
    return {"gained": [0] * players, "dice": [None] * players, **row}


def kind_of(kinds: list[Line], key: object) -> Line:
    """Return the destination card with this name."""
    return next(line for line in kinds if line["destination"] == key)


def is_right(
    day: Day, kinds: list[Line], players: int, reached: list[list[Line]], most_gained: int
) -> bool:
    """Return whether a day can have ended like this after the effects of the previous day."""
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
    """Return whether a value is a list of this length."""
    return isinstance(value, list) and len(value) == many


def can_be_laid(keys: object, kinds: list[Line]) -> bool:
    """Return whether these are five destinations, none more often than there are cards."""
    if not isinstance(keys, list) or len(keys) != 5:
        return False
    there = {line["destination"]: int(line["count"]) for line in kinds}
    return all(isinstance(key, str) and keys.count(key) <= there.get(key, 0) for key in keys)


def can_arrive(counts: object, players: int, reached: list[Line]) -> bool:
    """Return whether a player had this many runners on this day (Rulings E-1 and E-7)."""
    if not isinstance(counts, list) or not are_numbers(counts, 5) or min(counts) < 0:
        return False
    more = sum(int(line["amount"]) for line in reached if line["effect"] == "runner")
    return sum(counts) <= max(1, RUNNERS_EACH[players] + more)


def faces_in(written: object) -> list[object]:
    """Return the rolled faces as a list, from nothing, one face or a list."""
    if written is None:
        return []
    return written if isinstance(written, list) else [written]


def dice_are_due(written: object, reached: list[Line]) -> bool:
    """Return whether there is exactly one face for each die that the previous day gave."""
    faces = faces_in(written)
    due = [line for line in reached if line["effect"] == "die"]
    return len(faces) == len(due) and all(is_number(f) and f in range(1, 7) for f in faces)


def points_of(day: Day, laid: list[Line], seat: int, had: list[Line]) -> int:
    """Return a player's points of a day: runners, cards and effects (Ruling E-7)."""
    pairs = zip(day["arrived"][seat], laid, strict=True)
    points: int = sum(n * int(line["points"]) for n, line in pairs) + day["gained"][seat]
    points += sum(int(line["amount"]) for line in had if line["effect"] == "points")
    return points + sum(WORTH[face] for face in faces_in(day["dice"][seat]))


def reached_by(day: Day, laid: list[Line], seat: int) -> list[Line]:
    """Return the destinations whose effects a player has on the next day, each card once."""
    return [line for n, line in zip(day["arrived"][seat], laid, strict=True) if n]
