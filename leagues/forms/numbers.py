"""Whole numbers as addresses and forms write them."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 9
"""More are read by nobody: a database has no such number."""


def whole(text: str, otherwise: int = -1) -> int:
    """A whole number from 0; `otherwise` where the text is something else, or longer."""
    fine = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if fine else otherwise
