"""A season as one file: written from rows, checked without any, taken in by another site.

    export(season, out, ...)   writes the file; the head of its chain
    verify(file)               -> Report: what the file is, and every difference in it; never raises
    take_in(report, home, ...) -> the season, all of it or nothing (NotTaken)

The format is described in `docs/seasons.md`.
"""

from corridas.archive.checking import Report, verify
from corridas.archive.faults import Finding, Refused
from corridas.archive.making import NotOver, Progress, export, is_over
from corridas.archive.taking import Home, NotTaken, take_in

__all__ = [
    "Finding",
    "Home",
    "NotOver",
    "NotTaken",
    "Progress",
    "Refused",
    "Report",
    "export",
    "is_over",
    "take_in",
    "verify",
]
