"""Pages cached under a key that contains everything they depend on."""

from __future__ import annotations

import gzip
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import translation

from accounts.wording import WordingMiddleware
from core.page_cache import PageKey, cached_response


class Press:
    """A view whose content is the number of times it was rendered."""

    def __init__(self) -> None:
        self.copies = count(1)

    def ask(self, *marks: int, common: bool = True, **options: Any) -> HttpResponse:
        """Request the page at `path`, with cache name `name`, for `user`; other options are
        cookies.
        """
        path, name = options.pop("path", "/page/"), options.pop("name", "page")
        brief = options.pop("brief", False)
        request = RequestFactory().get(path, **options.pop("headers", {}))
        if "user" in options:
            request.user = options.pop("user")
        request.COOKIES.update(options)
        keeping = PageKey(name=name, marks=marks, common=common, brief=brief)

        def view(request: HttpRequest) -> HttpResponse:
            return cached_response(request, keeping, lambda: f"copy {next(self.copies)}")

        return WordingMiddleware(view)(request)


def test_anonymous_visitors_share_a_cached_page_until_its_version_changes() -> None:
    press = Press()
    assert [press.ask(1).content for _ in range(2)] == [b"copy 1"] * 2
    assert press.ask(2).content == b"copy 2"


def test_each_session_has_its_own_cached_page() -> None:
    press = Press()
    seen = [press.ask(1), press.ask(1, sessionid="a"), press.ask(1, sessionid="b")]
    assert len({one.content for one in seen}) == 3
    assert press.ask(1, sessionid="a").content == seen[1].content


def test_each_language_theme_and_wording_has_its_own_cached_page() -> None:
    press = Press()
    first = press.ask(1).content
    with translation.override("es"):
        assert press.ask(1).content != first
    assert press.ask(1, theme="dark").content != first
    assert press.ask(1, wording="bloodless").content != first
    assert press.ask(1, wording="anything else").content == first


def test_page_with_common_false_is_not_cached() -> None:
    press = Press()
    assert press.ask(1, common=False).content != press.ask(1, common=False).content


