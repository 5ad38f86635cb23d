"""Pages cached for all visitors are up to date as soon as another process has written to the
database.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from urllib.request import Request, urlopen

from tests.e2e.book import query_rows
from tests.site import Site
from tests.waiting import PATIENCE


def read(site: Site, path: str) -> tuple[str, str]:
    """Return a page as another visitor gets it, and the id of the request."""
    request = Request(site.url + path, headers={"Via": "1.1 elsewhere", "Accept-Language": "en"})
    with urlopen(request) as response:
        return response.read().decode(), response.headers["X-Request-ID"]


def rename(site: Site, slug: str, name: str) -> None:
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(file, timeout=PATIENCE)) as rows, rows:
        rows.execute("UPDATE corridas_plaza SET name = ? WHERE slug = ?", [name, slug])


def test_cached_page_shows_changes_to_every_visitor_at_once(site: Site) -> None:
    ((slug, name),) = query_rows(
        site, "SELECT slug, name FROM corridas_plaza ORDER BY slug LIMIT 1"
    )
    path = f"/plazas/{slug}/"
    ids = set()
    for called in ("La Primera", "La Segunda", "La Tercera", name):
        rename(site, slug, called)
        for _visitor in range(3):
            page, identity = read(site, path)
            assert called in page
            ids.add(identity)
    assert len(ids) == 12


def test_only_a_local_visitor_is_offered_to_become_the_director(site: Site) -> None:
    offer = "Become the director"
    for _again in range(3):
        assert offer not in read(site, "/")[0]
        with urlopen(Request(site.url + "/", headers={"Accept-Language": "en"})) as response:
            assert offer in response.read().decode()
