"""What a day can bring where destinations cost points (Ruling E-9: a total may go below 0)."""

from __future__ import annotations

from eltoro.engine import Rules
from eltoro.tabletop.sheets import SheetRules, read_evening

SWAMP = (
    "destination,count,points,effect,amount,name,name_es\n"
    "swamp,4,-2,,,Swamp,Pantano\nbank,6,1,runner,1,Bank,Banco\n"
)


def test_who_ends_where_points_are_lost_goes_below_nothing() -> None:
    rules = Rules(days=2, destinations=SWAMP)
    law = SheetRules.of(rules, 2)
    assert law.bounds(0)[0] == 9 * -2
    assert law.bounds(1)[0] == (9 + 6) * -2
    reading = read_evening(rules, 2, {"kind": "points", "days": [[-18, 3], [-18, 0]]})
    assert reading.ending is not None
    assert reading.ending.totals == (-36, 3)
