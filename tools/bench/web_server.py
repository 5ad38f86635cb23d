"""The web process as `manage.py up` starts it, and a client with persistent connections."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONNECTIONS = 4  # connections at once
TIMEOUT = 20.0  # seconds


@dataclass(frozen=True)
class WebServer:
    """A running web process."""

    port: int
    pid: int


@contextmanager
def web_server(database: Path, what: str = "web") -> Iterator[WebServer]:
    """Serve this database on a free port: pages and feed, or only the `feed`."""
    command = [sys.executable, "manage.py", what, "--port"]
    with _serving(command, DATABASE_URL=f"sqlite:///{database}") as server:
        yield server


@contextmanager
def documented_server(database: str) -> Iterator[WebServer]:
    """Serve the database at this address as the documented systemd unit does, for a proxy."""
    own = {
        "DATABASE_URL": database,
        "PROXIES": "1",
        "HTTPS": "no",
        "SECRET_KEY": secrets.token_urlsafe(50),
    }
    with _serving([*documented_command(), "--port"], **own) as server:
        yield server


def documented_command() -> list[str]:
    """Return the command of the documented systemd unit for pages, without its port."""
    unit = (ROOT / "deploy/systemd/temporada-pages.service").read_text("utf-8")
    command = re.search(r"^ExecStart=\S+/python (.*) --port 8000(.*)$", unit, re.MULTILINE)
    assert command
    return [sys.executable, *command[1].split(), *command[2].split()]


@contextmanager
def _serving(command: list[str], **own: str) -> Iterator[WebServer]:
    port = free_port()
    # Raise the rate limits, because all clients use one address and one account.
    limits = dict.fromkeys(("CONNECTIONS_AN_ADDRESS", "WRITES_A_MINUTE"), "1000000")
    variables = os.environ | own | limits
    command = [*command, str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=variables, start_new_session=True)
    try:
        wait_for(port)
        yield WebServer(port, process.pid)
    finally:
        terminate(process)


def terminate(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, within: float = TIMEOUT) -> None:
    until = time.monotonic() + within
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"Nobody listens on port {port}.")


class Client:
    """A client with a few persistent connections, each with one request at a time."""

    def __init__(self, port: int) -> None:
        self._lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
        for line in self._lines:
            line.settimeout(TIMEOUT)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        for line in self._lines:
            line.close()

    def rate(self, path: str, requests: int) -> float:
        """Return the requests per second of a path. `requests` are shared among the connections."""
        asked = request(path)
        began = time.perf_counter()
        for line in self._lines:
            line.sendall(asked)
        for place in range(requests):
            line = self._lines[place % CONNECTIONS]
            answer(line)
            if place < requests - CONNECTIONS:
                line.sendall(asked)
        return requests / (time.perf_counter() - began)

    def size(self, path: str) -> int:
        self._lines[0].sendall(request(path))
        return answer(self._lines[0])


def request(path: str) -> bytes:
    heads = ("Host: localhost", "Accept-Language: en", "Accept-Encoding: gzip")
    return "\r\n".join([f"GET {path} HTTP/1.1", *heads, "", ""]).encode()


def answer(line: socket.socket) -> int:
    """Read one response, which must be 200 with a length, and return the length of its body."""
    read = bytearray()
    while (end := read.find(b"\r\n\r\n")) < 0:
        received = line.recv(1 << 16)
        if not received:
            raise ConnectionError("The server hung up.")
        read += received
    head = bytes(read[:end]).lower()
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"A page answered {head[:60]!r}.")
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    missing = end + 4 + length - len(read)
    while missing:
        missing -= len(line.recv(min(missing, 1 << 18)))
    return length
