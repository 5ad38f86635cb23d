"""Any number of Celery beat processes may run, but only one sends tasks; nightly tasks are sent
once.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery.schedules import crontab, schedule
from redis import Redis

from config.celery import app
from server import beat
from server.beat import LAST_SENT, LEADER, LOCK_TTL, STANDBY_INTERVAL, LeadingScheduler

pytestmark = pytest.mark.usefixtures("valkey", "_lasting_lock")

NOON = datetime(2026, 5, 15, 12, tzinfo=UTC)
# Time between two ticks. The task "quick" is due at each tick.
STEP = timedelta(seconds=1)
# Validity of the leader's lock in these tests, in seconds. It must not expire on a busy machine.
LASTING = 3600


@pytest.fixture
def _lasting_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beat, "LOCK_TTL", LASTING)


class Clock(LeadingScheduler):
    """A scheduler that notes the tasks it would send, and whose clock advances with each tick
    only.
    """

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.time = NOON
        super().__init__(app)

    def now(self) -> datetime:
        return self.time

    def setup_schedule(self) -> None:
        night = crontab(hour="3", minute="0", nowfun=self.now)
        entries: Any = {
            "quick": {"task": "corridas.tasks.sweep", "schedule": schedule(STEP, nowfun=self.now)},
            "nightly": {"task": "corridas.tasks.evenings", "schedule": night},
        }
        self.merge_inplace(entries)

    def apply_async(
        self, entry: Any, producer: Any = None, advance: bool = True, **options: Any
    ) -> None:
        self.sent.append(entry.name)


def strike(clock: Clock, times: int = 10) -> None:
    for _ in range(times):
        clock.tick()
        clock.time += STEP


def test_one_of_two_schedulers_sends_and_the_other_takes_over(valkey: str) -> None:
    first, second = Clock(), Clock()
    strike(first)
    strike(second)
    assert "quick" in first.sent
    assert second.sent == []
    assert second.tick() == STANDBY_INTERVAL
    first.close()
    strike(second)
    assert "quick" in second.sent


def test_scheduler_takes_over_when_the_lock_of_another_expires(valkey: str) -> None:
    first, second = Clock(), Clock()
    strike(first)
    assert 0 < int(Redis.from_url(valkey).pttl(LEADER)) <= LASTING * 1000
    Redis.from_url(valkey).delete(LEADER)  # as if the lock had expired
    strike(second)
    first.sent.clear()
    strike(first)
    assert first.sent == []
    assert "quick" in second.sent


def test_nightly_task_is_sent_once_by_the_leading_scheduler(valkey: str) -> None:
    Redis.from_url(valkey).hset(LAST_SENT, "nightly", days_ago(2))
    first, second = Clock(), Clock()
    strike(first)
    first.close()
    strike(second)
    assert first.sent.count("nightly") == 1
    assert "nightly" not in second.sent


def test_scheduler_without_history_waits_for_the_next_night() -> None:
    clock = Clock()
    strike(clock)
    assert "nightly" not in clock.sent


def test_no_scheduler_sends_without_redis(valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    clock._redis.connection_pool.connection_kwargs["path"] = "/nowhere/valkey.sock"
    clock._redis.connection_pool.disconnect()
    strike(clock, 3)
    assert clock.sent == []


def days_ago(days: int) -> str:
    return (NOON - timedelta(days=days)).isoformat()


def test_standby_interval_and_lock_are_a_few_seconds() -> None:
    assert 0 < STANDBY_INTERVAL < LOCK_TTL <= 4
