"""Players' names as a page needs them: none empty, no two alike."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _


def told_apart(names: Sequence[str]) -> list[str]:
    """The names by seat; those that several bear are numbered, those missing are seats."""
    given = [name or _("Seat %(number)s") % {"number": n + 1} for n, name in enumerate(names)]
    return [
        f"{name} {given[: seat + 1].count(name)}" if given.count(name) > 1 else name
        for seat, name in enumerate(given)
    ]
