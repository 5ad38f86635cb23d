"""Celery scheduler for periodic tasks, of which many may run but only one is active.

The scheduler that holds a lock in Redis sends the tasks. The others wait and take over within
seconds if it dies. Redis also stores when infrequent tasks were last sent. So a nightly task is
neither sent twice by two schedulers nor lost by a restart.
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
# Lifetime of the lock in seconds. After the active scheduler is killed, no task is sent for up to
# this time.
LOCK_TTL: Final = 2
# Seconds between two attempts of a waiting scheduler to get the lock.
STANDBY_INTERVAL: Final = 0.5
# Minimum interval of periodic tasks whose last run is stored in Redis. Tasks with a shorter
# interval soon run again anyway.
SLOW_INTERVAL: Final = timedelta(minutes=1)


class LeadingScheduler(Scheduler):
    """Celery scheduler that sends tasks only while it holds the lock in Redis.

    Unlike Celery's default scheduler, it needs no file.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._redis = Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=2, decode_responses=True
        )
        self._lock = self._redis.lock(LEADER, timeout=LOCK_TTL, blocking=False)
        self._leading = False
        super().__init__(*args, **kwargs)
        # Run often enough to renew the lock before it expires.
        self.max_interval = STANDBY_INTERVAL  # type: ignore[assignment]  # takes fractions too

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._holds_lock():
            return STANDBY_INTERVAL
        wait: float = super().tick(*args, **kwargs)
        return wait

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        super().apply_entry(entry, producer=producer)
        if is_slow(entry):
            with suppress(RedisError):
                self._redis.hset(LAST_SENT, entry.name, entry.default_now().isoformat())

    def close(self) -> None:
        with suppress(LockError, RedisError):
            self._lock.release()
        self._leading = False
        super().close()

    def _holds_lock(self) -> bool:
        """Return True if this scheduler holds the lock. While Redis is down, no scheduler does."""
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
        sent = cast("dict[str, str]", self._redis.hgetall(LAST_SENT))
        for name, entry in self.schedule.items():
            known = sent.get(name) if is_slow(entry) else None
            entry.last_run_at = datetime.fromisoformat(known) if known else entry.default_now()
        self._heap = None  # Celery fills it again from the entries


def is_slow(entry: ScheduleEntry) -> bool:
    every = getattr(entry.schedule, "run_every", None)
    return every is None or every >= SLOW_INTERVAL
