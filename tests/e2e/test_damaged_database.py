"""If the database file is damaged while the site runs, it answers 503 until a good file is back."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.site import Site
from tests.waiting import wait_until

PAGES = ["/", "/escalafon/", "/toros/1/", "/leagues/", "/buscar/?q=a", "/api/v1/leagues/"]
# A query on a table that does not exist.
STREAM = "/live/table-en/1/"


def fill_with_noise(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(os.urandom(file.stat().st_size))


def truncate(file: Path) -> None:
    os.truncate(file, 0)


def write_text(file: Path) -> None:
    file.write_text("not a database\n" * 1000)


def copy_another(file: Path) -> None:
    other = file.with_name("other.sqlite3")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE a (b)")
        connection.executemany("INSERT INTO a VALUES (?)", [("x" * 1000,)] * 3000)
        connection.commit()
    shutil.copyfile(other, file)


@pytest.fixture
def running(tmp_path: Path, prepared: Path) -> Iterator[Site]:
    site = Site(tmp_path / "data", prepared)
    site.start()
    yield site
    site.stop()


def fetch_page(site: Site, path: str) -> tuple[int, str]:
    try:
        with urlopen(site.url + path, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.parametrize(
    "damage",
    [
        fill_with_noise,
        pytest.param(truncate, marks=pytest.mark.nightly),
        pytest.param(write_text, marks=pytest.mark.nightly),
        pytest.param(copy_another, marks=pytest.mark.nightly),
    ],
)
def test_site_answers_503_until_the_database_file_is_repaired(
    running: Site, damage: Callable[[Path], None]
) -> None:
    file, good = running.data / "temporada.sqlite3", running.data / "good.sqlite3"
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(good)) as target:
        source.backup(target)
    assert {fetch_page(running, path)[0] for path in PAGES} == {200}

    damage(file)
    met: list[tuple[int, str]] = []

    def is_noticed() -> bool:
        met.extend(fetch_page(running, path) for path in [*PAGES, STREAM])
        return 503 in {status for status, _page in met[-len(PAGES) - 1 :]}

    # Cached pages, and rows that are still in the database's log, can be read for a while.
    wait_until(is_noticed)
    for _ in range(3):
        is_noticed()
    assert {status for status, _page in met} <= {200, 404, 503}
    if damage is not copy_another:  # SQLite may only report a lock
        assert "The site’s database can’t be read." in "".join(page for _status, page in met)
        assert "Stop the site, restore a backup" in running.output.read_text()

    shutil.copyfile(good, file)
    wait_until(lambda: all(fetch_page(running, path)[0] == 200 for path in PAGES))
    assert fetch_page(running, STREAM)[0] == 404
