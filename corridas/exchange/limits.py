"""How much a file of a roster may hold on this site: `ROSTER_LIMITS` in the settings."""

from __future__ import annotations

from django.conf import settings

from spreadsheets.limits import Limits


def limits() -> Limits:
    """Those of this site."""
    return Limits(**getattr(settings, "ROSTER_LIMITS", {}))
