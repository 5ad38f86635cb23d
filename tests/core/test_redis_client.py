"""A Redis server that does not respond is called again once in each interval only."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.redis_client import connection
from core.redis_client.connection import RETRY_INTERVAL, CircuitBreaker

FAILED_AT = 100.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return a clock whose `now` is the time."""
    held = SimpleNamespace(now=FAILED_AT)
    held.monotonic = lambda: held.now
    monkeypatch.setattr(connection, "time", held)
    return held


def test_server_that_responds_may_always_be_called(clock: SimpleNamespace) -> None:
    breaker = CircuitBreaker()
    assert [breaker.may_ask() for _ in range(3)] == [True] * 3


def test_failed_server_is_called_by_one_caller_in_each_interval(clock: SimpleNamespace) -> None:
    breaker = CircuitBreaker()
    breaker.failed(TimeoutError())
    asked = {}
    for later in (0, 0.5, 1, 1.5, 2, 3.5, 4, 4.5):
        clock.now = FAILED_AT + later * RETRY_INTERVAL
        asked[later] = [breaker.may_ask(), breaker.may_ask()]
    assert [later for later, (first, _again) in asked.items() if first] == [1, 2, 3.5, 4.5]
    assert not any(again for _first, again in asked.values())
    breaker.answered()
    assert [breaker.may_ask(), breaker.may_ask()] == [True, True]


def test_another_failure_starts_the_interval_anew(clock: SimpleNamespace) -> None:
    breaker = CircuitBreaker()
    breaker.failed(TimeoutError())
    clock.now += RETRY_INTERVAL / 2
    breaker.failed(TimeoutError())
    clock.now += RETRY_INTERVAL / 2
    assert not breaker.may_ask()
    clock.now += RETRY_INTERVAL / 2
    assert breaker.may_ask()


def test_each_outage_is_logged_once(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    breaker = CircuitBreaker()
    for _outage in range(2):
        breaker.failed(TimeoutError("slow"))
        breaker.failed(TimeoutError("slow"))
        breaker.answered()
    assert [record.getMessage() for record in caplog.records] == ["Redis does not answer: slow"] * 2
