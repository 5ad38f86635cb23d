"""The embedded broker and the cache on it."""

from pathlib import Path

import pytest
from django.core.cache import caches
from redis import Redis
from redis.exceptions import RedisError

from config.cache import ForgivingRedisCache
from config.valkey import Valkey


def test_what_was_written_is_there_after_a_restart_in_a_folder_with_a_long_name(
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
def test_the_cache_keeps_what_it_is_given() -> None:
    cache = caches["default"]
    assert isinstance(cache, ForgivingRedisCache)
    cache.set("place", "Ronda")
    assert cache.get("place") == "Ronda"
    cache.set("count", 1)
    assert cache.incr("count", 2) == 3
    assert cache.get_many(["place", "nowhere"]) == {"place": "Ronda"}


def test_a_cache_whose_server_is_away_misses_and_never_fails(tmp_path: Path) -> None:
    cache = ForgivingRedisCache(f"unix://{tmp_path}/nobody.sock", {})
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
