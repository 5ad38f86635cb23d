"""Pages that all visitors without a session share until the database changes.

A view need not say what its page depends on, because the version of the database shows whether
anything was written.
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
from typing import Final, NamedTuple

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


# Key in the WSGI environment. If it is set, the server may send the response to other visitors too.
SHARED: Final = "temporada.shared"


# Query for a value that changes whenever data in PostgreSQL changes: the transactions that are
# visible, and the position of the last write, which includes this transaction's own changes. After
# a crash, PostgreSQL uses the numbers of lost transactions again, so the start time of the server
# is included.
VERSION_SQL: Final = (
    "SELECT pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text,"
    " pg_postmaster_start_time()::text"
)


class Shared(NamedTuple):
    """Description of a shared page for the server's response cache.

    It consists of the view's name, the version of the database and the time until which the page is
    valid (as `time.monotonic`).
    """

    view: str
    version: Hashable
    until: float


class SharedPage(NamedTuple):
    """A stored response, with the version of the database and the time before it was rendered."""

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
    """Decorate a view so that visitors without a session share its page.

    The page is rendered again when the database has changed, and after `seconds` at most, which
    should be few for a page that depends on the current time. Pages are stored separately for each
    language, wording, time zone, theme, host and result of `varies`. Requests with a query string,
    htmx requests, and pages that set a cookie or contain a form are not shared.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def shared(request: HttpRequest, *args: str, **kwargs: str | int) -> HttpResponseBase:
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
        not settings.DEBUG  # in development, templates change too
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
    """Return a value that changes whenever anything in the database changes.

    Returns None if the database has no such value: for SQLite in memory or in a transaction.
    """
    if connection.vendor == "sqlite":
        return None if connection.in_atomic_block else file_version()
    with connection.cursor() as cursor:
        cursor.execute(VERSION_SQL)
        found: tuple[str, ...] = cursor.fetchone()
        return found


_lock = Lock()


def file_version() -> Hashable | None:
    """Return the version of SQLite's file, which is quick to read, or None for other databases.

    Returns None also if the file cannot be read. The page is then rendered, and its view handles
    the error.
    """
    name = connection.settings_dict["NAME"]
    with _lock, suppress(sqlite3.Error):
        reader = _reader(str(name))
        if reader is not None:
            return (name, *reader.execute("PRAGMA data_version").fetchone())
    return None


@lru_cache(maxsize=1)
def _reader(_name: str) -> sqlite3.Connection | None:
    """Return a connection to SQLite that never writes.

    SQLite changes the `data_version` of this connection whenever any other connection writes.
    """
    reader = hold_database_open()
    if reader is not None:
        reader.execute("PRAGMA busy_timeout = 0")  # the event loop must not wait
    return reader
