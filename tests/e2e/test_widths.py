"""No page is wider than a phone, even with the longest names of people and leagues."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest

from tests.browser import new_context
from tests.deployment.test_upgrade import RELEASES, unpacked
from tests.e2e.conftest import PHONE
from tests.e2e.test_every_page import width
from tests.site import Site, prepare
from tools.scripts.serving import manage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Script that gives people and a league the longest possible names and signs the organiser in.
NAMES = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.models import User
from leagues.models import League, Player
word = "Wolfeschlegelsteinhausenbergerdorffvillanuevadelaconcepcion"
Player.objects.filter(slug="ana").update(name=word)
Player.objects.filter(slug="blas").update(name=word[::-1])
League.objects.filter(slug="liga-dominoes").update(name=word)
boss = User.objects.get(username="boss")
User.objects.filter(pk=boss.pk).update(is_superuser=True, is_staff=True)
session = SessionStore()
session[SESSION_KEY] = str(boss.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = boss.get_session_auth_hash()
session.save()
print(session.session_key)
"""

ROOTS = ("/", "/leagues/", "/dominoes/", "/eltoro/", "/circuitos/", "/players/ana/", "/direccion/")
# Number of pages visited in one pass. A site has about 250 kinds of pages.
MOST = 400
AWAY = ("/admin/", "/live/", "/api/", "/accounts/logout/", "/static/", "/i18n/")
# Number of visited pages of one kind.
OFTEN = 2
SAMPLE = (
    "/leagues/",
    "/leagues/liga-dominoes/",
    "/leagues/liga-dominoes/rules/",
    "/leagues/todos-contra-todos/fixtures/",
    "/players/ana/",
    "/matches/1/",
    "/matches/new/dominoes/",
    "/tables/1/",
)


@pytest.fixture(scope="module")
def visitor(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The organiser's phone, on a site with matches, leagues and corridas of all kinds."""
    site = Site(unpacked(RELEASES[-1], tmp_path_factory.mktemp("widths") / "data"))
    prepare(site.data)
    told = manage(site.environment(), "shell", "--no-imports", "-c", NAMES)
    site.start()
    try:
        key = told.split()[-1]
        context = new_context(browser, base_url=site.url, viewport=PHONE, locale="en-GB")
        context.add_cookies([{"name": f"sessionid_{site.port}", "value": key, "url": site.url}])
        yield context.new_page()
        context.close()
    finally:
        site.stop()


@pytest.mark.parametrize("way", SAMPLE)
def test_long_names_and_digests_fit_on_a_phone(visitor: Page, way: str) -> None:
    answer = visitor.goto(way)
    assert answer is not None
    assert answer.ok
    assert width(visitor) == (0, "")


def kind_of(path: str) -> str:
    """Return what the addresses of pages have in common that differ only in their row."""
    rows = r"/(matadores|plazas|ganaderias|players|leagues|circuitos|temporada/\d+)/[^/]+"
    return re.sub(r"\d+", "0", re.sub(rows, r"/\1/x", path))


def links(page: Page) -> Iterator[str]:
    """Return the site's pages to which a page links, without query strings."""
    script = "[...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href'))"
    for link in page.evaluate(script):
        found = urlsplit(urljoin(page.url, link))
        if found.netloc == urlsplit(page.url).netloc and not found.path.startswith(AWAY):
            yield found.path


@pytest.mark.nightly
def test_no_page_of_the_site_is_wider_than_a_phone(visitor: Page) -> None:
    waiting, seen, kinds = list(ROOTS), set[str](), Counter[str]()
    wide: list[tuple[str, tuple[int, str]]] = []
    while waiting and len(kinds) < MOST:
        path = waiting.pop(0)
        kind = kind_of(path)
        if path in seen or kinds[kind] == OFTEN:
            continue
        seen.add(path)
        kinds[kind] += 1
        kind_of_file = visitor.request.head(path).headers.get("content-type", "")
        if "text/html" not in kind_of_file:
            continue
        visitor.goto(path, wait_until="domcontentloaded")
        if width(visitor)[0]:
            wide.append((path, width(visitor)))
        waiting += links(visitor)
    assert wide == []
    assert len(kinds) > 60
