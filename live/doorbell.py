"""The doorbell: one word through Redis that a programme has changed.

A hint, not a truth: whoever hears it reads the rows, and whoever does not hear it reads
them by the clock.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable

import redis.asyncio
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from redis_client import connection

log = logging.getLogger(__name__)

NAME = "temporada:doorbell"
EVERY = "*"
"""The key that means all broadcasts of a kind."""
TRY_AGAIN = 2.0  # seconds


def client() -> Redis:
    """The connection over which all of this process ring."""
    return connection.client(settings.REDIS_URL)


def ring(kind: str, key: str) -> None:
    """Tell every process that the programme has changed; without Redis nothing happens."""
    ring_all([(kind, key)])


def ring_all(bells: Iterable[tuple[str, str]]) -> None:
    """The same for several programmes, by kind and key, in one go."""
    words = [f"{kind}/{key}" for kind, key in bells]
    breaker = connection.breaker(settings.REDIS_URL)
    if not breaker.may_ask():
        return
    try:
        with client().pipeline(transaction=False) as line:
            for word in words:
                line.publish(NAME, word)
            line.execute()
    except RedisError as error:
        breaker.failed(error)
    else:
        breaker.answered()


async def listen(heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
    """Call `heard(kind, key)` for each ring, for ever.

    `back()` is called when the line stands, first and after each break, since rings may
    have been missed.
    """
    while True:
        try:
            await _listen_once(heard, back)
        except (RedisError, OSError) as error:
            log.info("The doorbell is out of order: %s", error)
        await asyncio.sleep(TRY_AGAIN)


async def _listen_once(heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
    # Between two rings hours may pass: no timeout on reading.
    async with (
        redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_timeout=None, socket_connect_timeout=2
        ) as client,
        client.pubsub() as line,
    ):
        await line.subscribe(NAME)
        back()
        async for message in line.listen():
            if message["type"] == "message":
                kind, _, key = message["data"].decode().partition("/")
                heard(kind, key)
