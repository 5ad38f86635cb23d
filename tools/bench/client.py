"""An HTTP client for thousands of simulated visitors in one process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple

TIMEOUT = 20.0  # seconds
CONNECTIONS = 4
# Exceptions that a failed request may raise.
FAILURES = (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError)


class Response(NamedTuple):
    """A response with its whole body. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Client:
    """A visitor with one persistent connection, as a browser has for pages.

    `address` is the visitor's own address, and `headers` are sent with every request.
    """

    def __init__(self, port: int, address: str = "127.0.0.1", **headers: str) -> None:
        self._port, self._address = port, address
        self._headers = {"Host": f"localhost:{port}", "Accept-Language": "en"} | {
            name.replace("_", "-"): value for name, value in headers.items() if value
        }
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, **headers: str) -> Response:
        return await self.send("GET", path, **headers)

    async def send(self, method: str, path: str, body: object = b"", **headers: str) -> Response:
        """Send a request. An object as its body is sent as JSON.

        If the server has closed the idle connection, send it again, as browsers do.
        """
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        lines = self._headers | {"Content-Length": str(len(data))} | names
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        request = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data
        async with asyncio.timeout(TIMEOUT):
            if self._line is not None:
                try:
                    return await self._exchange(request)
                except (asyncio.IncompleteReadError, ConnectionError):
                    self.close()
            return await self._exchange(request)

    async def stream(self, path: str) -> AsyncIterator[bytes]:
        """Yield the chunks of an uncompressed stream as they arrive."""
        reader, writer = await self._open()
        head = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{head}Accept: text/event-stream\r\n\r\n".encode())
        status, _headers = await read_head(reader)
        if status != 200:
            raise RuntimeError(f"The stream {path} answered {status}.")
        while chunk := await read_chunk(reader):
            yield chunk

    def close(self) -> None:
        if self._line is not None:
            self._line[1].close()
        self._line = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._line is None:
            self._line = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0), limit=1 << 20
            )
        return self._line

    async def _exchange(self, request: bytes) -> Response:
        reader, writer = await self._open()
        writer.write(request)
        status, headers = await read_head(reader)
        if "content-length" in headers:
            body = await reader.readexactly(int(headers["content-length"]))
        elif "transfer-encoding" in headers:
            body = b"".join([chunk async for chunk in _chunks(reader)])
        else:
            body = await reader.read()
        if headers.get("connection") == "close":
            self.close()
        return Response(status, headers, body)


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
    pairs = (line.split(":", 1) for line in lines)
    return int(status.split()[1]), {name.lower(): value.strip() for name, value in pairs}


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    size = int(await reader.readuntil(b"\r\n"), 16)
    return (await reader.readexactly(size + 2))[:-2]


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while chunk := await read_chunk(reader):
        yield chunk


def fetch(port: int, path: str, requests: int = 1, **headers: str) -> int:
    """Request a page `requests` times over a few connections. Return the size of a response."""
    return asyncio.run(_fetch(port, path, requests, headers))


async def _fetch(port: int, path: str, requests: int, headers: Mapping[str, str]) -> int:
    left, size = iter(range(requests)), 0

    async def visit() -> None:
        nonlocal size
        visitor = Client(port, Accept_Encoding="gzip", **headers)
        for _number in left:
            response = await visitor.get(path)
            if response.status != 200:
                raise RuntimeError(f"{path} answered {response.status}.")
            size = len(response.body)
        visitor.close()

    await asyncio.gather(*(visit() for _ in range(min(CONNECTIONS, requests))))
    return size
