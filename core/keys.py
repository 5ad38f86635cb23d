"""Keys of rows in what people and programs send."""

from __future__ import annotations

from typing import Final

# Of the largest integer column. A database driver raises an error for a larger number.
MAX_KEY: Final = 2**63 - 1
MAX_DIGITS: Final = len(str(MAX_KEY))


def parse_key(text: str) -> int | None:
    """Return the key, or None if no row can have it."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        return None
    key = int(text)
    return key if key <= MAX_KEY else None
