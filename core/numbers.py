"""Numbers in sentences."""

from __future__ import annotations

from decimal import Decimal

from django.utils.formats import number_format


def grouped(number: float | Decimal) -> str:
    """Return a number as text with separators of thousands in the active language."""
    return number_format(number, force_grouping=True)
