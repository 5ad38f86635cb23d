"""Reads parts of an untrusted sheet. Nothing here raises for invalid content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from corridas.engine import DECK_SIZE

# The maximum number of cards of a lidia that are read. A lidia of a hundred is already rare, but
# there is no longest one: both CLAVAR cards of a shuffle can answer or score instead of being drawn
# as such, shuffle after shuffle (Rulings I-3, I-6, I-8).
MAX_CARDS: Final = 4096


def whole(value: Any, low: int, high: int) -> int | None:
    """Return a whole number from `low` to `high`, else None; booleans are not numbers."""
    right = isinstance(value, int) and not isinstance(value, bool)
    return value if right and low <= value <= high else None


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def at(values: Any, place: int) -> Any:
    items = listed(values)
    return items[place] if 0 <= place < len(items) else None


def excerpt(value: Any, most: int = 60) -> str:
    """Return any value as text that is short enough to be quoted in a line.

    A text that is cut says so by an ellipsis: the beginning of a number would be another number.
    """
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return _cut(" ".join(excerpt(item, 12) for item in value[: most + 1]), most)
    if isinstance(value, int) and abs(value) >= 10**most:
        return "…"  # Python refuses to format a number of thousands of digits
    if isinstance(value, Mapping):
        return "{…}"
    text = _cut(value if isinstance(value, str) else str(value), most)
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def lidia_of(sheet: Any, turn: int) -> Mapping[str, Any]:
    return mapping(at(mapping(sheet).get("lidias"), turn))


def cards_of(lidia: Mapping[str, Any]) -> tuple[int | None, ...] | None:
    """Return the cards of a lidia, with None for each invalid one; None without any cards."""
    if lidia.get("cards") is None:
        return None
    cards = listed(lidia["cards"])[:MAX_CARDS]
    return tuple(whole(card, 0, DECK_SIZE - 1) for card in cards)
