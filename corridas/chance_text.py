"""Formatting of chances and expected ears: `34 %`, `1.3`."""

from __future__ import annotations

from django.template.defaultfilters import floatformat

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def percent(share: float | None) -> str:
    """Format a share from 0 to 1 in whole per cent, or return a dash if it is unknown."""
    return "–" if share is None else f"{floatformat(100 * share, 0)}{NO_BREAK_SPACE}%"


def decimals(ears: float | None, places: int = 1) -> str:
    """Format expected ears, by default with one decimal, or return a dash if they are unknown."""
    return "–" if ears is None else floatformat(ears, places)