def test_browser_with_the_current_etag_gets_304() -> None:
    press = Press()
    first = press.ask(1)
    again = press.ask(1, headers={"HTTP_IF_NONE_MATCH": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_cached_page_is_compressed_if_the_browser_accepts_gzip() -> None:
    press = Press()
    packed = press.ask(1, headers={"HTTP_ACCEPT_ENCODING": "br, gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == b"copy 1"
    assert "Content-Encoding" not in press.ask(1, headers={"HTTP_ACCEPT_ENCODING": "gzip;q=0"})


def with_notices(unread: int) -> Any:
    return SimpleNamespace(unread=unread)


MINE = {"sessionid": "a"}
OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "another address": ({}, {"path": "/other/"}),
    "another query": ({}, {"path": "/page/?page=2"}),
    "another kind of page": ({}, {"name": "else"}),
    "another theme": ({"theme": "dark"}, {"theme": "light"}),
    "bloodless and not": ({"wording": "bloodless"}, {"wording": "anything else"}),
    "another session": (MINE, {"sessionid": "b"}),
    "a session and none": (MINE, {}),
    "a message to show": ({}, {"messages": "saved"}),
    "another message": ({"messages": "saved"}, {"messages": "deleted"}),
    "a session and a message of this text": (MINE, {"messages": "a"}),
    "a message besides the session": (MINE, {**MINE, "messages": "saved"}),
    "more unread notices": (
        {**MINE, "user": with_notices(0)},
        {**MINE, "user": with_notices(1)},
    ),
    "packed and plain": ({"headers": {"HTTP_ACCEPT_ENCODING": "gzip"}}, {}),
}


@pytest.mark.parametrize("case", OTHERS)
def test_requests_with_different_pages_use_different_cache_entries(case: str) -> None:
    press = Press()
    one, other = OTHERS[case]
    told = [press.ask(1, **dict(each)).content for each in (one, other, one, other)]
    assert told[:2] == told[2:]
    assert told[0] != told[1]


SAME: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "any wording but one": ({"wording": "plain"}, {}),
    "a cookie that changes nothing": ({"csrftoken": "x"}, {}),
    "a stranger who has no notices": ({"user": with_notices(0)}, {"user": with_notices(3)}),
    "a session before anybody is known": (MINE, {**MINE, "user": with_notices(0)}),
    "other ways to ask for gzip": (
        {"headers": {"HTTP_ACCEPT_ENCODING": "gzip"}},
        {"headers": {"HTTP_ACCEPT_ENCODING": "br;q=1.0, gzip;q=0.8"}},
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_requests_with_the_same_page_share_a_cache_entry(case: str) -> None:
    press = Press()
    one, other = (press.ask(1, **dict(each)) for each in SAME[case])
    assert one.content == other.content
    assert one["ETag"] == other["ETag"]


@pytest.mark.parametrize("gone", ["default", "near"])
def test_page_is_found_in_either_of_the_two_caches(gone: str) -> None:
    press = Press()
    first = press.ask(1).content
    caches[gone].clear()
    assert press.ask(1).content == first


def test_page_from_the_shared_cache_is_copied_to_the_local_cache() -> None:
    press = Press()
    first = press.ask(1).content
    caches["near"].clear()
    press.ask(1)
    caches["default"].clear()
    assert press.ask(1).content == first


def test_page_with_common_false_is_in_neither_cache() -> None:
    press = Press()
    etag = press.ask(1, common=False)["ETag"]
    key = etag.removeprefix('W/"').removesuffix('"') + ":plain"
    assert [caches[name].get(key) for name in ("default", "near")] == [None, None]
    press.ask(1)
    assert [caches[name].get(key) for name in ("default", "near")] == [b"copy 2"] * 2


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("deflate,gzip", True),
        ("gzip;q=0.001", True),
        ("gzip;q=0.0, br", False),
        ("gzip ; q=0", False),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_is_used_only_if_the_request_accepts_it(accepted: str, packed: bool) -> None:
    answer = Press().ask(1, headers={"HTTP_ACCEPT_ENCODING": accepted})
    assert (answer.get("Content-Encoding") == "gzip") is packed
    assert (gzip.decompress(answer.content) if packed else answer.content) == b"copy 1"
    assert answer["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
    assert answer["Cache-Control"] == "private, no-cache"


def test_outdated_etag_gets_the_new_page_and_both_encodings_share_an_etag() -> None:
    press = Press()
    plain = press.ask(1)
    packed = press.ask(1, headers={"HTTP_ACCEPT_ENCODING": "gzip"})
    assert plain["ETag"] == packed["ETag"]
    assert plain["ETag"].startswith('W/"page:')
    assert press.ask(2, headers={"HTTP_IF_NONE_MATCH": plain["ETag"]}).status_code == 200


def test_compressed_page_does_not_depend_on_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed = []
    for instant in (1.0, 10.0**9):
        monkeypatch.setattr("time.time", lambda instant=instant: instant)
        asked = Press().ask(1, common=False, headers={"HTTP_ACCEPT_ENCODING": "gzip"})
        packed.append(asked.content)
    assert packed[0] == packed[1]


def test_brief_page_is_only_in_the_memory_of_the_process() -> None:
    """A page of the same key in the shared cache is not used."""
    press = Press()
    etag = press.ask(1, brief=True)["ETag"]
    key = etag.removeprefix('W/"').removesuffix('"') + ":plain"
    assert [caches[name].get(key) for name in ("default", "near")] == [None, b"copy 1"]
    caches["near"].clear()
    caches["default"].set(key, b"stored by another process")
    assert press.ask(1, brief=True).content == b"copy 2"
    assert press.ask(1, brief=True).content == b"copy 2"
