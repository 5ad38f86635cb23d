"""Redis connections that never block for long.

If Redis does not answer, a call ends after the timeout. After a failure, only one caller per
process tries again in each `RETRY_INTERVAL` (in seconds). All other calls fail at once.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from typing import Any, Final

from redis import Redis

log = logging.getLogger(__name__)

# Timeouts in seconds. A healthy Redis responds in a thousandth of that.
TIMEOUTS: Final[dict[str, Any]] = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
RETRY_INTERVAL: Final = 1.0  # seconds


class CircuitBreaker:
    """The state of a Redis server (responding or failed), shared by the threads of a process."""

    def __init__(self) -> None:
        self._again_at = 0.0
        self._failed = False

    def may_ask(self) -> bool:
        """Return True if Redis may be called now.

        This is so if it responded last time, or otherwise once per `RETRY_INTERVAL`.
        """
        if not self._failed:
            return True
        now = time.monotonic()
        if now < self._again_at:
            return False
        self._again_at = now + RETRY_INTERVAL
        return True

    def answered(self) -> None:
        self._failed = False

    def failed(self, error: Exception) -> None:
        self._again_at = time.monotonic() + RETRY_INTERVAL
        if not self._failed:
            self._failed = True
            log.warning("Redis does not answer: %s", error)


@lru_cache(maxsize=8)
def circuit_breaker(url: str) -> CircuitBreaker:
    return CircuitBreaker()


@lru_cache(maxsize=4)
def client(url: str) -> Redis:
    return Redis.from_url(url, **TIMEOUTS)
