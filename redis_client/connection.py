"""Connections that keep nobody waiting.

A Redis that hangs costs everybody who asks the time until they give up. So who was not answered
says so to the others of the process, and for `RETRY_INTERVAL` seconds nobody but one asks.
"""

from __future__ import annotations

import logging
import time
from functools import lru_cache
from typing import Any, Final

from redis import Redis

log = logging.getLogger(__name__)

TIMEOUTS: Final[dict[str, Any]] = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
"""Seconds; a Redis that is well answers in a thousandth of that."""
RETRY_INTERVAL: Final = 1.0  # seconds


class CircuitBreaker:
    """Whether a server is worth asking; shared by the threads of a process."""

    def __init__(self) -> None:
        self._again_at = 0.0
        self._failed = False

    def may_ask(self) -> bool:
        """Whether to ask now: yes where it answered, else one asker in every `RETRY_INTERVAL`."""
        if not self._failed:
            return True
        now = time.monotonic()
        if now < self._again_at:
            return False
        self._again_at = now + RETRY_INTERVAL
        return True

    def answered(self) -> None:
        """It is well."""
        self._failed = False

    def failed(self, error: Exception) -> None:
        """It did not answer."""
        self._again_at = time.monotonic() + RETRY_INTERVAL
        if not self._failed:
            self._failed = True
            log.warning("Redis does not answer: %s", error)


@lru_cache(maxsize=8)
def circuit_breaker(url: str) -> CircuitBreaker:
    """The breaker of a server."""
    return CircuitBreaker()


@lru_cache(maxsize=4)
def client(url: str) -> Redis:
    """A connection to a server, kept for the next question."""
    return Redis.from_url(url, **TIMEOUTS)
