"""Parse primary keys in text that people or programs have sent."""

from __future__ import annotations

from typing import Final

# Maximum value of the largest integer column. Database drivers raise an error for larger numbers.
MAX_KEY: Final = 2**63 - 1
MAX_DIGITS: Final = len(str(MAX_KEY))


def parse_key(text: str) -> int | None:
    """Return the primary key in this text, or None if no row can have it."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        return None
    key = int(text)
    return key if key <= MAX_KEY else None
