"""The shape of a sheet, whatever somebody sends: nothing here raises for content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from corridas.engine import DECK_SIZE

HUGE: Final = 10**12
MAX_CARDS: Final = 4096
"""As many cards of a lidia as are read.

A lidia of a hundred is rare already, and there is no longest one: both CLAVAR cards of a shuffle
can answer or score instead of being drawn as such, shuffle after shuffle (Rulings I-3, I-6, I-8).
"""


def whole(value: Any, low: int, high: int) -> int | None:
    """A whole number from `low` to `high`, else None; true and false are none."""
    right = isinstance(value, int) and not isinstance(value, bool)
    return value if right and low <= value <= high else None


def mapping(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> Sequence[Any]:
    """A list, or an empty one."""
    return value if isinstance(value, (list, tuple)) else ()


def at(values: Any, place: int) -> Any:
    """What stands at a place of a list, or None."""
    found = listed(values)
    return found[place] if 0 <= place < len(found) else None


def shown(value: Any, most: int = 60) -> str:
    """Anything, as it may be repeated in a line."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return " ".join(shown(one, 12) for one in value[:most])[:most]
    if isinstance(value, int) and abs(value) > HUGE:
        return "…"  # Python refuses to write out a number of thousands of digits
    if isinstance(value, Mapping):
        return "{…}"
    text = value if isinstance(value, str) else str(value)[:most]
    return "".join(sign if sign.isprintable() else "�" for sign in text[:most])


def lidia_of(sheet: Any, turn: int) -> Mapping[str, Any]:
    """What was written of the lidia of a turn (0-5)."""
    return mapping(at(mapping(sheet).get("lidias"), turn))


def cards_of(lidia: Mapping[str, Any]) -> tuple[int | None, ...] | None:
    """The cards of a lidia, None for one that is none of the seventy; None without any."""
    if lidia.get("cards") is None:
        return None
    cards = listed(lidia["cards"])[:MAX_CARDS]
    return tuple(whole(card, 0, DECK_SIZE - 1) for card in cards)
