"""The cache: Redis, whose absence costs time and never a page."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


def forgiving(method: Callable[P, R], absent: Callable[P, R]) -> Callable[P, R]:
    """The method, answering what `absent` says where Redis does not answer."""

    @wraps(method)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(*args, **kwargs)
        except RedisError as error:
            log.warning("The cache does not answer: %s", error)
            return absent(*args, **kwargs)

    return asked


def _default(self: BaseCache, key: Any, default: Any = None, version: int | None = None) -> Any:
    return default


def _value(self: BaseCache, key: Any, delta: int = 1, version: int | None = None) -> int:
    return delta


def _always(answer: Any) -> Callable[..., Any]:
    def absent(*args: Any, **kwargs: Any) -> Any:
        return answer

    return absent


def _no_rows(*args: Any, **kwargs: Any) -> dict[str, Any]:
    return {}


def _all_keys(self: BaseCache, data: dict[Any, Any], *args: Any, **kwargs: Any) -> list[Any]:
    return list(data)


class KeptClient(RedisCacheClient):
    """Keeps one client a pool, which threads share: making one costs as much as asking."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._made: dict[int, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client for a reading or a writing."""
        pool: int = self._get_connection_pool_index(write)  # type: ignore[attr-defined]  # no stub
        if pool not in self._made:
            self._made[pool] = super().get_client(key, write=write)
        return self._made[pool]


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache, in which a Redis that is away is a miss.

    What is asked for is not there, what is stored is not kept, counters stand at their step.
    """

    get = forgiving(RedisCache.get, _default)
    set = forgiving(RedisCache.set, _always(None))
    add = forgiving(RedisCache.add, _always(True))
    touch = forgiving(RedisCache.touch, _always(False))
    delete = forgiving(RedisCache.delete, _always(False))
    has_key = forgiving(RedisCache.has_key, _always(False))
    incr = forgiving(RedisCache.incr, _value)
    get_many = forgiving(RedisCache.get_many, _no_rows)
    set_many = forgiving(RedisCache.set_many, cast("Any", _all_keys))
    delete_many = forgiving(RedisCache.delete_many, _always(None))
    clear = forgiving(RedisCache.clear, _always(False))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._class = KeptClient
