"""The scheduler of periodic tasks: any number of hosts may run one, but only one is active.

The holder of a lock in Redis sends what is due. The others stand by and take over within
seconds. Redis also stores when the slow entries were last sent, so that a nightly task is
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
# Seconds. Nothing is sent for so long after the holder was killed.
LOCK_TTL: Final = 2
# Seconds between two attempts of a standby scheduler.
STANDBY_INTERVAL: Final = 0.5
# Entries no more frequent than this are stored. The others come again at once anyway.
SLOW_INTERVAL: Final = timedelta(minutes=1)


class LeadingScheduler(Scheduler):
    """Celery scheduler that sends only while it holds the lock. It needs no file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._redis = Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=2, decode_responses=True
        )
        self._lock = self._redis.lock(LEADER, timeout=LOCK_TTL, blocking=False)
        self._leading = False
        super().__init__(*args, **kwargs)
        # So that the lock is renewed before it runs out.
        self.max_interval = STANDBY_INTERVAL  # type: ignore[assignment]  # takes fractions too

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if not self._leads():
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

    def _leads(self) -> bool:
        """Return True if this scheduler holds the lock. None does while Redis is down."""
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
        self._heap = None  # is filled anew from the entries


def is_slow(entry: ScheduleEntry) -> bool:
    every = getattr(entry.schedule, "run_every", None)
    return every is None or every >= SLOW_INTERVAL
