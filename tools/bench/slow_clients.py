"""Attack a site with slow connections, and measure how ordinary visitors fare meanwhile.

    python -m tools.bench.slow_clients [embedded] [caddy] [nginx] [--seconds 300]
        [--connections 500]

Attackers use the addresses 127.0.0.2 to 127.0.0.51. A third of them each send slow headers, send
slow bodies and read slowly. Attackers that are disconnected reconnect. Meanwhile 127.0.0.100
requests /healthz and a page four times a second. Behind a proxy, /healthz of the page process is
requested directly. Every page is also requested before the attack, because a page process compiles
its templates on first use. The script prints the slowest responses. The exit status is 1 if a
response took too long or failed during the attack.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import itertools
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from server.valkey import Valkey
from tools.bench.web_server import ROOT, documented_command, free_port, terminate, wait_for

VICTIM: Final = "127.0.0.100"
ATTACKERS: Final = [f"127.0.0.{number}" for number in range(2, 52)]
PAGES: Final = ("/", "/accounts/login/", "/leagues/", "/escalafon/")
HEALTH: Final = "/healthz"
LARGE: Final = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
BETWEEN_BYTES: Final = 4.0  # seconds
BETWEEN_QUESTIONS: Final = 0.25  # seconds
FIRST_ROUNDS: Final = 8  # so that each of two page processes has answered every page
TIMEOUT: Final = 15.0  # seconds
HEALTH_WITHIN: Final = 0.1  # seconds
PAGE_WITHIN: Final = 1.0  # seconds


@dataclass
class Fared:
    """Measurements of ordinary visitors: response times in seconds by request, and failures."""

    health: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    cut: int = 0
    first: list[float] = field(default_factory=list)  # pages before the attack

    def to_json(self) -> dict[str, object]:
        """Return the figures with times in milliseconds."""
        return {
            "asked": len(self.health) + len(self.pages),
            "health_ms": {"median": _ms(_median(self.health)), "slowest": _ms(max(self.health))},
            "page_ms": {
                "median": _ms(_median(self.pages)),
                "slowest": _ms(max(self.pages)),
                "slowest_asked_as": self.pages.index(max(self.pages)) + 1,
                "over_a_second": sum(page > PAGE_WITHIN for page in self.pages),
            },
            "before_the_attack_ms": {"slowest": _ms(max(self.first))},
            "failed": len(self.failed),
            "why": sorted(set(self.failed)),
            "attackers_cut": self.cut,
        }

    def is_well(self) -> bool:
        slow = max(self.health) > HEALTH_WITHIN or max(self.pages) > PAGE_WITHIN
        return not slow and not self.failed


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


async def attack(url: str, *, connections: int, seconds: float, health: str = "") -> Fared:
    """Attack for so many seconds and send ordinary requests meanwhile.

    `health` is the address of /healthz, by default below `url`.
    """
    fared = Fared()
    for page in PAGES * FIRST_ROUNDS:
        await ask(url + page, fared.first, fared)
    kinds = itertools.cycle((slow_headers, slow_body, slow_reading))
    addresses = itertools.cycle(ATTACKERS)
    attackers = [
        asyncio.create_task(keep_on(next(kinds), url, next(addresses), fared))
        for _number in range(connections)
    ]
    await asyncio.sleep(min(2.0, seconds / 4))  # until they stand
    until = time.monotonic() + seconds
    pages = itertools.cycle(PAGES)
    while time.monotonic() < until:
        began = time.monotonic()
        await asyncio.gather(
            ask((health or url) + HEALTH, fared.health, fared),
            ask(url + next(pages), fared.pages, fared),
        )
        await asyncio.sleep(max(0, BETWEEN_QUESTIONS - (time.monotonic() - began)))
    for task in attackers:
        task.cancel()
    await asyncio.gather(*attackers, return_exceptions=True)
    return fared


async def ask(url: str, seconds: list[float], fared: Fared) -> None:
    began = time.monotonic()
    try:
        async with asyncio.timeout(TIMEOUT):
            status = await fetch(url)
        if status != 200:
            fared.failed.append(f"{url} answered {status}")
    except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
        fared.failed.append(f"{url}: {type(error).__name__}")
    seconds.append(time.monotonic() - began)


async def fetch(url: str) -> int:
    reader, writer = await connect(url, VICTIM)
    try:
        writer.write(request("GET", url, "Connection: close"))
        status = int((await reader.readline()).split()[1])
        while await reader.read(65536):
            pass
        return status
    finally:
        writer.close()


async def connect(
    url: str, address: str, *, buffer: int = 0
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    line = socket.socket()
    line.setblocking(False)
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.bind((address, 0))
    try:
        await asyncio.get_running_loop().sock_connect(line, (parts.hostname, parts.port))
    except OSError:
        line.close()
        raise
    return await asyncio.open_connection(sock=line, limit=buffer or 65536)


def request(method: str, url: str, *headers: str) -> bytes:
    parts = urlsplit(url)
    lines = [f"{method} {parts.path} HTTP/1.1", f"Host: {parts.netloc}", *headers, "", ""]
    return "\r\n".join(lines).encode()


async def keep_on(
    kind: Callable[[str, str], Awaitable[object]], url: str, address: str, fared: Fared
) -> None:
    while True:
        with suppress(OSError, TimeoutError):
            await kind(url, address)
            fared.cut += 1
        await asyncio.sleep(0.2)


async def slow_headers(url: str, address: str) -> None:
    reader, writer = await connect(url, address)
    writer.write(request("GET", url + "/")[:-2] + b"X-Slow: ")
    await drip(reader, writer)


async def slow_body(url: str, address: str) -> None:
    reader, writer = await connect(url, address)
    form = "Content-Type: application/x-www-form-urlencoded"
    writer.write(request("POST", url + "/accounts/login/", "Content-Length: 100000", form))
    await drip(reader, writer)


async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(BETWEEN_BYTES):
                    await reader.read(65536)
    finally:
        writer.close()


async def slow_reading(url: str, address: str) -> None:
    reader, writer = await connect(url, address, buffer=1024)
    try:
        writer.write(request("GET", url + LARGE) * 4)
        while await reader.read(1):
            await asyncio.sleep(BETWEEN_BYTES)
    finally:
        writer.transport.abort()


# Sites to attack
@contextmanager
def embedded(folder: Path) -> Iterator[tuple[str, str]]:
    port = free_port()
    with running([sys.executable, "manage.py", "web", "--port", str(port)], folder, port):
        yield address(port), address(port)


@contextmanager
def shipped_pages(folder: Path) -> Iterator[int]:
    """Start pages as the shipped unit does, for a proxy, and yield their port."""
    port = free_port()
    command = [*documented_command(), "--port", str(port)]
    with running(command, folder, port, PROXIES="1", SECRET_KEY=secrets.token_urlsafe(50)):
        yield port


@contextmanager
def behind_caddy(folder: Path) -> Iterator[tuple[str, str]]:
    port = free_port()
    program = str(Path(sys.executable).with_name("caddy"))
    command = [program, "run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"]
    with shipped_pages(folder) as pages:
        environment = {
            "SITE_HOST": address(port),
            "PAGES": f"127.0.0.1:{pages}",
            "HOME": str(folder),
        }
        with running(command, folder, port, **environment):
            yield address(port), address(pages)


@contextmanager
def behind_nginx(folder: Path) -> Iterator[tuple[str, str]]:
    port = free_port()
    with shipped_pages(folder) as pages:
        settings = folder / "nginx.conf"
        settings.write_text(nginx_settings(folder, port, pages), "utf-8")
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
        with running([program, "-c", str(settings), "-e", str(folder / "nginx.log")], folder, port):
            yield address(port), address(pages)


def nginx_settings(folder: Path, port: int, pages: int) -> str:
    shipped = (ROOT / "deploy/nginx.conf").read_text("utf-8")
    shipped = re.sub(r"server \{\s*listen 80;.*?\n\}\n", "", shipped, flags=re.DOTALL)
    shipped = re.sub(r"\s*ssl_certificate\S* .*?;", "", shipped)
    shipped = shipped.replace("\tlisten [::]:443 ssl http2;\n", "")
    shipped = shipped.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    shipped = shipped.replace("127.0.0.1:8000", f"127.0.0.1:{pages}")
    shipped = shipped.replace("/var/log/nginx/", f"{folder}/")
    kept = "".join(
        f"{what}_temp_path {folder / what};\n"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; pid {folder / 'nginx.pid'}; user {getpass.getuser()};\n"
        f"worker_rlimit_nofile 4096; events {{ worker_connections 2048; }}\n"
        f"http {{ access_log off; {kept} {shipped} }}\n"
    )


@contextmanager
def running(command: list[str], folder: Path, port: int, **variables: str) -> Iterator[None]:
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"DATA": str(folder / "data"), "HTTPS": "no"} | variables,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_for(port)
        yield
    finally:
        terminate(process)


def address(port: int) -> str:
    return f"http://127.0.0.1:{port}"


SITES: Final = {"embedded": embedded, "caddy": behind_caddy, "nginx": behind_nginx}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.slow_clients", description=__doc__)
    parser.add_argument("sites", nargs="*", choices=[*SITES, []], help="all, where none is named")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--connections", type=int, default=500)
    args = parser.parse_args()
    well = True
    with tempfile.TemporaryDirectory(prefix="temporada-slow-") as room:
        folder = Path(room)
        broker = Valkey(folder / "valkey")
        broker.start()
        os.environ["REDIS_URL"] = broker.url
        try:
            prepare = [sys.executable, "manage.py", "prepare"]
            variables = os.environ | {"DATA": str(folder / "data")}
            subprocess.run(prepare, cwd=ROOT, env=variables, check=True, capture_output=True)
            for name in args.sites or SITES:
                with SITES[name](folder) as (url, health):
                    fared = asyncio.run(
                        attack(
                            url,
                            connections=args.connections,
                            seconds=args.seconds,
                            health=health,
                        )
                    )
                print(json.dumps({"site": name} | fared.to_json(), indent=2), flush=True)
                well = well and fared.is_well()
        finally:
            broker.stop()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
