"""Season files: a whole season in one file, which another site can verify and import.

    export(season, out, ...)   writes the file and returns the last hash of its chain
    verify(file)               returns a Report with every difference; never raises
    take_in(report, home, ...) imports the whole season, or raises NotTaken

The format is described in `docs/seasons.md`.
"""

from corridas.archive.importer import Home, NotTaken, take_in
from corridas.archive.verification import Report, verify
from corridas.archive.writer import NotOver, Progress, export, is_over

__all__ = [
    "Home",
    "NotOver",
    "NotTaken",
    "Progress",
    "Report",
    "export",
    "is_over",
    "take_in",
    "verify",
]
