"""The clock of the sweeps: any number of hosts may run one, a single one strikes.

Whoever holds the lock in Redis sends what is due; the others stand by and take over within
seconds when it is gone. When the slow entries were last sent is kept in Redis too, so that a
nightly task is neither sent twice by two clocks nor forgotten over a restart.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from celery.beat import Scheduler
from django.conf import settings
from redis import Redis
from redis.exceptions import LockError, RedisError

if TYPE_CHECKING:
    from celery.beat import ScheduleEntry

log = logging.getLogger(__name__)

LEADER: Final = "temporada:beat:leader"
LAST_SENT: Final = "temporada:beat:last-sent"
LOCK_TTL: Final = 4
"""Seconds for which the lock holds without a sign of life."""
STANDBY_INTERVAL: Final = 1
"""Seconds between two looks of one that does not lead."""
SLOW_INTERVAL: Final = timedelta(minutes=1)
"""Entries that come no more often are remembered; the others come again at once anyway."""


class LeadingScheduler(Scheduler):
    """Celery's scheduler, sending only while it leads; it needs no file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._redis = Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=2, decode_responses=True
        )
        self._lock = self._redis.lock(LEADER, timeout=LOCK_TTL, blocking=False)
        self._leading = False
        super().__init__(*args, **kwargs)
        self.max_interval = STANDBY_INTERVAL  # so that the lock is renewed before it runs out

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due while leading; the seconds until the next look."""
        if not self._leads():
            return STANDBY_INTERVAL
        wait: float = super().tick(*args, **kwargs)
        return wait

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send one, and remember when where that matters."""
        super().apply_entry(entry, producer=producer)
        if is_slow(entry):
            with suppress(RedisError):
                self._redis.hset(LAST_SENT, entry.name, entry.default_now().isoformat())

    def close(self) -> None:
        """Give the lock back, so that another need not wait until it runs out."""
        with suppress(LockError, RedisError):
            self._lock.release()
        self._leading = False
        super().close()

    def _leads(self) -> bool:
        """Whether this clock holds the lock; a Redis that is away makes nobody lead."""
        try:
            if self._leading:
                self._lock.reacquire()
            elif self._lock.acquire():
                self._take_over()
                self._leading = True
        except LockError:
            log.warning("Another clock leads now.")
            self._leading = False
        except RedisError as error:
            log.warning("The clock stands still without Redis: %s", error)
            self._leading = False
        return self._leading

    def _take_over(self) -> None:
        """Go on from when the entries were last sent, by whomever; now, where nobody knows."""
        sent = cast("dict[str, str]", self._redis.hgetall(LAST_SENT))
        for name, entry in self.schedule.items():
            known = sent.get(name) if is_slow(entry) else None
            entry.last_run_at = datetime.fromisoformat(known) if known else entry.default_now()
        self._heap = None  # is filled anew from the entries


def is_slow(entry: ScheduleEntry) -> bool:
    """Whether it comes less often than once a minute: a time of the day, or a long while."""
    every = getattr(entry.schedule, "run_every", None)
    return every is None or every >= SLOW_INTERVAL
