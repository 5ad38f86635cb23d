"""Those who watch a broadcast that ends: a cursor that runs after the channel."""

import asyncio
import logging

from live.asgi import Send
from live.channel import Channel
from live.connection import HEADERS, Connection
from live.frames import COMMENT, END, OPENING
from live.line import LineCutError

log = logging.getLogger(__name__)

CATCH_UP = 1000  # moments sent at most to one who comes back


class Watcher(Connection):
    """One connection: a cursor that runs after the channel."""

    __slots__ = ("_channel",)

    def __init__(self, channel: Channel, after: int | None, send: Send) -> None:
        latest = channel.due
        begin = max(latest - 1, 0) if after is None else min(after, latest)
        super().__init__(max(begin, latest - CATCH_UP), send)
        self._channel = channel

    async def _run(self) -> None:
        """Send moment after moment; few steps in it, for it runs for everybody at once."""
        channel = self._channel
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            await self._write(OPENING)
            while not await self._caught_up():
                await channel.news()
                if self._cursor >= channel.due and not channel.over:
                    await self._write(COMMENT)
            await self._write(END)
        except LineCutError:
            log.debug("A line was cut")
        await self._write(b"", more=False)

    async def _caught_up(self) -> bool:
        """Send all that is due; whether the broadcast is over with it."""
        channel = self._channel
        while self._cursor < channel.due:
            number = self._cursor + 1
            await self._write(channel.ready_frame(number) or await channel.frame(number))
            self._cursor = number
        if channel.over:
            # The last moment goes to everybody before the end goes to anybody.
            await asyncio.sleep(0)
        return channel.over
