"""The proxy before the site: what is under /live/ to the feed, the rest to the pages."""

import asyncio
import threading
from contextlib import suppress

from bench.served import free_port

AWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
BLOCK = 1 << 16


class Front:
    """One port before two processes; a request to one that is away is answered with 502."""

    def __init__(self, pages: int, feed: int) -> None:
        self.port = free_port()
        self._pages, self._feed = pages, feed
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Open the port."""
        ready = threading.Event()
        self._loop.call_soon(ready.set)
        self._server = self._loop.run_until_complete(
            asyncio.start_server(self._answer, "127.0.0.1", self.port, backlog=1000)
        )
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Close it, and every line through it."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            port = self._feed if head.split(b" ", 2)[1].startswith(b"/live/") else self._pages
            try:
                behind, before = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                writer.write(AWAY)
            else:
                before.write(one_request(head))
                await asyncio.gather(_pour(reader, before), _pour(behind, writer))
        writer.close()


def one_request(head: bytes) -> bytes:
    """The head of a request, asking for the line to be closed after its answer."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while block := await reader.read(BLOCK):
            writer.write(block)
            await writer.drain()
    with suppress(OSError):
        writer.close()
