"""The pips of a half: dots on a grid of three by three up to nine, figures above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STEP: Final = 6.6
"""Units from dot to dot."""
DOTTED: Final = 9
"""The highest half shown in dots."""

_ROWS: Final[Mapping[int, tuple[str, str, str]]] = {
    0: ("   ", "   ", "   "),
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
    7: ("o o", "ooo", "o o"),
    8: ("ooo", "o o", "ooo"),
    9: ("ooo", "ooo", "ooo"),
}


def dots(half: int) -> tuple[tuple[float, float], ...]:
    """Where the dots of a half lie, in units from its centre; none above nine."""
    rows = _ROWS.get(half, ())
    return tuple(
        ((column - 1) * STEP, (row - 1) * STEP)
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign == "o"
    )


def symbols(highest: int) -> tuple[tuple[int, tuple[tuple[float, float], ...]], ...]:
    """Every half of a set that is shown in dots, with them."""
    return tuple((half, dots(half)) for half in range(min(highest, DOTTED) + 1))
