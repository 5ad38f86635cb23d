"""Rendered pages, cached under a key of everything they depend on.

Rendering a table of a few dozen rows costs twenty times as much as the rest of the request.
Anonymous visitors share an entry, signed-in users have their own.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache, caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

__all__ = [
    "ACCEPTS_GZIP",
    "OWN_COOKIES",
    "PageKey",
    "cached_response",
    "page_key",
]

# A change makes a new key at once, so this only bounds the size of the cache.
TTL = 60 * 60

BRIEF_TTL = 60

HEADERS = {
    "Cache-Control": "private, no-cache",
    "Vary": "Accept-Encoding, Accept-Language, Cookie",
}
# Of visitors whose pages are their own.
OWN_COOKIES = frozenset({settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME})
# Pages contain no secrets, so they are compressed once, when they are stored.
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


@dataclass(frozen=True, kw_only=True)
class PageKey:
    """What a page depends on besides address, language, wording, time zone, theme and visitor.

    `name` tells kinds of page apart. `marks` is everything else that changes the page (the
    edition of a league, the version of a season). Without `common` nothing is stored, so that
    arbitrary parameters cannot fill the cache. A `brief` page changes within seconds: each process
    stores it for itself, and not in Redis.
    """

    name: str
    marks: tuple[Hashable, ...]
    common: bool = True
    brief: bool = False


def cached_response(request: HttpRequest, page: PageKey, render: Callable[[], str]) -> HttpResponse:
    """Return the page from the cache or rendered now, or 304 if the browser has it."""
    key = page_key(request, page)
    etag = f'W/"{key}"'
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    packed = bool(ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
    coding = {"Content-Encoding": "gzip"} if packed else {}
    body = _body(f"{key}:{'gzip' if packed else 'plain'}", page, render, packed)
    return HttpResponse(body, headers={"ETag": etag, **HEADERS, **coding})


def _body(key: str, page: PageKey, render: Callable[[], str], packed: bool) -> bytes:
    near = caches["near"]
    body: bytes | None = near.get(key)
    if body is not None:
        return body
    if not page.brief:
        body = cache.get(key)
    if body is None:
        text = render().encode()
        body = gzip.compress(text, mtime=0) if packed else text
        if page.common and not page.brief:
            cache.set(key, body, TTL)
    if page.common:
        near.set(key, body, BRIEF_TTL if page.brief else TTL)
    return body


def page_key(request: HttpRequest, page: PageKey) -> str:
    """Return the cache key: shared by anonymous visitors, separate for each user."""
    cookies = request.COOKIES
    session, note = map(cookies.get, (settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME))
    unread = getattr(getattr(request, "user", None), "unread", 0) if session else 0  # in the header
    parts = (
        get_language(),
        cookies.get(settings.ZONE_COOKIE_NAME, ""),
        cookies.get(settings.THEME_COOKIE_NAME, ""),
        page.marks,
        request.get_full_path(),
        (session, note, unread) if session or note else None,
    )
    return f"{page.name}:{hashlib.sha256(repr(parts).encode()).hexdigest()[:40]}"
