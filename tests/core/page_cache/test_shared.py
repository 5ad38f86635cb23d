"""Pages that all visitors without session share until the database changes."""

from __future__ import annotations

import datetime as dt
import gzip
import sqlite3
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.test import RequestFactory
from django.utils import timezone, translation
from pytest_django import Settings

from accounts.models import User
from core.page_cache import shared as page_cache
from core.page_cache.shared import SHARED, database_version, shared_page
from tests.databases import opened
from tests.waiting import wait_until

NOW = dt.datetime(2026, 4, 5, 18, tzinfo=dt.UTC)


class Press:
    """A view whose content is the number of times it was rendered.

    `version` is the version of the database, `now` the current time.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.version: int | None = 1
        self.now = NOW
        self.copies = count(1)
        self.varies: Any = None
        monkeypatch.setattr(page_cache, "database_version", lambda: self.version)
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def view(self, request: HttpRequest, *_parts: str) -> HttpResponse:
        return HttpResponse(f"copy {next(self.copies)}")

    def ask(self, path: str = "/page/", method: str = "get", **options: Any) -> HttpResponse:
        """Request the page with these headers (`HTTP_...`) and cookies."""
        headers = {name: options.pop(name) for name in list(options) if name.startswith("HTTP_")}
        headers["secure"] = options.pop("secure", False)
        request: HttpRequest = getattr(RequestFactory(), method)(path, **headers)
        request.COOKIES.update(options)
        self.environ = request.META
        page = shared_page(10, varies=lambda _request: self.varies)(self.view)(request, "part")
        assert isinstance(page, HttpResponse)
        return page

    def text(self, **options: Any) -> str:
        return self.ask(**options).content.decode()


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Press:
    return Press(monkeypatch)


def test_visitors_share_a_page_until_the_database_changes(press: Press) -> None:
    assert [press.text(), press.text(), press.text(theme="")] == ["copy 1"] * 3
    press.version = 2
    assert [press.text(), press.text()] == ["copy 2"] * 2
    press.version = 1  # as another connection may report it
    assert press.text() == "copy 3"


def test_shared_page_is_rendered_again_after_its_maximum_age(press: Press) -> None:
    told = []
    for seconds in (0, 9.9, 10, 19.9, 20, 19):
        press.now = NOW + dt.timedelta(seconds=seconds)
        told.append(press.text())
    assert told == ["copy 1", "copy 1", "copy 2", "copy 2", "copy 3", "copy 4"]


def test_server_may_send_a_page_only_until_its_maximum_age(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time since the page was rendered counts, not since the last request."""
    monkeypatch.setattr(page_cache, "monotonic", lambda: 1000.0)
    told = []
    for seconds in (0, 4, 9.5, 10, 12):
        press.now = NOW + dt.timedelta(seconds=seconds)
        told.append((press.text(), press.environ[SHARED].until))
    assert told == [
        ("copy 1", 1010.0),
        ("copy 1", 1006.0),
        ("copy 1", 1000.5),
        ("copy 2", 1010.0),
        ("copy 2", 1008.0),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"sessionid": "a"},
        {"messages": "saved"},
        {"path": "/page/?sort=name"},
        {"method": "head"},
        {"HTTP_HX_REQUEST": "true"},
    ],
    ids=str,
)
def test_personal_or_unusual_requests_do_not_use_the_shared_page(
    press: Press, options: dict[str, Any]
) -> None:
    assert press.text() == "copy 1"
    assert [press.text(**options), press.text(**options)] == ["copy 2", "copy 3"]
    assert SHARED not in press.environ
    assert press.text() == "copy 1"


@pytest.mark.parametrize(
    "options",
    [
        {"path": "/other/"},
        {"theme": "dark"},
        {"zone": "Europe/Madrid"},
        {"HTTP_ACCEPT_ENCODING": "gzip"},
        {"HTTP_HOST": "localhost"},
        {"secure": True},
    ],
    ids=str,
)
def test_requests_with_different_pages_do_not_share_a_page(
    press: Press, options: dict[str, Any]
) -> None:
    told = [press.ask(**each).content for each in ({}, dict(options), {}, dict(options))]
    assert told[:2] == told[2:]
    assert told[0] != told[1]


