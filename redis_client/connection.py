"""Connections that keep nobody waiting.

A Redis that hangs costs everybody who asks the time until they give up. So who was not answered
says so to the others of the process, and for `PAUSE` seconds nobody but one asks.
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
PAUSE: Final = 1.0  # seconds


class Breaker:
    """Whether a server is worth asking; shared by the threads of a process."""

    def __init__(self) -> None:
        self._again_at = 0.0
        self._failed = False

    def may_ask(self) -> bool:
        """Whether to ask now: yes where it answered, else one asker in every `PAUSE`."""
        if not self._failed:
            return True
        now = time.monotonic()
        if now < self._again_at:
            return False
        self._again_at = now + PAUSE
        return True

    def answered(self) -> None:
        """It is well."""
        self._failed = False

    def failed(self, error: Exception) -> None:
        """It did not answer."""
        self._again_at = time.monotonic() + PAUSE
        if not self._failed:
            self._failed = True
            log.warning("Redis does not answer: %s", error)


@lru_cache(maxsize=8)
def breaker(url: str) -> Breaker:
    """The breaker of a server."""
    return Breaker()


@lru_cache(maxsize=4)
def client(url: str) -> Redis:
    """A connection to a server, kept for the next question."""
    return Redis.from_url(url, **TIMEOUTS)
