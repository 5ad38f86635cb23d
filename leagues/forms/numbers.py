"""Whole numbers as addresses and forms write them."""

from __future__ import annotations

from typing import Final

MOST_DIGITS: Final = 9
"""More are read by nobody: a database has no such number."""


def whole(text: str, otherwise: int = -1) -> int:
    """A whole number from 0; `otherwise` where the text is something else, or longer."""
    fine = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if fine else otherwise


MOST_TYPED: Final = 6
"""Digits of a number in a form; those behind are left out."""


def number_of(text: str) -> int | None:
    """A whole number as people write it, below zero too; None for anything else."""
    digits = text.strip().removeprefix("-").removeprefix("−")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    found = int(digits[:MOST_TYPED])
    return found if digits == text.strip() else -found
