"""Limits for the points of a day if destinations cost points (Ruling E-9)."""

from __future__ import annotations

from eltoro.engine import Rules
from eltoro.tabletop.sheets import SheetRules, read_evening

SWAMP = (
    "destination,count,points,effect,amount,name,name_es\n"
    "swamp,4,-2,,,Swamp,Pantano\nbank,6,1,runner,1,Bank,Banco\n"
)


def test_runners_at_destinations_with_negative_points_make_a_negative_total() -> None:
    rules = Rules(days=2, destinations=SWAMP)
    law = SheetRules.of(rules, 2)
    assert law.bounds(0)[0] == 9 * -2
    assert law.bounds(1)[0] == (9 + 6) * -2
    reading = read_evening(rules, 2, {"kind": "points", "days": [[-18, 3], [-18, 0]]})
    assert reading.ending is not None
    assert reading.ending.totals == (-36, 3)
