"""Two sites on one machine in one browser, which sends the cookies of each to both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.site import Site

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def both(tmp_path: Path, prepared: Path) -> Iterator[tuple[Site, Site]]:
    with ExitStack() as stack:
        sites = Site(tmp_path / "one", prepared), Site(tmp_path / "other", prepared)
        for site in sites:
            stack.callback(site.stop)
            site.start()
        yield sites


class Browser:
    """A simulated browser, which distinguishes hosts but not ports."""

    def __init__(self) -> None:
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def read(self, address: str, **fields: str) -> str:
        """Return a page, or the page after submitting its form with these fields."""
        with self._opener.open(address) as answer:
            page: str = answer.read().decode()
        if not fields:
            return page
        token = TOKEN.search(page)
        assert token
        return self.send(address, token=token[1], **fields)

    def send(self, address: str, *, token: str, **fields: str) -> str:
        data = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self._opener.open(address, data) as answer:
            text: str = answer.read().decode()
            return text

    def take_the_chair(self, site: Site) -> None:
        token = TOKEN.search(self.read(f"{site.url}/accounts/preferences/"))
        assert token
        self.send(f"{site.url}/accounts/chair/", token=token[1])


@pytest.mark.nightly
def test_two_sites_do_not_share_sessions_or_preferences(both: tuple[Site, Site]) -> None:
    browser, (one, other) = Browser(), both
    wishes = {"language": "es", "theme": "dark", "bloodless": "on", "zone": "America/Lima"}
    browser.take_the_chair(one)
    browser.take_the_chair(other)
    browser.read(f"{other.url}/accounts/preferences/", **wishes)
    pages = [browser.read(f"{site.url}/accounts/preferences/") for site in both]
    assert ['<html lang="en"' in page for page in pages] == [True, False]
    assert ['data-theme="dark"' in page for page in pages] == [False, True]
    for site in both:
        assert "director" in browser.read(f"{site.url}/accounts/profile/")