def test_shared_page_depends_on_language_and_on_values_of_the_view(press: Press) -> None:
    told = {press.text()}
    with translation.override("es"):
        told.add(press.text())
    press.varies = "local"
    told.add(press.text())
    assert told == {"copy 1", "copy 2", "copy 3"}


def with_token(request: HttpRequest) -> HttpResponse:
    return HttpResponse(get_token(request))


def with_cookie(_request: HttpRequest) -> HttpResponse:
    response = HttpResponse("page")
    response.set_cookie("seen", "1")
    return response


REFUSED: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "a form": with_token,
    "a cookie": with_cookie,
    "a redirect": lambda _request: HttpResponseRedirect("/"),
    "an error": lambda _request: HttpResponse(status=404),
}


@pytest.mark.parametrize("what", REFUSED)
def test_responses_for_a_single_visitor_are_not_shared(
    press: Press, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    asked = count()
    view = REFUSED[what]
    monkeypatch.setattr(press, "view", lambda request, *_parts: (next(asked), view(request))[1])
    for _ in range(2):
        press.ask(csrftoken="a" * 32)
        assert SHARED not in press.environ
    assert next(asked) == 2


def test_shared_page_is_compressed_once_and_keeps_its_headers(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        press, "view", lambda *_: HttpResponse("page", headers={"ETag": 'W/"1"', "Vary": "Cookie"})
    )
    for _ in range(2):
        response = press.ask(HTTP_ACCEPT_ENCODING="gzip")
        assert gzip.decompress(response.content) == b"page"
        assert (response["Content-Encoding"], response["ETag"]) == ("gzip", 'W/"1"')
        assert response["Vary"] == "Cookie, Accept-Encoding"
    again = press.ask(HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH='W/"1"')
    assert (again.status_code, again.content) == (304, b"")


def test_page_is_not_shared_without_a_database_version(press: Press) -> None:
    press.version = None
    assert [press.text(), press.text()] == ["copy 1", "copy 2"]


def test_page_is_not_shared_in_debug_mode(press: Press, settings: Settings) -> None:
    settings.DEBUG = True
    assert [press.text(), press.text()] == ["copy 1", "copy 2"]


def test_unreadable_database_file_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def execute(self, statement: str) -> None:
            raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(page_cache, "_reader", lambda name: Broken())
    assert page_cache.file_version() is None


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_database_version_changes_within_a_transaction_on_postgresql() -> None:
    if connection.vendor == "sqlite":
        assert database_version() is None  # a database in memory has no version
        return
    # The version counts all databases of the server, to which other tests may write. So it must be
    # stable first.
    wait_until(lambda: database_version() == database_version())
    before = database_version()
    with transaction.atomic():
        User.objects.create_user("one")
        assert (within := database_version()) != before
        User.objects.create_user("two")
        assert database_version() != within


def test_database_version_changes_only_with_committed_writes(shared: str) -> None:
    with opened(shared):
        assert database_version() is not None

        def unchanged_by_reading() -> bool:
            before = database_version()
            list(User.objects.all())
            return database_version() == before

        # PostgreSQL sometimes writes by itself, so the comparison is repeated.
        wait_until(unchanged_by_reading)
        versions = [database_version()]
        User.objects.create_user("one")
        versions.append(database_version())
        User.objects.update(first_name="Uno")
        versions.append(database_version())
        assert len(set(versions)) == 3
        if connection.vendor == "sqlite":
            with transaction.atomic():  # uncommitted changes must not be shared
                assert database_version() is None


def test_compressed_page_of_a_view_is_not_compressed_again(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = gzip.compress(b"page", mtime=0)
    headers = {"Content-Encoding": "gzip"}
    monkeypatch.setattr(press, "view", lambda *_: HttpResponse(packed, headers=headers))
    for _ in range(2):
        response = press.ask(HTTP_ACCEPT_ENCODING="gzip")
        assert (response.content, response["Content-Encoding"]) == (packed, "gzip")


def test_age_of_a_page_counts_from_before_it_was_rendered(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its content may depend on the time at which rendering began."""

    def slow(_request: HttpRequest, *_parts: str) -> HttpResponse:
        press.now += dt.timedelta(seconds=4)
        return HttpResponse(f"copy {next(press.copies)}")

    monkeypatch.setattr(press, "view", slow)
    told = [press.text()]
    press.now += dt.timedelta(seconds=6)
    told.append(press.text())
    assert told == ["copy 1", "copy 2"]
