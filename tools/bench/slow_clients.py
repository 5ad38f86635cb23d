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
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tools.bench.client import FAILURES, Client
from tools.bench.elsewhere import ROOT
from tools.bench.scratch_site import broker
from tools.bench.web_server import documented_server, free_port, running

VICTIM = "127.0.0.100"
ATTACKERS = [f"127.0.0.{number}" for number in range(2, 52)]
PAGES = ("/", "/accounts/login/", "/leagues/", "/escalafon/")
HEALTH = "/healthz"
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
BETWEEN_BYTES = 4.0  # seconds
BETWEEN_QUESTIONS = 0.25  # seconds
FIRST_ROUNDS = 8  # so that each of two page processes has answered every page
HEALTH_WITHIN = 0.1  # seconds
PAGE_WITHIN = 1.0  # seconds
Ports = tuple[int, int]  # of the site, and of the page process behind it


@dataclass
class Fared:
    """Measurements of ordinary visitors: response times in seconds by request, and failures."""

    health: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    cut: int = 0
    first: list[float] = field(default_factory=list)  # pages before the attack

    def to_json(self) -> dict[str, object]:
        """Return the figures with times in milliseconds."""
        return {
            "asked": len(self.health) + len(self.pages),
            "health_ms": {"median": _ms(median(self.health)), "slowest": _ms(max(self.health))},
            "page_ms": {"median": _ms(median(self.pages)), "slowest": _ms(max(self.pages))},
            "before_the_attack_ms": {"slowest": _ms(max(self.first))},
            "failed": sorted(self.failed),
            "attackers_cut": self.cut,
        }

    def is_well(self) -> bool:
        slow = max(self.health) > HEALTH_WITHIN or max(self.pages) > PAGE_WITHIN
        return not slow and not self.failed


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)


async def attack(ports: Ports, connections: int, seconds: float) -> Fared:
    """Attack for so many seconds and send ordinary requests meanwhile."""
    (site, behind), fared = ports, Fared()
    for page in PAGES * FIRST_ROUNDS:
        await ask(site, page, fared.first, fared)
    kinds = itertools.cycle((slow_headers, slow_body, slow_reading))
    addresses = itertools.cycle(ATTACKERS)
    attackers = [
        asyncio.create_task(keep_on(next(kinds), site, next(addresses), fared))
        for _number in range(connections)
    ]
    await asyncio.sleep(min(2.0, seconds / 4))  # until they stand
    until = time.monotonic() + seconds
    pages = itertools.cycle(PAGES)
    while time.monotonic() < until:
        began = time.monotonic()
        await asyncio.gather(
            ask(behind, HEALTH, fared.health, fared),
            ask(site, next(pages), fared.pages, fared),
        )
        await asyncio.sleep(max(0, BETWEEN_QUESTIONS - (time.monotonic() - began)))
    for task in attackers:
        task.cancel()
    await asyncio.gather(*attackers, return_exceptions=True)
    return fared


async def ask(port: int, path: str, seconds: list[float], fared: Fared) -> None:
    began = time.monotonic()
    try:
        client = Client(port, VICTIM, Host=f"127.0.0.1:{port}", Connection="close")
        status = (await client.get(path)).status
        if status != 200:
            fared.failed.add(f"{path} answered {status}")
    except FAILURES as error:
        fared.failed.add(f"{path}: {type(error).__name__}")
    seconds.append(time.monotonic() - began)


async def keep_on(
    kind: Callable[[int, str], Awaitable[object]], port: int, address: str, fared: Fared
) -> None:
    while True:
        with suppress(OSError, TimeoutError):
            await kind(port, address)
            fared.cut += 1
        await asyncio.sleep(0.2)


async def connect(
    port: int, address: str, buffer: int = 0
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    line = socket.socket()
    line.setblocking(False)
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.bind((address, 0))
    try:
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    except OSError:
        line.close()
        raise
    return await asyncio.open_connection(sock=line, limit=buffer or 65536)


def head(method: str, path: str, port: int, *headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, ""]
    return "\r\n".join(lines).encode()


async def slow_headers(port: int, address: str) -> None:
    await drip(port, address, head("GET", "/", port) + b"X-Slow: ")


async def slow_body(port: int, address: str) -> None:
    form = "Content-Type: application/x-www-form-urlencoded"
    length = "Content-Length: 100000"
    await drip(port, address, head("POST", "/accounts/login/", port, length, form) + b"\r\n")


async def drip(port: int, address: str, beginning: bytes) -> None:
    reader, writer = await connect(port, address)
    writer.write(beginning)
    try:
        while not reader.at_eof():
            writer.write(b"a")
            await writer.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(BETWEEN_BYTES):
                    await reader.read(65536)
    finally:
        writer.close()


async def slow_reading(port: int, address: str) -> None:
    reader, writer = await connect(port, address, buffer=1024)
    try:
        writer.write((head("GET", LARGE, port) + b"\r\n") * 4)
        while await reader.read(1):
            await asyncio.sleep(BETWEEN_BYTES)
    finally:
        writer.transport.abort()


# Sites to attack
@contextmanager
def embedded(folder: Path) -> Iterator[Ports]:
    port = free_port()
    command = [sys.executable, "manage.py", "web", "--port", str(port)]
    with running(command, port, folder / "web.log", HTTPS="no"):
        yield port, port


@contextmanager
def behind_caddy(folder: Path) -> Iterator[Ports]:
    port, caddy = free_port(), str(Path(sys.executable).with_name("caddy"))
    command = [caddy, "run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"]
    with documented_server(folder / "web.log") as pages:
        own = {"SITE_HOST": f"http://127.0.0.1:{port}", "PAGES": f"127.0.0.1:{pages.port}"}
        with running(command, port, folder / "caddy.log", HOME=str(folder), **own):
            yield port, pages.port


@contextmanager
def behind_nginx(folder: Path) -> Iterator[Ports]:
    port, settings = free_port(), folder / "nginx.conf"
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
    with documented_server(folder / "web.log") as pages:
        settings.write_text(nginx_settings(folder, port, pages.port), "utf-8")
        command = [nginx, "-c", str(settings), "-e", str(folder / "nginx.log")]
        with running(command, port, folder / "nginx.log"):
            yield port, pages.port


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


SITES = {"embedded": embedded, "caddy": behind_caddy, "nginx": behind_nginx}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.slow_clients", description=__doc__)
    parser.add_argument("sites", nargs="*", choices=[*SITES, []], help="default: all")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--connections", type=int, default=500)
    args = parser.parse_args()
    well = True
    with broker("temporada-slow-") as folder:
        prepare = [sys.executable, "manage.py", "prepare"]
        subprocess.run(prepare, cwd=ROOT, check=True, capture_output=True)
        for name in args.sites or SITES:
            with SITES[name](folder) as ports:
                fared = asyncio.run(attack(ports, args.connections, args.seconds))
            print(json.dumps({"site": name} | fared.to_json(), indent=2), flush=True)
            well = well and fared.is_well()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
