"""Statistics of the live feed, which each process publishes through Redis.

The feed may run in many processes on many machines. Readers get the latest report of each process.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

import redis
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from live.pubsub import client

log = logging.getLogger(__name__)

STATS_KEY = "temporada:feeds"
PUBLISH_INTERVAL = 5.0  # seconds between two reports
STALE_AFTER = 15.0  # seconds after which a silent process counts as ended
DELETE_AFTER = 3600.0  # seconds after which its last report is deleted


@dataclass
class FeedStats:
    """Statistics of the live feed in one process.

    `clients` is the current number of connections, `sent` the number of messages since its start
    and `at` the time of the report in unix seconds. `following` is the number of clients per
    broadcast (`kind/key`).
    """

    clients: int = 0
    sent: int = 0
    at: float = 0.0
    following: Counter[str] = field(default_factory=Counter)

    def count_watchers(self, kind: str, key: str, more: int) -> None:
        line = f"{kind}/{key}"
        self.following[line] += more
        if not self.following[line]:
            del self.following[line]


process_stats = FeedStats()


async def publish_stats(mine: FeedStats) -> None:
    """Publish the statistics every few seconds. Never returns. Does nothing if Redis is down."""
    name = f"{socket.gethostname()}:{os.getpid()}"
    while True:
        try:
            async with redis.asyncio.Redis.from_url(
                settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
            ) as client:
                while True:
                    mine.at = time.time()
                    await client.hset(STATS_KEY, name, json.dumps(vars(mine)))
                    await asyncio.sleep(PUBLISH_INTERVAL)
        except (RedisError, OSError) as error:
            log.info("Nobody hears how the feed is: %s", error)
        await asyncio.sleep(PUBLISH_INTERVAL)


def current_stats(client: Redis, *, at: float) -> dict[str, FeedStats]:
    """Return the last report of each process, by host and process id. Delete outdated reports.

    `at` is the current time in unix seconds. Raises RedisError if Redis is down.
    """
    reports = cast("dict[bytes, bytes]", client.hgetall(STATS_KEY))
    by_process = {name.decode(): _parse(report) for name, report in reports.items()}
    for name, stats in by_process.items():
        if stats.at < at - DELETE_AFTER:
            client.hdel(STATS_KEY, name)
    return {name: stats for name, stats in by_process.items() if stats.at >= at - STALE_AFTER}


def _parse(report: bytes) -> FeedStats:
    fields = json.loads(report)
    return FeedStats(**(fields | {"following": Counter(fields.get("following", {}))}))


def count_watchers(lines: Iterable[str], *, at: float) -> int | None:
    """Return the total number of connections to these broadcasts (`kind/key`).

    Returns None if Redis is down.
    """
    try:
        processes = current_stats(client(), at=at)
    except RedisError as error:
        log.info("Nobody knows who watches: %s", error)
        return None
    return sum(process.following[line] for process in processes.values() for line in set(lines))
