"""Each process of the feed publishes its statistics; those of stopped processes are not counted."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter

import pytest
from redis import Redis

from live.stats import (
    DELETE_AFTER,
    STALE_AFTER,
    STATS_KEY,
    FeedStats,
    count_watchers,
    current_stats,
    process_stats,
    publish_stats,
)
from tests.live.conftest import Broadcast, Server, run
from tests.waiting import wait_until


def test_recent_statistics_count_and_old_ones_are_deleted(valkey: str) -> None:
    client, now = Redis.from_url(valkey), 1_000_000.0
    ages = {"here:1": 1.0, "still:2": STALE_AFTER, "silent:3": STALE_AFTER + 0.5}
    ages |= {"remembered:4": DELETE_AFTER, "gone:5": DELETE_AFTER + 0.5}
    for name, age in ages.items():
        word = {"clients": 3, "sent": 10, "at": now - age}
        client.hset(STATS_KEY, name, json.dumps(word))
    assert current_stats(client, at=now) == {
        name: FeedStats(clients=3, sent=10, at=now - ages[name]) for name in ("here:1", "still:2")
    }
    assert client.hkeys(STATS_KEY) == [name.encode() for name in ages if name != "gone:5"]


def test_feed_process_publishes_its_statistics(valkey: str) -> None:
    async def a_moment() -> None:
        mine = FeedStats(clients=2, sent=7)
        mine.count_watchers("corrida-en", "3", 2)
        telling = asyncio.create_task(publish_stats(mine))
        await asyncio.to_thread(wait_until, lambda: Redis.from_url(valkey).hlen(STATS_KEY))
        telling.cancel()

    run(a_moment())
    (said,) = current_stats(Redis.from_url(valkey), at=time.time()).values()
    assert (said.clients, said.sent, said.following) == (2, 7, {"corrida-en/3": 2})


def test_connections_and_messages_are_counted(server: Server) -> None:
    server.offer(one=Broadcast([time.time() - 1], ended=False))
    before = FeedStats(process_stats.clients, process_stats.sent)

    async def watch() -> tuple[int, int, int]:
        async with server.watch("/live/test/one/") as stream:
            await stream.event()
            return process_stats.clients, process_stats.sent, process_stats.following["test/one"]

    clients, sent, following = run(watch())
    assert clients == before.clients + 1
    assert sent >= before.sent + 2
    assert following == 1
    wait_until(lambda: process_stats.clients == before.clients)
    wait_until(lambda: "test/one" not in process_stats.following)


@pytest.mark.slow
def test_readers_of_a_broadcast_are_counted_over_all_processes(valkey: str) -> None:
    client, now = Redis.from_url(valkey), 1_000_000.0
    for name, age, following in (
        ("here:1", 1.0, {"corrida-en/3": 2, "corrida-es/3": 1, "corrida-en/4": 9}),
        ("there:2", 2.0, {"corrida-en/3": 4}),
        ("silent:3", STALE_AFTER + 1, {"corrida-en/3": 8}),
    ):
        word = FeedStats(clients=12, at=now - age, following=Counter(following))
        client.hset(STATS_KEY, name, json.dumps(vars(word)))
    assert count_watchers(["corrida-en/3", "corrida-es/3"], at=now) == 7
    assert count_watchers(["corrida-en/5"], at=now) == 0


def test_number_of_readers_is_unknown_without_redis() -> None:
    assert count_watchers(["corrida-en/3"], at=1.0) is None
