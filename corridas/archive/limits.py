"""How much a bundle may hold. Everything is looked at before it is unpacked or believed."""

from __future__ import annotations

from typing import Final

FILE_BYTES: Final = 64 * 1024 * 1024
"""Of a file as it is handed over: a season of 450 corridas has 2 MB."""
UNPACKED_BYTES: Final = 256 * 1024 * 1024
RATIO: Final = 200
"""Bytes that one packed byte may become; a season packs to a fifteenth."""
LINE_BYTES: Final = 2_000_000
"""Of one line, as long as the longest acta may be."""
LINES: Final = 5_000
ENTRIES: Final = 50
"""Of one kind, corridas aside: ten thousand men are more than any circuit has."""
ROWS_A_LINE: Final = 200
"""Men, plazas, herds or lines of the book that stand in one entry."""
FINDINGS: Final = 100
"""Differences that are told of a bundle."""
YEARS: Final = (1900, 2500)
