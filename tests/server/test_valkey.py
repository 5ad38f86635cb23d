"""The embedded message broker (Valkey) and the cache on it."""

import os
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.test import RequestFactory
from pytest_django import Settings
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from config.cache import FaultTolerantRedisCache
from core.limits import rate_limits
from core.redis_client.connection import RETRY_INTERVAL, TIMEOUTS
from server.valkey import Valkey


@pytest.mark.slow
def test_broker_data_survive_a_restart_in_a_folder_with_a_long_name(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "a folder with blanks" / ("x" * 120)
    for written, expected in (("first", None), ("second", b"first")):
        server = Valkey(folder)
        server.start()
        client = Redis.from_url(server.url)
        assert client.get("key") == expected
        client.set("key", written)
        client.close()
        server.stop()
        assert not server.alive()
        assert not server.socket.parent.exists()


@pytest.mark.usefixtures("valkey")
def test_cache_stores_and_returns_values() -> None:
    cache = caches["default"]
    assert isinstance(cache, FaultTolerantRedisCache)
    cache.set("place", "Ronda")
    assert cache.get("place") == "Ronda"
    cache.set("count", 1)
    assert cache.incr("count", 2) == 3
    assert cache.get_many(["place", "nowhere"]) == {"place": "Ronda"}


def test_cache_without_a_server_returns_nothing_and_never_fails(tmp_path: Path) -> None:
    cache = FaultTolerantRedisCache(f"unix://{tmp_path}/nobody.sock", {})
    with pytest.raises(RedisError):
        Redis.from_url(f"unix://{tmp_path}/nobody.sock").ping()
    cache.set("key", 1)
    assert cache.get("key") is None
    assert cache.get("key", "default") == "default"
    assert cache.add("key", 1) is True
    assert cache.incr("key", 3) == 3
    assert cache.get_many(["key"]) == {}
    assert cache.set_many({"key": 1}) == ["key"]
    assert cache.get_or_set("key", lambda: 7) == 7
    assert not cache.has_key("key")
    assert not cache.delete("key")
    cache.clear()


@pytest.mark.slow
@pytest.mark.usefixtures("valkey")
def test_concurrent_requests_are_counted_exactly() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with ThreadPoolExecutor(50) as pool:
        numbers = list(
            pool.map(lambda _n: rate_limits.count_request(request, "tried"), range(1000))
        )
    assert sorted(numbers) == list(range(1, 1001))


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """No cache server, and three page processes."""
    cache = FaultTolerantRedisCache(f"unix://{tmp_path}/nobody.sock", {})
    settings.PAGE_PROCESSES = 3
    monkeypatch.setattr("core.limits.rate_limits.cache", cache)
    monkeypatch.setattr(ratelimit, "cache", cache)


@pytest.mark.usefixtures("away")
def test_process_without_a_server_counts_its_share_of_the_limit() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="10.9.9.1")
    request.user = AnonymousUser()
    assert [rate_limits.count_request(request, "tried") for _time in range(4)] == [3, 6, 9, 12]
    assert rate_limits.count_request(request, "other") == 3


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize(("amount", "passed"), [(1, 1), (3, 1), (4, 2), (5, 2), (6, 2), (12, 4)])
def test_sign_in_is_limited_even_without_a_server(amount: int, passed: int) -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="10.9.9.2")
    rates = {"sign_in": f"{amount}/m/ip"}
    uses = [
        ratelimit.consume(request, app="allauth.account", action="sign_in", config=rates)
        for _time in range(amount + 1)
    ]
    assert [use is not None for use in uses] == [True] * passed + [False] * (amount + 1 - passed)


@pytest.mark.usefixtures("away")
def test_withdrawn_attempts_are_not_counted_without_a_server() -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="10.9.9.3")
    for _time in range(5):
        use = ratelimit.consume(
            request, app="allauth.account", action="sign_in", config={"sign_in": "3/m/ip"}
        )
        assert use is not None
        use.rollback()


@pytest.mark.slow
def test_cache_server_that_hangs_is_waited_for_only_once(valkey: str) -> None:
    client = Redis.from_url(valkey)
    process = client.info("server")["process_id"]
    cache = FaultTolerantRedisCache(valkey, {"OPTIONS": TIMEOUTS})
    cache.set("place", "Ronda")
    os.kill(process, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert [cache.get("place") for _time in range(200)] == [None] * 200
        waited = time.monotonic() - began
    finally:
        os.kill(process, signal.SIGCONT)
    assert waited < 200 * TIMEOUTS["socket_timeout"] / 10, "nearly all went on without asking"
    for _time in range(100):
        if cache.get("place") == "Ronda":
            break
        time.sleep(RETRY_INTERVAL / 10)
    assert cache.get("place") == "Ronda"


@pytest.mark.slow
def test_broker_stops_writing_to_disk_while_space_is_scarce(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Valkey(tmp_path / "valkey")
    server.start()
    try:
        with Redis.from_url(server.url) as client:
            for tight, roomy, writes in ((2**60, 2**60, "no"), (0, 2**60, "no"), (0, 0, "yes")):
                monkeypatch.setattr("server.valkey.MIN_FREE_BYTES", tight)
                monkeypatch.setattr("server.valkey.ENOUGH_FREE_BYTES", roomy)
                assert not server.revive()
                assert client.config_get("appendonly") == {"appendonly": writes}
                client.incr("counted")
    finally:
        server.stop()
    server = Valkey(tmp_path / "valkey")
    server.start()
    with Redis.from_url(server.url) as client:
        assert client.get("counted") == b"3"
    server.stop()


@pytest.mark.slow
def test_broker_that_cannot_write_counts_as_unreachable(tmp_path: Path) -> None:
    server = Valkey(tmp_path / "valkey")
    server.start()
    try:
        with Redis.from_url(server.url) as client:
            client.config_set("appendonly", "no")
            client.config_set("save", "3600 1")
            client.set("key", "value")
            shutil.rmtree(tmp_path / "valkey")
            with suppress(RedisError):
                client.bgsave()
            until = time.monotonic() + 10
            while client.info("persistence")["rdb_last_bgsave_status"] == "ok":
                assert time.monotonic() < until
                time.sleep(0.05)
            with pytest.raises(RedisConnectionError, match="snapshot"):
                client.set("key", "other")
            assert client.get("key") == b"value"
    finally:
        server.stop()
