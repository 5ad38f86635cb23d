"""Reads values from an untrusted sheet. Invalid content never raises an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from api.types import JSON
from corridas.engine import DECK_SIZE

# Maximum number of cards that are read of a lidia. A lidia of a hundred cards is already rare, but
# the rules set no limit: after every shuffle both CLAVAR cards can be drawn as answers or to score,
# and then they do not end the second tercio (Rulings I-3, I-6, I-8).
MAX_CARDS: Final = 4096


def whole(value: JSON, low: int, high: int) -> int | None:
    """Return the value if it is an integer from `low` to `high`, otherwise None.

    Booleans are not accepted as integers.
    """
    right = isinstance(value, int) and not isinstance(value, bool)
    return value if right and low <= value <= high else None


def mapping(value: JSON) -> Mapping[str, JSON]:
    return value if isinstance(value, Mapping) else {}


def listed(value: JSON) -> Sequence[JSON]:
    return value if isinstance(value, (list, tuple)) else ()


def at(values: JSON, place: int) -> JSON:
    items = listed(values)
    return items[place] if 0 <= place < len(items) else None


def excerpt(value: JSON, most: int = 60) -> str:
    """Return a value as text that is short enough to be quoted in a sentence.

    A shortened text ends with an ellipsis, because the beginning of a number would be another
    number.
    """
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return _cut(" ".join(excerpt(item, 12) for item in value[: most + 1]), most)
    if isinstance(value, int) and abs(value) >= 10**most:
        return "…"  # Python raises an error for the text of a number with thousands of digits
    if isinstance(value, Mapping):
        return "{…}"
    text = _cut(value if isinstance(value, str) else str(value), most)
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def lidia_of(sheet: JSON, turn: int) -> Mapping[str, JSON]:
    return mapping(at(mapping(sheet).get("lidias"), turn))


def cards_of(lidia: Mapping[str, JSON]) -> tuple[int | None, ...] | None:
    """Return the cards entered for a lidia, with None in place of each invalid one.

    Return None if no cards were entered.
    """
    if lidia.get("cards") is None:
        return None
    cards = listed(lidia["cards"])[:MAX_CARDS]
    return tuple(whole(card, 0, DECK_SIZE - 1) for card in cards)
