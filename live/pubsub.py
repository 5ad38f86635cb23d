"""Redis pub/sub messages which say that a broadcast has changed.

A message is only a hint. A process that gets it reads the broadcast's rows. A process that misses
it reads the rows at the next poll.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

import redis
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from core.redis_client import connection

log = logging.getLogger(__name__)

CHANNEL = "temporada:wakeup"
# Name of the channel up to 0.1.0. Both are used in 0.2, because processes of both versions run side
# by side during an upgrade. A process may therefore get a message twice. Remove it in 0.3.0.
FORMER_CHANNEL = "temporada:doorbell"
# Key in a pub/sub message that stands for all broadcasts of a kind.
ALL_KEYS = "*"
RETRY_INTERVAL = 2.0  # seconds


def client() -> Redis:
    return connection.client(settings.REDIS_URL)


def publish(kind: str, key: str) -> None:
    """Notify every process that a broadcast has changed. Does nothing if Redis is down."""
    publish_all([(kind, key)])


def publish_all(bells: Iterable[tuple[str, str]]) -> None:
    """Publish changes of several broadcasts, given by kind and key, in one pipeline."""
    words = [f"{kind}/{key}" for kind, key in bells]
    breaker = connection.circuit_breaker(settings.REDIS_URL)
    if not breaker.may_ask():
        return
    try:
        with client().pipeline(transaction=False) as line:
            for word in words:
                line.publish(CHANNEL, word)
                line.publish(FORMER_CHANNEL, word)
            line.execute()
    except RedisError as error:
        breaker.failed(error)
    else:
        breaker.answered()


async def listen(heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
    """Call `heard(kind, key)` for each message. Never returns.

    `back()` is called after every (re)connection, since messages may have been missed.
    """
    while True:
        try:
            await _listen_once(heard, back)
        except (RedisError, OSError) as error:
            log.info("Redis pub/sub is unavailable: %s", error)
        await asyncio.sleep(RETRY_INTERVAL)


async def _listen_once(heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
    # There may be no message for hours, so reading has no timeout.
    async with (
        redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_timeout=None, socket_connect_timeout=2
        ) as client,
        client.pubsub() as line,
    ):
        await line.subscribe(CHANNEL, FORMER_CHANNEL)
        back()
        async for message in line.listen():
            if message["type"] == "message":
                kind, _, key = message["data"].decode().partition("/")
                heard(kind, key)
