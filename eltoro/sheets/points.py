"""The points of each day alone: the weakest evidence, held against what a day can bring."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.sheets.law import Law
from eltoro.sheets.written import DayReading, Objection


def judge_points(law: Law, days: Sequence[Sequence[int]]) -> tuple[DayReading, ...]:
    """Day by day what was written, with what cannot be (Ruling E-9)."""
    return tuple(
        DayReading(points=tuple(row), objections=tuple(absurd(law, day, row)))
        for day, row in enumerate(days)
    )


def absurd(law: Law, day: int, points: Sequence[int]) -> list[Objection]:
    """More points than a day can bring, or fewer."""
    low, high = law.bounds(day)
    found = []
    for seat, total in enumerate(points):
        if low <= total <= high:
            continue
        code = "points_high" if total > high else "points_low"
        params = {"day": day, "seat": seat, "points": total, "most": high, "least": low}
        found.append(Objection(path=f"days/{day}/{seat}", code=code, params=params))
    return found
