"""Redis cache that survives an outage of Redis without failing pages or lifting rate limits."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import wraps
from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient, RedisSerializer
from redis.exceptions import RedisError

from core.limits.rate_limits import COUNTER_PREFIX
from core.redis_client.connection import circuit_breaker

# Prefixes of cache keys under which rate limits are counted. These keys are counted in local memory
# while Redis is down.
LIMIT_PREFIXES: Final = (COUNTER_PREFIX, "allauth:")


class NoCache(DummyCache):
    """Cache that is used while Redis is down. It stores nothing."""

    def incr(self, key: object, delta: int = 1, version: int | None = None) -> int:
        return delta

    def set_many(self, data: dict[object, Any], *args: object, **kwargs: object) -> list[object]:
        return list(data)


class LocalCounters(LocMemCache):
    """Counters of rate limits in this process while Redis is down.

    Each process sees only its share of the requests. It assumes that all `PAGE_PROCESSES` receive
    the same number, so it counts each request `PAGE_PROCESSES` times.
    """

    def incr(self, key: object, delta: int = 1, version: int | None = None) -> int:
        return super().incr(key, delta * settings.PAGE_PROCESSES, version)

    def set(self, key: object, value: object, *args: Any, **kwargs: Any) -> None:
        """Store allauth's list of request times, with the newest time once for each process."""
        if isinstance(value, list) and value[:1] != (self.get(key) or [])[:1]:
            value = value[:1] * (settings.PAGE_PROCESSES - 1) + value
        super().set(key, value, *args, **kwargs)


_no_cache = NoCache("", {})
_local_counters = LocalCounters("limits", {"OPTIONS": {"MAX_ENTRIES": 20_000}})


def tolerating_outage(method: Callable[..., object]) -> Callable[..., Any]:
    """Wrap a cache method so that another cache is used if Redis does not respond."""

    @wraps(method)
    def wrapper(self: FaultTolerantRedisCache, *args: object, **kwargs: object) -> Any:
        if self.breaker.may_ask():
            try:
                answer = method(self, *args, **kwargs)
            except RedisError as error:
                self.breaker.failed(error)
            else:
                self.breaker.answered()
                return answer
        is_limit = bool(args) and str(args[0]).startswith(LIMIT_PREFIXES)
        instead: BaseCache = _local_counters if is_limit else _no_cache
        return getattr(instead, method.__name__)(*args, **kwargs)

    return wrapper


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
# version cannot read them. Remove these names in 0.3.0.
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
    counted in the memory of each process.
    """

    get = tolerating_outage(RedisCache.get)
    set = tolerating_outage(RedisCache.set)
    add = tolerating_outage(RedisCache.add)
    touch = tolerating_outage(RedisCache.touch)
    delete = tolerating_outage(RedisCache.delete)
    has_key = tolerating_outage(RedisCache.has_key)
    incr = tolerating_outage(RedisCache.incr)
    get_many = tolerating_outage(RedisCache.get_many)
    set_many = tolerating_outage(RedisCache.set_many)
    delete_many = tolerating_outage(RedisCache.delete_many)
    clear = tolerating_outage(RedisCache.clear)

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {"serializer": CacheSerializer(), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = SharedRedisClient
        self.breaker = circuit_breaker(server)
