"""Redis cache that survives an outage of Redis without failing pages or lifting rate limits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient, RedisSerializer
from redis.exceptions import RedisError

from core.limits.rate_limits import COUNTER_PREFIX
from core.redis_client.connection import circuit_breaker


def tolerating_outage(method: Callable[..., Any], absent: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a cache method so that it returns `absent(...)` if Redis does not respond."""

    @wraps(method)
    def wrapper(self: FaultTolerantRedisCache, *args: Any, **kwargs: Any) -> Any:
        if not self.breaker.may_ask():
            return absent(self, *args, **kwargs)
        try:
            answer = method(self, *args, **kwargs)
        except RedisError as error:
            self.breaker.failed(error)
            return absent(self, *args, **kwargs)
        self.breaker.answered()
        return answer

    return wrapper


def _default(self: BaseCache, key: Any, default: Any = None, version: int | None = None) -> Any:
    return default


def _constant(answer: Any) -> Callable[..., Any]:
    def absent(*args: Any, **kwargs: Any) -> Any:
        return answer

    return absent


# Prefixes of cache keys under which rate limits are counted. These keys are counted in local memory
# while Redis is down.
LIMIT_PREFIXES: Final = (COUNTER_PREFIX, "allauth:")
# Counters of rate limits in this process while Redis is down.
_local_counters = LocMemCache("limits", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def _unless_limit(name: str, absent: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function like `absent`, except that rate limits are counted in local memory."""

    def counting(self: BaseCache, key: Any, *args: Any, **kwargs: Any) -> Any:
        if str(key).startswith(LIMIT_PREFIXES):
            return getattr(_local_counters, name)(key, *args, **kwargs)
        return absent(self, key, *args, **kwargs)

    return counting


def _history(self: BaseCache, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
    """Store allauth's list of request times (for a rate limit), counting each new request
    once per process.

    The newest time is repeated for the other `PAGE_PROCESSES`, as `_share` does for counters.
    """
    if not str(key).startswith(LIMIT_PREFIXES):
        return
    if isinstance(value, list) and value[:1] != (_local_counters.get(key) or [])[:1]:
        value = value[:1] * (settings.PAGE_PROCESSES - 1) + value
    _local_counters.set(key, value, *args, **kwargs)


def _share(self: BaseCache, key: Any, delta: int = 1, version: int | None = None) -> int:
    """Count a request once for each of the `PAGE_PROCESSES`.

    Each process sees only its share of the requests. It assumes that the others see as many.
    """
    if str(key).startswith(LIMIT_PREFIXES):
        return _local_counters.incr(key, delta * settings.PAGE_PROCESSES, version)
    return delta


def _no_rows(*args: Any, **kwargs: Any) -> dict[str, Any]:
    return {}


def _all_keys(self: BaseCache, data: dict[Any, Any], *args: Any, **kwargs: Any) -> list[Any]:
    return list(data)


class SharedRedisClient(RedisCacheClient):
    """Cache client that keeps one Redis client per pool, shared by all threads.

    Creating a client takes as long as a request to Redis.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._made: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        pool: int = self._get_connection_pool_index(write)  # type: ignore[attr-defined]  # no stub
        if pool not in self._made:
            self._made[pool] = super().get_client(key, write=write)
        return self._made[pool]


# Modules that have moved: old name to new name. Processes of an earlier version may have stored
# instances of their classes in the cache. New instances get other cache keys, because the earlier
# version cannot read them.
MOVED_MODULES: Final = {
    "leagues.exchange.views": "leagues.pages.exchange.views",
    "spreadsheets.errors": "core.spreadsheets.errors",
    "spreadsheets.files": "core.spreadsheets.files",
    "spreadsheets.sheets": "core.spreadsheets.sheets",
}


class _Unpickler(pickle.Unpickler):
    """Unpickler that finds classes of modules that have moved."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        return super().find_class(MOVED_MODULES.get(module_name, module_name), global_name)


class CacheSerializer(RedisSerializer):
    """Cache serializer that also reads objects stored before their classes moved.

    An object of a class that was renamed counts as missing, so that it is stored again.
    """

    def loads(self, data: Any) -> Any:
        try:
            return int(data)
        except ValueError:
            pass
        try:
            return _Unpickler(BytesIO(data)).load()
        except (AttributeError, ModuleNotFoundError):
            return None


class FaultTolerantRedisCache(RedisCache):
    """Django's Redis cache, except that an outage of Redis counts as a cache miss.

    During an outage nothing is found or stored, and `incr` returns its step. Rate limits are
    counted in the memory of each process, which counts each request once per process.
    """

    get = tolerating_outage(RedisCache.get, _unless_limit("get", _default))
    set = tolerating_outage(RedisCache.set, _history)
    add = tolerating_outage(RedisCache.add, _unless_limit("add", _constant(True)))
    touch = tolerating_outage(RedisCache.touch, _constant(False))
    delete = tolerating_outage(RedisCache.delete, _unless_limit("delete", _constant(False)))
    has_key = tolerating_outage(RedisCache.has_key, _constant(False))
    incr = tolerating_outage(RedisCache.incr, _share)
    get_many = tolerating_outage(RedisCache.get_many, _no_rows)
    set_many = tolerating_outage(RedisCache.set_many, _all_keys)
    delete_many = tolerating_outage(RedisCache.delete_many, _constant(None))
    clear = tolerating_outage(RedisCache.clear, _constant(False))

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {"serializer": CacheSerializer(), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = SharedRedisClient
        self.breaker = circuit_breaker(server)
