"""Pages that all visitors without a session share until the database changes.

A view need not say what its page depends on: the database tells whether anything was written.
"""

from __future__ import annotations

import datetime as dt
import gzip
import sqlite3
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import lru_cache, wraps
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from core.disk import hold_database_open
from core.page_cache import ACCEPTS_GZIP, OWN_COOKIES, PageKey, page_key

View = Callable[..., HttpResponseBase]


# In the environment of a request whose response is shared, for the server.
SHARED: Final = "temporada.shared"


# What can be seen, and what has been written: in a transaction its own changes too. Numbers of
# transactions that a crash has undone are given out again, so it also names the server's start.
VERSION_SQL: Final = (
    "SELECT pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text,"
    " pg_postmaster_start_time()::text"
)


class Shared(NamedTuple):
    """A shared page: its view, the version of the database, until when (as `time.monotonic`)."""

    view: str
    version: Hashable
    until: float


class SharedPage(NamedTuple):
    """A response, and the version of the database and the instant before it was rendered."""

    version: Hashable
    at: dt.datetime
    headers: dict[str, str]
    body: bytes

    @property
    def age(self) -> float:
        return (timezone.now() - self.at).total_seconds()

    def is_current(self, version: Hashable, seconds: float) -> bool:
        return self.version == version and 0 <= self.age < seconds


def _nothing(_request: HttpRequest) -> Hashable:
    return None


def shared_page(
    seconds: float = 60, *, varies: Callable[[HttpRequest], Hashable] = _nothing
) -> Callable[[View], View]:
    """Decorate a view: visitors without a session get what was last rendered for one of them.

    Until the database changes, and for `seconds` at most: few for a page that tells what is on now.
    Language, wording, time zone, theme and host keep pages apart, and so does what `varies`
    returns. Addresses with a query, fragments, and pages with a cookie or a form are not shared.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def shared(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            version = database_version() if _may_share(request) else None
            if version is None:
                return view(request, *args, **kwargs)
            packed = bool(ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")))
            marks = (packed, request.scheme, request.get_host(), varies(request))
            key = page_key(request, PageKey(name="shared", marks=marks))
            page: SharedPage | None = caches["near"].get(key)
            if page is None or not page.is_current(version, seconds):
                at = timezone.now()
                response = view(request, *args, **kwargs)
                if not (isinstance(response, HttpResponse) and _is_shareable(request, response)):
                    return response
                page = SharedPage(version, at, *_content(response, packed))
                caches["near"].set(key, page, seconds)
            until = monotonic() + seconds - page.age
            request.META[SHARED] = Shared(_view_name(request), version, until)
            response = HttpResponse(page.body, headers=page.headers)
            etag = page.headers.get("ETag")
            return get_conditional_response(request, etag=etag, response=response) or response

        return shared

    return decorate


def _view_name(request: HttpRequest) -> str:
    return request.resolver_match.view_name if request.resolver_match else ""


def _may_share(request: HttpRequest) -> bool:
    return (
        not settings.DEBUG  # templates change too
        and request.method == "GET"
        and not request.META.get("QUERY_STRING")
        and "HTTP_HX_REQUEST" not in request.META
        and OWN_COOKIES.isdisjoint(request.COOKIES)
    )


def _is_shareable(request: HttpRequest, response: HttpResponse) -> bool:
    has_token = request.META.get("CSRF_COOKIE_NEEDS_UPDATE", False)
    is_plain = response.status_code == 200 and not response.cookies
    return is_plain and not has_token


def _content(response: HttpResponse, packed: bool) -> tuple[dict[str, str], bytes]:
    body = response.content
    if packed and not response.has_header("Content-Encoding"):
        body = gzip.compress(body, mtime=0)
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ("Accept-Encoding",))
    return dict(response.headers), body


def database_version() -> Hashable | None:
    """Return a value that is another once anything in the database has changed.

    None where the database cannot tell: in memory, or in a transaction under way on SQLite.
    """
    if connection.vendor == "sqlite":
        return None if connection.in_atomic_block else file_version()
    with connection.cursor() as cursor:
        cursor.execute(VERSION_SQL)
        found: tuple[str, ...] = cursor.fetchone()
        return found


_lock = Lock()


def file_version() -> Hashable | None:
    """Return the version of SQLite's file, which takes no time to ask for, or None without one.

    None as well if it cannot be read; the page is then rendered and handles the error.
    """
    name = connection.settings_dict["NAME"]
    with _lock, suppress(sqlite3.Error):
        reader = _reader(str(name))
        if reader is not None:
            return (name, *reader.execute("PRAGMA data_version").fetchone())
    return None


@lru_cache(maxsize=1)
def _reader(_name: str) -> sqlite3.Connection | None:
    """Return a connection that never writes: its `data_version` counts changes by all others."""
    reader = hold_database_open()
    if reader is not None:
        reader.execute("PRAGMA busy_timeout = 0")  # the event loop must not wait
    return reader
