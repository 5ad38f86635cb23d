"""Rate limits of the API: counted requests, limits, and requests that are counted together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from accounts.models import User
from api.throttling import (
    FILE_THROTTLES,
    FileThrottle,
    ReadThrottle,
    WriteThrottle,
    _PerMinuteThrottle,
)

READING = ("GET", "HEAD", "OPTIONS")
WRITING = ("POST", "PUT", "PATCH", "DELETE")
MEASURES: dict[type[_PerMinuteThrottle], str] = {
    ReadThrottle: "API_READS_A_MINUTE",
    WriteThrottle: "API_WRITES_A_MINUTE",
    FileThrottle: "FILES_A_MINUTE",
}


@pytest.fixture(autouse=True)
def clock(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Fix the clock at 10 seconds past a minute, and allow two requests of each kind."""
    clock = SimpleNamespace(now=1_800_000_010.0)
    monkeypatch.setattr("core.limits.rate_limits.time", SimpleNamespace(time=lambda: clock.now))
    for name in MEASURES.values():
        setattr(settings, name, 2)
    return clock


def request_from(
    method: str = "GET", user: User | None = None, address: str = "10.0.0.1"
) -> Request:
    request = Request(APIRequestFactory().generic(method, "/", REMOTE_ADDR=address))
    request.user = user or AnonymousUser()
    return request


def passes(measure: type[_PerMinuteThrottle], request: Request) -> bool:
    return bool(measure().allow_request(request, APIView()))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("method", [*READING, *WRITING])
def test_each_rate_limit_counts_its_own_http_methods(
    measure: type[_PerMinuteThrottle], method: str
) -> None:
    counted = method in (READING if measure is ReadThrottle else WRITING)
    assert [passes(measure, request_from(method)) for _time in range(3)] == [
        True,
        True,
        not counted,
    ]


@pytest.mark.parametrize("measure", MEASURES)
def test_changed_rate_limit_applies_to_the_next_request(
    measure: type[_PerMinuteThrottle], settings: Settings
) -> None:
    request = request_from("GET" if measure is ReadThrottle else "POST")
    assert [passes(measure, request) for _time in range(3)] == [True, True, False]
    setattr(settings, MEASURES[measure], 4)  # the rejected request was counted, too
    assert [passes(measure, request) for _time in range(2)] == [True, False]


def test_rate_limits_are_counted_separately() -> None:
    for measure, method in ((ReadThrottle, "GET"), (WriteThrottle, "POST"), (FileThrottle, "POST")):
        assert [passes(measure, request_from(method)) for _time in range(3)] == [True, True, False]
    assert [ReadThrottle, WriteThrottle, FileThrottle] == FILE_THROTTLES


def test_users_are_throttled_by_account_and_anonymous_visitors_by_ip_address() -> None:
    ana, eva = User(pk=1, username="ana"), User(pk=2, username="eva")
    for _time in range(2):
        assert passes(ReadThrottle, request_from(user=ana))
    assert not passes(ReadThrottle, request_from(user=ana, address="10.0.0.2")), "wherever one sits"
    assert passes(ReadThrottle, request_from(user=eva)), "at the same address"
    for _time in range(2):
        assert passes(ReadThrottle, request_from())
    assert not passes(ReadThrottle, request_from())
    assert passes(ReadThrottle, request_from(address="10.0.0.2"))


def test_rate_limit_starts_again_with_the_next_minute(clock: SimpleNamespace) -> None:
    assert [passes(ReadThrottle, request_from()) for _time in range(3)] == [True, True, False]
    measure = ReadThrottle()
    assert not measure.allow_request(request_from(), APIView())
    assert measure.wait() == 50
    clock.now += 49
    assert not passes(ReadThrottle, request_from())
    clock.now += 1
    assert [passes(ReadThrottle, request_from()) for _time in range(3)] == [True, True, False]
