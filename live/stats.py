"""Statistics of the feed, published by each process through Redis.

The feed may consist of many processes on many machines; readers get the latest word of each.
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
PUBLISH_INTERVAL = 5.0  # seconds between two words
STALE_AFTER = 15.0  # seconds after which a process that has said nothing is gone
DELETE_AFTER = 3600.0  # seconds after which its last word is thrown away


@dataclass
class FeedStats:
    """One process: `clients` connected now, `sent` messages since it began, `at` unix seconds.

    `following`: how many of the clients follow each broadcast, by `kind/key`.
    """

    clients: int = 0
    sent: int = 0
    at: float = 0.0
    following: Counter[str] = field(default_factory=Counter)

    def follow(self, kind: str, key: str, more: int) -> None:
        """So many more, or less, follow a broadcast."""
        line = f"{kind}/{key}"
        self.following[line] += more
        if not self.following[line]:
            del self.following[line]


process_stats = FeedStats()
"""This process's."""


async def publish_stats(mine: FeedStats) -> None:
    """Say every few seconds how the feed is, for ever; without Redis nobody hears it."""
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
    """What the feed's processes said last, by host and process; those long gone are forgotten.

    `at` is unix seconds. Raises RedisError where Redis is away.
    """
    said = cast("dict[bytes, bytes]", client.hgetall(STATS_KEY))
    all_told = {name.decode(): _read(word) for name, word in said.items()}
    for name, one in all_told.items():
        if one.at < at - DELETE_AFTER:
            client.hdel(STATS_KEY, name)
    return {name: one for name, one in all_told.items() if one.at >= at - STALE_AFTER}


def _read(word: bytes) -> FeedStats:
    found = json.loads(word)
    return FeedStats(**(found | {"following": Counter(found.get("following", {}))}))


def count_watchers(lines: Iterable[str], *, at: float) -> int | None:
    """How many connections follow one of these broadcasts (`kind/key`), as told lately.

    None where Redis is away, so that nobody knows.
    """
    try:
        processes = current_stats(client(), at=at)
    except RedisError as error:
        log.info("Nobody knows who watches: %s", error)
        return None
    return sum(one.following[line] for one in processes.values() for line in set(lines))
