"""The cache: what the previous release stored in it can still be read."""

import pickle

import pytest
from pytest_django import Settings

from config.cache import (
    MOVED_MODULES,
    CacheSerializer,
    FaultTolerantRedisCache,
    LocalCounters,
)
from core.limits.rate_limits import COUNTER_PREFIX
from core.spreadsheets.errors import Fault
from core.spreadsheets.files import Tables
from core.spreadsheets.sheets import Line, Sheet
from leagues.exchange.operations import FileFormat
from leagues.pages.exchange.views import _Upload

UPLOADS = [
    _Upload(b"Ana;2", FileFormat.CSV, ("Matador",)),
    Tables((Sheet("plazas", [Line(2, ["Ronda"], {0: "Too short."})]),)),
    Tables(fault=Fault("plazas.csv", 2, "name", "", "Choose a name.")),
]


def stored_by_previous_release(value: object) -> bytes:
    """Pickle a value as if its classes were still in the modules of the previous release."""
    stored = pickle.dumps(value, protocol=0)
    for before, now in MOVED_MODULES.items():
        stored = stored.replace(f"c{now}\n".encode(), f"c{before}\n".encode())
        stored = stored.replace(f"V{now}\n".encode(), f"V{before}\n".encode())
    return stored


@pytest.mark.parametrize("value", UPLOADS, ids=["league", "roster", "unreadable roster"])
def test_upload_stored_by_previous_release_is_read(value: object) -> None:
    stored = stored_by_previous_release(value)
    assert stored != pickle.dumps(value, protocol=0)
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(stored)
    assert CacheSerializer().loads(stored) == value


@pytest.mark.parametrize("value", [*UPLOADS, 7, True, None, "text", b"body", [1.5]])
def test_serializer_returns_what_it_stored(value: object) -> None:
    serializer = CacheSerializer()
    assert serializer.loads(serializer.dumps(value)) == value


@pytest.mark.parametrize("missing", ["core.spreadsheets.sheets\nRow", "core.no_module\nLine"])
def test_object_of_a_class_that_was_renamed_counts_as_missing(missing: str) -> None:
    assert CacheSerializer().loads(f"c{missing}\n)R.".encode()) is None


@pytest.fixture
def counters(settings: Settings) -> LocalCounters:
    settings.PAGE_PROCESSES = 3
    counters = LocalCounters("test", {})
    counters.clear()
    return counters


def test_process_counts_a_request_for_every_process_while_redis_is_down(
    counters: LocalCounters,
) -> None:
    counters.add("counted/sent/1", 0)
    assert [counters.incr("counted/sent/1") for _ in range(2)] == [3, 6]


def test_process_stores_the_time_of_a_sign_in_once_for_every_process(
    counters: LocalCounters,
) -> None:
    """allauth's newest time comes first. A list without a new time is stored as it is."""
    counters.set("allauth:x", [10.0])
    assert counters.get("allauth:x") == [10.0, 10.0, 10.0]
    counters.set("allauth:x", [20.0, *counters.get("allauth:x")])
    assert counters.get("allauth:x") == [20.0] * 3 + [10.0] * 3
    counters.set("allauth:x", [20.0, 20.0])
    assert counters.get("allauth:x") == [20.0, 20.0]
    counters.set("other", "text")
    assert counters.get("other") == "text"


def test_cache_without_redis_stores_nothing_but_counts_rate_limits() -> None:
    """Nothing listens on the first port."""
    cache = FaultTolerantRedisCache("redis://127.0.0.1:1/0", {})
    cache.set("page", b"body")
    assert cache.get("page") is None
    assert [cache.incr("page"), cache.incr("page", 4)] == [1, 4]
    assert cache.set_many({"a": 1, "b": 2}) == ["a", "b"]
    key = f"{COUNTER_PREFIX}sent/1/test"
    cache.add(key, 0)
    first = cache.incr(key)
    assert cache.incr(key) == 2 * first
    assert not cache.breaker.may_ask()
