"""Insert random mistakes into a score sheet, like those of tired players or of somebody
cheating.
"""

from __future__ import annotations

import copy
from typing import Any, Final

from fairness import Chance

JUNK: Final[tuple[Any, ...]] = (
    None, True, False, "", "x", "7", [], {}, [None], {"entries": [1]}, {"sum": 3}, 2.5, -1, 0, 1, 2,
    3, 4, 7, -3, 9, 10, -9, 56, 69, 70, 99, 100, 101, 255, 1000, -1000, 10**9, [0], [0, 0],
    [1, 2, 3], [9] * 8, [[0, 0]] * 3, {"entries": [3, -2], "sum": 1},
    {"entries": [3, -2], "sum": 2}, "é" * 90,
)  # fmt: skip
WILD: Final[tuple[Any, ...]] = (
    *JUNK, 10**5000, float("nan"), float("inf"), "\x00", "\ud800", [[[[]]]], {"a": {"b": {}}},
    "٣", list(range(500)), {1: 2}, b"7", -0.0,
)  # fmt: skip
EXTRA: Final = (
    "totals", "final", "score", "modified", "trophy", "vuelta", "crowd", "ending", "marks",
    "avisos_points",
)  # fmt: skip


def slip(sheet: Any, chance: Chance, junk: tuple[Any, ...] = JUNK, often: int = 3) -> Any:
    """Return a copy of a sheet with one to `often` mistakes."""
    found = copy.deepcopy(sheet)
    for _ in range(1 + chance.below(often)):
        _slip(found, chance, junk)
    return found


def _slip(content: Any, chance: Chance, junk: tuple[Any, ...]) -> None:
    """Insert one mistake somewhere: a figure off by one, another figure, one less or one more."""
    inside = content
    while True:
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        if not keys:
            return
        key = keys[chance.below(len(keys))]
        if not isinstance(inside[key], (dict, list)) or not inside[key] or not chance.below(12):
            break
        inside = inside[key]
    _write(inside, key, chance, junk)


def _write(inside: Any, key: Any, chance: Chance, junk: tuple[Any, ...]) -> None:
    kind = chance.below(10)
    value = inside[key]
    if kind < 4 and isinstance(value, int) and not isinstance(value, bool):
        inside[key] = value + (1, -1, 9, -9)[kind]
    elif kind == 4:
        del inside[key]
    elif kind == 5 and isinstance(inside, list):
        inside.insert(key, copy.deepcopy(value))
    elif kind == 6 and isinstance(inside, list):
        inside.reverse()
    elif kind == 7 and isinstance(inside, dict):
        inside[EXTRA[chance.below(len(EXTRA))]] = copy.deepcopy(junk[chance.below(len(junk))])
    else:
        inside[key] = copy.deepcopy(junk[chance.below(len(junk))])
