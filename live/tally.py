"""What the feed of a process is at, told to the others through Redis.

The feed may be many processes on many machines; whoever wants to know reads what each said last.
"""

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

import redis.asyncio
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from live.doorbell import client

log = logging.getLogger(__name__)

NAME = "temporada:feeds"
EVERY = 5.0  # seconds between two words
FRESH = 15.0  # seconds after which a process that has said nothing is gone
FORGOTTEN = 3600.0  # seconds after which its last word is thrown away


@dataclass
class Tally:
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


tally = Tally()
"""This process's."""


async def tell(mine: Tally) -> None:
    """Say every few seconds how the feed is, for ever; without Redis nobody hears it."""
    name = f"{socket.gethostname()}:{os.getpid()}"
    while True:
        try:
            async with redis.asyncio.Redis.from_url(
                settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
            ) as client:
                while True:
                    mine.at = time.time()
                    await client.hset(NAME, name, json.dumps(vars(mine)))
                    await asyncio.sleep(EVERY)
        except (RedisError, OSError) as error:
            log.info("Nobody hears how the feed is: %s", error)
        await asyncio.sleep(EVERY)


def told(client: Redis, *, at: float) -> dict[str, Tally]:
    """What the feed's processes said last, by host and process; those long gone are forgotten.

    `at` is unix seconds. Raises RedisError where Redis is away.
    """
    said = cast("dict[bytes, bytes]", client.hgetall(NAME))
    all_told = {name.decode(): _read(word) for name, word in said.items()}
    for name, one in all_told.items():
        if one.at < at - FORGOTTEN:
            client.hdel(NAME, name)
    return {name: one for name, one in all_told.items() if one.at >= at - FRESH}


def _read(word: bytes) -> Tally:
    found = json.loads(word)
    return Tally(**(found | {"following": Counter(found.get("following", {}))}))


def watchers(lines: Iterable[str], *, at: float) -> int | None:
    """How many connections follow one of these broadcasts (`kind/key`), as told lately.

    None where Redis is away, so that nobody knows.
    """
    try:
        processes = told(client(), at=at)
    except RedisError as error:
        log.info("Nobody knows who watches: %s", error)
        return None
    return sum(one.following[line] for one in processes.values() for line in set(lines))
