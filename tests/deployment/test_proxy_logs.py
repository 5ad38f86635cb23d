"""The shipped proxies log ordinary addresses but no secret ones, whatever the site's status
code is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.deployment.proxy import Nginx, Proxy, nginx
from tests.security.test_secret_addresses import HELD_BACK, SECRETS
from tests.site import free_port
from tests.waiting import wait_until

Make = Callable[[Path, int], Nginx | Proxy]
ORDINARY = "/leagues/club/"
STATUSES = [200, 301, 403, 404, 500]
UNREACHABLE = 502
HEADERS = {
    "Referer": f"https://temporada.example.org{SECRETS['guest_claim']}",
    "HX-Current-URL": f"https://temporada.example.org{SECRETS['guest_claim']}",
}


class Pages(BaseHTTPRequestHandler):
    """A site that responds with the status code given in the request."""

    def do_GET(self) -> None:
        self.send_response(int(self.headers["X-Status"]))
        self.send_header("Location", f"https://temporada.example.org{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def pages() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


def make_nginx(folder: Path, pages: int) -> Nginx:
    program = nginx()
    if program is None:
        assert "CI" not in os.environ, "There is no nginx here."
        pytest.skip("There is no nginx here.")
    return Nginx(program, folder, pages, free_port())


def make_caddy(folder: Path, pages: int) -> Proxy:
    return Proxy(folder, pages, free_port())


@pytest.fixture(params=[make_nginx, make_caddy], ids=["nginx", "caddy"])
def make(request: pytest.FixtureRequest) -> Make:
    chosen: Make = request.param
    return chosen


def answers(proxy: Nginx | Proxy) -> bool:
    try:
        return bool(proxy.ask("/", headers={"X-Status": "200"}).status)
    except OSError:
        return False


def request_status(proxy: Nginx | Proxy, address: str, status: int, method: str = "GET") -> int:
    return proxy.ask(address, method, headers=HEADERS | {"X-Status": str(status)}).status


def spellings(address: str) -> list[str]:
    """Return ways to write an address: in a query, with a prefix, and with typing errors."""
    query = address.replace("/", "%2F")
    return [f"{address}?a={query}", f"/x{address}", address.rstrip("/"), f"/{address}"]


@pytest.fixture(params=["answering", "unreachable"])
def proxy(
    request: pytest.FixtureRequest, make: Make, tmp_path: Path, pages: int
) -> Iterator[Nginx | Proxy]:
    started = make(tmp_path / "proxy", pages if request.param == "answering" else free_port())
    started.start()
    try:
        wait_until(lambda: answers(started))
        yield started
    finally:
        started.stop()


@pytest.mark.slow
def test_proxies_log_no_secret_address(
    proxy: Nginx | Proxy, request: pytest.FixtureRequest
) -> None:
    reached = "unreachable" not in request.node.callspec.id
    asked = [
        (address, status)
        for status in (STATUSES if reached else [UNREACHABLE])
        for address in (*SECRETS.values(), f"/a/?next={SECRETS['guest_claim']}", ORDINARY)
    ]
    asked += [
        (spelled, asked[0][1]) for address in SECRETS.values() for spelled in spellings(address)
    ]
    with ThreadPoolExecutor(20) as visitors:  # Caddy tries for 5 s before it gives up
        got = list(visitors.map(lambda pair: request_status(proxy, *pair), asked))
    assert got == [status for _address, status in asked]
    if isinstance(proxy, Nginx):
        plain = HTTPConnection("127.0.0.1", proxy.plain_port)
        for address in (*SECRETS.values(), "/leagues/plain/"):
            plain.request("GET", address, headers=HEADERS)
            answer = plain.getresponse()
            answer.read()
            assert answer.status == HTTPStatus.MOVED_PERMANENTLY
        wait_until(lambda: "/leagues/plain/" in proxy.log())
        # nginx rejects headers that are too long before it reads the address.
        long = HEADERS | {"X-Status": "200", "Cookie": "a" * 20_000}
        for address in SECRETS.values():
            assert proxy.ask(address, headers=long).status == HTTPStatus.BAD_REQUEST
    wait_until(lambda: proxy.log().count(ORDINARY) >= (len(STATUSES) if reached else 1))
    proxy.stop()
    assert "/guests/***" in proxy.log()
    assert HELD_BACK not in proxy.log()
