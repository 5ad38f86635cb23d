"""Many rows in short transactions, so that others can write in between."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction

# Seconds
TURN: Final = 0.04
WORK: Final = 0.06
PAUSE: Final = 0.026
MOST: Final = 20_000


class Turns:
    """Transactions that each take about `TURN`, with pauses on SQLite.

    SQLite has one lock for all who write. Who waits for it looks every 25 ms at the longest during
    the first 128 ms, then less often. So everybody sees a pause of 26 ms that comes within 100 ms,
    and nobody waits much longer. What was written goes from the log to the file meanwhile, which
    needs no lock. PostgreSQL has locks for rows, and needs neither.
    """

    def __init__(self, *, first: int) -> None:
        self.size = first
        self._since = time.monotonic()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run the block in a transaction. Its time decides about `size`, the rows of the next."""
        began = time.monotonic()
        with transaction.atomic():
            yield
        ended = time.monotonic()
        faster = min(2.0, TURN / max(ended - began, 1e-6))
        self.size = max(1, min(MOST, int(self.size * faster)))
        # Within a transaction of the caller a pause would let nobody in.
        alone = connection.vendor == "sqlite" and not connection.in_atomic_block
        if alone and ended - self._since >= WORK:
            self._pause(ended)

    def _pause(self, began: float) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
        time.sleep(max(0.0, began + PAUSE - time.monotonic()))
        self._since = time.monotonic()
