"""When a sending that failed is tried again, and when no more."""

from __future__ import annotations

import datetime as dt
from typing import Final

WAITS: Final = tuple(
    dt.timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600)
)
"""How long after a try the next one comes: eight tries in seventeen hours."""
PATIENCE: Final = dt.timedelta(days=3)
"""An address at which nothing has arrived for so long is switched off."""
LEASE: Final = dt.timedelta(seconds=60)
"""So long nobody else sends what one worker is sending; it is sent again if that worker died."""


def wait_after(tries: int) -> dt.timedelta | None:
    """The wait after so many tries that failed; None: given up."""
    return WAITS[tries - 1] if tries <= len(WAITS) else None
