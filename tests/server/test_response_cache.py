"""Cached responses are sent by the event loop without calling the view."""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from itertools import count
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from core.page_cache import HEADERS as PAGE_HEADERS
from core.page_cache.shared import SHARED, Shared
from live.asgi_types import Message, Scope
from server import response_cache
from server.buffering import BufferedApplication
from server.response_cache import (
    IGNORED_HEADERS,
    MAX_HEADERS,
    OVERHEAD,
    VISITOR_HEADERS,
    ResponseCache,
)

HEADERS = [(b"host", b"localhost"), (b"accept-language", b"en")]


class Site:
    """A page behind the cache that counts how often it was rendered.

    Its response headers can be changed.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.version: Any = 1
        monkeypatch.setattr(response_cache, "file_version", lambda: self.version)
        self.until, self.status = time.monotonic() + 1000, "200 OK"
        self.more: list[tuple[str, str]] = []
        self.is_shared = True
        self._copies, self._ids = count(1), count(1)
        self.application = BufferedApplication(self._page, 1, ResponseCache())

    def _page(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        if self.is_shared:
            environ[SHARED] = Shared("home", self.version, self.until)
        identity = ("X-Request-ID", f"identity-{next(self._ids)}")
        start_response(self.status, [identity, ("Content-Type", "text/html"), *self.more])
        return [b"copy %d" % next(self._copies)]

    def ask(
        self, *more: tuple[bytes, bytes], client: str = "10.0.0.1", **options: Any
    ) -> tuple[str, dict[bytes, bytes]]:
        """Return body and headers of the response."""
        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "scheme": "http",
            "method": "GET",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "headers": [*HEADERS, *more],
            "client": (client, 1),
        }
        return asyncio.run(self._ask(scope | options))

    async def _ask(self, scope: Scope) -> tuple[str, dict[bytes, bytes]]:
        said: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            said.append(message)

        await self.application(scope, receive, send)
        headers = {name.lower(): value for name, value in said[0]["headers"]}
        assert len(headers) == len(said[0]["headers"]), "no header is sent twice"
        return b"".join(message.get("body", b"") for message in said).decode(), headers


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(monkeypatch)


def test_cached_page_is_sent_with_a_new_request_id(site: Site) -> None:
    told = [site.ask() for _ in range(3)]
    assert [body for body, _ in told] == ["copy 1"] * 3
    assert len({headers[b"x-request-id"] for _, headers in told}) == 3
    assert all(headers[b"content-type"] == b"text/html" for _, headers in told)
    body, headers = site.ask((b"x-request-id", b"of-the-proxy"))
    assert (body, headers[b"x-request-id"]) == ("copy 1", b"of-the-proxy")


def test_page_is_rendered_again_after_a_database_change_or_expiry(site: Site) -> None:
    assert site.ask()[0] == "copy 1"
    site.version = 2
    assert [site.ask()[0], site.ask()[0]] == ["copy 2"] * 2
    site.until = time.monotonic()
    site.version = 3
    assert [site.ask()[0], site.ask()[0]] == ["copy 3", "copy 4"]


@pytest.mark.parametrize(
    ("more", "options"),
    [
        # Headers that pages name in `Vary`.
        *(([(name.lower().encode(), b"x=1")], {}) for name in PAGE_HEADERS["Vary"].split(", ")),
        ([(b"x-forwarded-proto", b"https")], {}),
        ([(b"hx-request", b"true")], {}),
        ([(b"if-none-match", b'"1"')], {}),
        ([(b"x-nobody-knows", b"1")], {}),
        ([], {"client": "127.0.0.1"}),
        ([], {"scheme": "https"}),
        ([], {"raw_path": b"/%2F"}),
        ([], {"method": "HEAD"}),
        ([], {"method": "POST"}),
        ([], {"query_string": b"a=1"}),
    ],
    ids=str,
)
def test_request_with_other_headers_gets_its_own_page(
    site: Site, more: list[tuple[bytes, bytes]], options: dict[str, Any]
) -> None:
    assert site.ask()[0] == "copy 1"
    assert site.ask(*more, **options)[0] == "copy 2"
    assert site.ask()[0] == "copy 1"


@pytest.mark.parametrize("name", sorted({*IGNORED_HEADERS, b"sec-fetch-site"}), ids=str)
def test_headers_that_no_page_depends_on_do_not_matter(site: Site, name: bytes) -> None:
    told = [site.ask(*headers)[0] for headers in ([], [(name, b"one")], [(name, b"another")])]
    assert told == ["copy 1"] * 3


def test_csrf_cookie_does_not_matter_for_the_cache(site: Site) -> None:
    cookies = [b"theme=dark; csrftoken=one", b"csrftoken=other; theme=dark", b"theme=dark"]
    assert {site.ask((b"cookie", cookie))[0] for cookie in cookies} == {"copy 1"}


def test_response_that_a_view_does_not_share_is_not_cached(site: Site) -> None:
    site.is_shared = False
    assert [site.ask()[0], site.ask()[0]] == ["copy 1", "copy 2"]


def test_response_with_a_cookie_or_another_status_is_not_cached(site: Site) -> None:
    site.more = [("Set-Cookie", "a=1")]
    assert [site.ask()[0], site.ask()[0]] == ["copy 1", "copy 2"]
    site.more, site.status = [], "304 Not Modified"
    assert [site.ask()[0], site.ask()[0]] == ["copy 3", "copy 4"]


def test_nothing_is_cached_while_the_database_version_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = Site(monkeypatch)
    site.version = None
    site.application = BufferedApplication(site._page, 1, ResponseCache())
    assert [site.ask()[0], site.ask()[0]] == ["copy 1", "copy 2"]


@pytest.mark.parametrize("name", sorted(VISITOR_HEADERS), ids=str)
def test_visitors_behind_a_proxy_share_cached_pages(site: Site, name: bytes) -> None:
    told = [site.ask((name, address))[0] for address in (b"10.0.0.1", b"10.0.0.2")]
    assert told == ["copy 1"] * 2
    assert site.ask()[0] == "copy 2"


def test_flood_of_invented_requests_does_not_fill_memory(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response_cache, "MAX_BYTES", 10 * (OVERHEAD + len("copy 10")))
    site.application = BufferedApplication(site._page, 1, cache := ResponseCache())
    for number in range(20):
        site.ask((b"cookie", b"a=%d" % number))
    assert len(cache._responses) == 10


@pytest.mark.parametrize(("room", "again"), [(-1, "copy 2"), (0, "copy 1"), (1, "copy 1")])
def test_very_large_response_is_not_cached(
    site: Site, monkeypatch: pytest.MonkeyPatch, room: int, again: str
) -> None:
    monkeypatch.setattr(response_cache, "MAX_BODY", len("copy 1") + room)
    assert [site.ask()[0], site.ask()[0]] == ["copy 1", again]


def test_request_with_very_long_headers_is_not_cached(site: Site) -> None:
    longest = MAX_HEADERS - sum(len(name) + len(value) for name, value in HEADERS)
    longest -= len(b"x-made-up")
    answers = [site.ask((b"x-made-up", length * b"x"))[0] for length in [longest] * 2]
    assert answers == ["copy 1"] * 2
    answers = [site.ask((b"x-made-up", length * b"x"))[0] for length in [longest + 1] * 2]
    assert answers == ["copy 2", "copy 3"]


@pytest.mark.slow
def test_long_request_headers_take_no_memory(site: Site) -> None:
    tracemalloc.start()
    try:
        before, _peak = tracemalloc.get_traced_memory()
        for number in range(100):
            site.ask((b"x-made-up", b"%d" % number + 7_000 * b"x"))
        after, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 350_000  # the headers are twice as long
