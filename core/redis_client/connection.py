"""Connections that never wait for long.

A Redis that hangs costs every caller the timeout. After a failure only one caller of the
process tries again within `RETRY_INTERVAL` seconds.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from typing import Any, Final

from redis import Redis

log = logging.getLogger(__name__)

TIMEOUTS: Final[dict[str, Any]] = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
# In seconds. A healthy Redis answers in a thousandth of that.
RETRY_INTERVAL: Final = 1.0  # seconds


class CircuitBreaker:
    """The state of a server, shared by the threads of a process."""

    def __init__(self) -> None:
        self._again_at = 0.0
        self._failed = False

    def may_ask(self) -> bool:
        """Return True if the server answered last, or once per `RETRY_INTERVAL` otherwise."""
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
