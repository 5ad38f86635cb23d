"""Responses that many visitors share, sent by the event loop without a thread.

Views mark such responses (`core.page_cache.shared`). As long as the database has not changed, the
same request gets the stored response again.
"""

from __future__ import annotations

import time
from hashlib import sha256
from http import HTTPStatus
from typing import IO, Any, Final, NamedTuple

from cachetools import LRUCache
from django.conf import settings
from django.db import connection

from accounts.loopback import is_loopback
from core.page_cache.shared import SHARED, Shared, file_version
from live.asgi_types import Scope, Send
from server.database_version import VersionQuestions
from server.health.middleware import record_response
from server.health.tracing import request_id, request_id_for

# Maximum total size of the responses in the cache, in bytes.
MAX_BYTES: Final = 16 * 1024**2
MAX_BODY: Final = 512 * 1024
# Maximum size of a request's headers in bytes. Browsers send a few hundred. Responses to requests
# with larger headers are not stored.
MAX_HEADERS: Final = 8 * 1024
# Assumed size of a stored response besides its body, in bytes: its headers and its key.
OVERHEAD: Final = 4 * 1024
REQUEST_ID: Final = b"x-request-id"
# Request headers on which no page depends, besides those that begin with `sec-`. Requests that
# differ in other headers have different cache keys.
IGNORED_HEADERS: Final = frozenset(
    {b"accept", b"cache-control", b"connection", b"dnt", b"pragma", b"priority", b"referer"}
    | {b"upgrade-insecure-requests", b"user-agent", REQUEST_ID}
)
# Headers of proxies. A page may depend on whether they are present, but not on their values.
VISITOR_HEADERS: Final = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})
# Beginning of the CSRF cookie in the Cookie header. It is not part of the cache key, because pages
# that depend on it (pages with a form) are not shared.
CSRF_COOKIE: Final = settings.CSRF_COOKIE_NAME.encode() + b"="

Headers = list[tuple[bytes, bytes]]


class Response(NamedTuple):
    """A stored response without its request id, and the shared page that it contains."""

    page: Shared
    headers: Headers
    body: bytes


class ResponseCache:
    """Stored responses by request key. Only the event loop may use it."""

    def __init__(self) -> None:
        self._responses: LRUCache[bytes, Response] = LRUCache(
            MAX_BYTES, getsizeof=lambda response: len(response.body) + OVERHEAD
        )
        self._questions = VersionQuestions() if connection.vendor == "postgresql" else None
        self._may_store = self._questions is not None or file_version() is not None

    async def find_response(self, key: bytes) -> Response | None:
        """Return the stored response if the database has not changed and it has not expired."""
        response = self._responses.get(key)
        if response is None or time.monotonic() >= response.page.until:
            return None
        version = (
            await self._questions.ask_version() if self._questions is not None else file_version()
        )
        is_current = response.page.version == version and time.monotonic() < response.page.until
        return response if is_current else None

    def store(self, key: bytes, environ: Any, headers: Headers, body: IO[bytes]) -> None:
        """Store a response if its view has marked it as shared."""
        page: Shared | None = environ.get(SHARED)
        if page is None or not self._may_store:
            return
        if any(name.lower() == b"set-cookie" for name, _value in headers):
            return
        content = body.read()
        body.seek(0)
        if len(content) <= MAX_BODY:
            lasting = [header for header in headers if header[0].lower() != REQUEST_ID]
            self._responses[key] = Response(page, lasting, content)


def request_key(scope: Scope) -> bytes | None:
    """Return a digest of everything that a response may depend on.

    Returns None for requests whose response cannot be shared.
    """
    if scope["method"] != "GET" or scope["query_string"]:
        return None
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADERS:
        return None
    headers = tuple(
        (name, _what_matters(name, value))
        for name, value in scope["headers"]
        if name not in IGNORED_HEADERS and not name.startswith(b"sec-")
    )
    client = scope.get("client")
    is_local = bool(client and is_loopback(client[0]))
    parts = (scope["scheme"], scope["raw_path"], is_local, headers)
    return sha256(repr(parts).encode()).digest()


def _what_matters(name: bytes, value: bytes) -> bytes:
    if name in VISITOR_HEADERS:
        return b""
    if name == b"cookie" and CSRF_COOKIE in value:
        parts = value.split(b"; ")
        return b"; ".join(part for part in parts if not part.startswith(CSRF_COOKIE))
    return value


async def send_response(scope: Scope, send: Send, response: Response, began: float) -> None:
    """Send a stored response with a new request id, and log and count it like any other."""
    given = dict(scope["headers"]).get(REQUEST_ID, b"").decode("latin-1")
    identity = request_id_for(given)
    request_id.set(identity)
    headers = [*response.headers, (REQUEST_ID, identity.encode())]
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
    record_response(response.page.view, "GET", HTTPStatus.OK, time.monotonic() - began)
