"""Pages kept under a key of all they depend on."""

from __future__ import annotations

import gzip
from itertools import count
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import translation
from pytest_django import Settings

from kept import Keeping, kept_page


@pytest.fixture(autouse=True)
def _near(settings: Settings) -> None:
    settings.CACHES = {
        name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
        for name in ("default", "near")
    }
    for name in ("default", "near"):
        caches[name].clear()


class Press:
    """Prints a page, each copy numbered."""

    def __init__(self) -> None:
        self.copies = count(1)

    def ask(self, *marks: int, common: bool = True, **options: Any) -> HttpResponse:
        request = RequestFactory().get("/page/", **options.pop("headers", {}))
        request.COOKIES.update(options)
        keeping = Keeping(name="page", marks=marks, common=common)
        return kept_page(request, keeping, lambda: f"copy {next(self.copies)}")


def test_strangers_share_what_is_kept_and_a_new_mark_prints_anew() -> None:
    press = Press()
    assert [press.ask(1).content for _ in range(2)] == [b"copy 1"] * 2
    assert press.ask(2).content == b"copy 2"


def test_who_is_signed_in_has_a_page_of_their_own() -> None:
    press = Press()
    seen = [press.ask(1), press.ask(1, sessionid="a"), press.ask(1, sessionid="b")]
    assert len({one.content for one in seen}) == 3
    assert press.ask(1, sessionid="a").content == seen[1].content


def test_each_language_theme_and_wording_has_its_own() -> None:
    press = Press()
    first = press.ask(1).content
    with translation.override("es"):
        assert press.ask(1).content != first
    assert press.ask(1, theme="dark").content != first
    assert press.ask(1, wording="bloodless").content != first
    assert press.ask(1, wording="anything else").content == first


def test_what_anybody_can_make_up_is_not_kept() -> None:
    press = Press()
    assert press.ask(1, common=False).content != press.ask(1, common=False).content


def test_a_browser_that_has_it_is_told_so() -> None:
    press = Press()
    first = press.ask(1)
    again = press.ask(1, headers={"HTTP_IF_NONE_MATCH": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_packed_for_who_can_unpack_it() -> None:
    press = Press()
    packed = press.ask(1, headers={"HTTP_ACCEPT_ENCODING": "br, gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == b"copy 1"
    assert "Content-Encoding" not in press.ask(1, headers={"HTTP_ACCEPT_ENCODING": "gzip;q=0"})
