"""Cache of rendered pages, with a key of everything that a page depends on.

Rendering a table of a few dozen rows costs twenty times as much as the rest of the request.
Anonymous visitors share an entry. Each signed-in user has entries of their own.
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

# Lifetime of an entry in seconds. If the content changes, the page gets a new key at once, so this
# only limits the size of the cache.
TTL = 60 * 60

BRIEF_TTL = 60

HEADERS = {
    "Cache-Control": "private, no-cache",
    "Vary": "Accept-Encoding, Accept-Language, Cookie",
}
# Names of cookies that change pages. Visitors with one of these cookies have cache entries of their
# own.
OWN_COOKIES = frozenset({settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME})
# Matches an Accept-Encoding header that allows gzip. Pages contain no secrets, so they can be
# compressed once, when they are stored.
ACCEPTS_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


@dataclass(frozen=True, kw_only=True)
class PageKey:
    """What a page depends on, besides URL, language, wording, time zone, theme and visitor.

    `name` is the kind of page. `marks` is everything else that changes the page, such as the
    edition of a league or the version of a season. With `common` False nothing is stored, so that
    arbitrary parameters cannot fill the cache. A `brief` page changes within seconds, so each
    process stores it in its own memory instead of Redis.
    """

    name: str
    marks: tuple[Hashable, ...]
    common: bool = True
    brief: bool = False


def cached_response(request: HttpRequest, page: PageKey, render: Callable[[], str]) -> HttpResponse:
    """Return the page, cached or rendered now, or 304 if the browser has it."""
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
    """Return the cache key of a page: shared by anonymous visitors, separate for each user."""
    cookies = request.COOKIES
    session, note = map(cookies.get, (settings.SESSION_COOKIE_NAME, settings.MESSAGES_COOKIE_NAME))
    unread = (
        getattr(getattr(request, "user", None), "unread", 0) if session else 0
    )  # the page header shows it
    parts = (
        get_language(),
        cookies.get(settings.ZONE_COOKIE_NAME, ""),
        cookies.get(settings.THEME_COOKIE_NAME, ""),
        page.marks,
        request.get_full_path(),
        (session, note, unread) if session or note else None,
    )
    return f"{page.name}:{hashlib.sha256(repr(parts).encode()).hexdigest()[:40]}"
