"""Many clocks may run, one strikes; what is slow is sent once, whoever leads."""

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
STEP = timedelta(seconds=1)
"""Time that passes between two ticks: "quick" is due at each."""
LASTING = 3600
"""Seconds for which the lock holds here: it must not run out because the machine is busy."""


@pytest.fixture
def _lasting_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beat, "LOCK_TTL", LASTING)


class Clock(LeadingScheduler):
    """One that writes down what it would send, and whose time passes only as it ticks."""

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


def test_of_two_clocks_one_strikes_and_the_other_takes_over(valkey: str) -> None:
    first, second = Clock(), Clock()
    strike(first)
    strike(second)
    assert "quick" in first.sent
    assert second.sent == []
    assert second.tick() == STANDBY_INTERVAL
    first.close()
    strike(second)
    assert "quick" in second.sent


def test_a_clock_that_died_is_followed_when_its_lock_runs_out(valkey: str) -> None:
    first, second = Clock(), Clock()
    strike(first)
    assert 0 < int(Redis.from_url(valkey).pttl(LEADER)) <= LASTING * 1000
    Redis.from_url(valkey).delete(LEADER)  # as if its time were over
    strike(second)
    first.sent.clear()
    strike(first)
    assert first.sent == []
    assert "quick" in second.sent


def test_what_is_nightly_is_sent_once_by_whoever_leads(valkey: str) -> None:
    Redis.from_url(valkey).hset(LAST_SENT, "nightly", days_ago(2))
    first, second = Clock(), Clock()
    strike(first)
    first.close()
    strike(second)
    assert first.sent.count("nightly") == 1
    assert "nightly" not in second.sent


def test_a_clock_that_knows_of_no_night_waits_for_the_next() -> None:
    clock = Clock()
    strike(clock)
    assert "nightly" not in clock.sent


def test_without_redis_no_clock_strikes(valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    clock._redis.connection_pool.connection_kwargs["path"] = "/nowhere/valkey.sock"
    clock._redis.connection_pool.disconnect()
    strike(clock, 3)
    assert clock.sent == []


def days_ago(days: int) -> str:
    return (NOON - timedelta(days=days)).isoformat()


def test_who_stands_by_waits_for_seconds_and_not_for_minutes() -> None:
    assert 0 < STANDBY_INTERVAL < LOCK_TTL <= 4
