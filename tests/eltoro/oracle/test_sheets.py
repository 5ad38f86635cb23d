"""The oracle's reading of El Toro scoresheets, compared with the rulebook and the rulings."""

from __future__ import annotations

import pytest

from tests.eltoro.oracle.papers import read_destinations
from tests.eltoro.oracle.sheets import WRONG, SheetReading, read_arrivals, read_points
from tests.eltoro.oracle.shelf import DESTINATIONS

KINDS = read_destinations(DESTINATIONS)
LAID = ["restaurant", "nightclub", "casino", "bank", "pier"]
Day = dict[str, list[object]]


def day(arrived: str, gained: str = "0 0", dice: str = "- -", laid: object = None) -> Day:
    """Return a day of a scoresheet.

    `20000 01000` are the counts of each seat at five destinations, then follow points from cards
    and faces of dice.
    """
    return {
        "destinations": laid if isinstance(laid, list) else list(LAID),
        "arrived": [[int(n) for n in counts] for counts in arrived.split()],
        "gained": [int(n) for n in gained.split()],
        "dice": [None if face == "-" else int(face) for face in dice.split()],
    }


def arrivals(*days: Day) -> SheetReading:
    """Return what the oracle reads from a scoresheet with these days."""
    return read_arrivals({"kind": "arrivals", "days": list(days)}, KINDS, 2, len(days), 12)


@pytest.mark.parametrize(
    ("days", "players", "places"),
    [
        ([[3, 4], [2, 2]], 2, [2, 1]),
        ([[3, 4], [2, 1]], 2, [1, 2]),
        ([[3, 3], [-2, -2]], 2, [1, 1]),
        ([[3, 3]], 2, None),
        ([[3, 3], [1, 2, 3]], 2, None),
        ([[3, 3], [1, True]], 2, None),
        ([[3, 3], [1, "2"]], 2, None),
        ([[3, 3], [1, 2.0]], 2, None),
        (None, 2, None),
    ],
)
def test_oracle_reads_points_by_day_and_finds_the_places(
    days: object, players: int, places: list[int] | None
) -> None:
    assert read_points({"kind": "points", "days": days}, players, 2).places == places


def test_oracle_reads_the_scoring_example_of_the_rulebook() -> None:
    assert arrivals(day("22000 00000")).points == [[14, 0]]


def test_oracle_adds_effects_of_the_previous_day() -> None:
    reading = arrivals(day("00510 00000"), day("00000 00300", "2 0", "3 -"), day("00000 00000"))
    assert reading == WRONG
    reading = arrivals(day("00510 00000"), day("00000 00300", "2 0", "3 -"))
    assert reading == SheetReading([[6, 0], [2 - 1 + 3, 3]], [1, 2])


@pytest.mark.parametrize(
    ("first", "second", "stands"),
    [
        (day("90000 00000"), day("90000 90000"), True),
        (day("91000 00000"), day("00000 00000"), False),
        (day("01000 00000"), day("90000 00000"), False),
        (day("01000 00000"), day("80000 90000"), True),
        (day("00001 00000"), day("90001 00000"), True),
        (day("01001 00000"), day("90001 00000"), False),
        (day("00100 00000"), day("00000 00000"), False),
        (day("00100 00000"), day("00000 00000", dice="- 4"), False),
        (day("00100 00000"), day("00000 00000", dice="7 -"), False),
        (day("00000 00000", "12 0"), day("00000 00000"), True),
        (day("00000 00000", "13 0"), day("00000 00000"), False),
        (day("00000 00000", "0 -1"), day("00000 00000"), False),
        (day("00000 00000"), day("00000 00000", laid=["bank"] * 5), False),
        (day("00000 00000"), day("00000 00000", laid=["sea", *LAID[1:]]), False),
        (day("00000 00000"), day("00000 00000", laid=LAID[1:]), False),
        (day("00000 00000"), day("00000 00000", laid=["bookstore"] * 2 + LAID[:3]), True),
    ],
)
def test_oracle_accepts_only_possible_days(first: Day, second: Day, stands: bool) -> None:
    assert (arrivals(first, second) != WRONG) == stands
