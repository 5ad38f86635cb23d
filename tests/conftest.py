"""Fixtures for all tests, such as databases, Valkey, Chromium and a running site."""

import gc
import importlib
import os
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from django.core.cache import cache
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import connections
from django.utils import translation
from django.utils.translation.reloader import translation_file_changed
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from config.celery import app as celery_app
from config.translations import compile_catalogues
from server.environment import broker
from server.valkey import Valkey
from tests.browser import headless_chromium, launch
from tests.databases import (
    Copies,
    Filling,
    Postgres,
    Stored,
    copy_of,
    migrated_file,
    name_of,
    open_in_memory,
    seeded,
)
from tests.properties import examples
from tests.site import Site, prepare
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NO_BROWSER = "no Chromium found"
# Paths of the tests that also run on PostgreSQL, because they use locks, constraints, raw SQL or
# search.
MAY_DIFFER = re.compile(
    r"tests/(corridas/(admin/test_(lists|clock)|circuits|roster|pages/roster/test_pages"
    r"|(season|tabletop)/test_|simulation/test_circuits_evening|test_permissions)"
    r"|events|api/test_at_once|core/jobs"
    r"|leagues/(queries|ratings|standings|test_(permissions|recording))|search/test_(index|page))"
)

# Whether property tests draw new examples in each run. Otherwise every run tries the same examples.
EXPLORING = bool(os.environ.get("EXPLORE"))

# Examples have no deadline: on a busy machine a slow example is not an error.
hypothesis.settings.register_profile(
    "house", deadline=None, derandomize=not EXPLORING, max_examples=examples(100)
)
hypothesis.settings.load_profile("house")


# Garbage collection is off while pytest collects the tests, where it takes a sixth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Exclude the collected tests from later garbage collections."""
    gc.freeze()
    gc.enable()


def pytest_configure() -> None:
    """Compile the translations before any test uses them."""
    for compiled in compile_catalogues(Path(__file__).parents[1] / "locale"):
        translation_file_changed(None, compiled)  # English was loaded when Django was set up
    _take_out_the_old_finder()


def _take_out_the_old_finder() -> None:
    """Remove pygal's outdated plugin finder from `sys.meta_path`, because it breaks pytest."""
    importlib.import_module("pygal")
    sys.meta_path[:] = [
        finder for finder in sys.meta_path if type(finder).__name__ != "PluginImportFixer"
    ]


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def _within_one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the clock of the rate limits.

    Their counters restart every minute, which could happen during a test.
    """
    clock = SimpleNamespace(time=lambda: 1_800_000_010.0)
    monkeypatch.setattr("core.limits.rate_limits.time", clock)


@pytest.fixture(autouse=True)
def _seeds_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """Derive all seeds of a test from its name, so that a failure can be reproduced.

    Processes of the site that a test starts still use random seeds of the operating system.
    """
    with seeded(request.node.nodeid):
        yield


@pytest.fixture(scope="session")
def migrated(pytestconfig: pytest.Config, django_db_blocker: DjangoDbBlocker) -> Path:
    """Return a SQLite file with all tables and no rows. Tests must not write to it."""
    with django_db_blocker.unblock():
        return migrated_file(pytestconfig.cache.mkdir("databases"))


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """Return the storage for data that fixtures build once in a run for all xdist workers."""
    folder = tmp_path_factory.getbasetemp()
    return Stored(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture(scope="session")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    """Return a PostgreSQL server with the empty, migrated database `migrated`."""
    server = Postgres()
    with django_db_blocker.unblock():
        server.migrated()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    migrated: Path,
) -> Iterator[None]:
    """Use a copy of the migrated database as the default database of the tests."""
    connection = connections["default"]
    if connection.vendor == "sqlite":
        with django_db_blocker.unblock():
            open_in_memory(migrated)
        yield
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = server.copy("migrated")
    connection.settings_dict["NAME"] = name_of(url)
    yield
    with django_db_blocker.unblock():
        connection.close()
    server.drop(url)


@pytest.fixture
def unblocked(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Allow database access in tests that open their own connections."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture(scope="session")
def filling() -> Filling:
    """Describe the contents of `copies` and `shared`: empty tables, unless a folder's conftest
    overrides it.
    """
    return Filling("migrated", lambda: None)


@pytest.fixture
def copies(
    stored: Stored, migrated: Path, filling: Filling, tmp_path: Path, unblocked: None
) -> Copies:
    """Return a function that makes a new SQLite copy for this test and returns its URL."""
    file = stored.file(filling.name, migrated, filling.build)
    numbers = count()
    return lambda: copy_of(file, tmp_path / f"{next(numbers)}.sqlite3")


@pytest.fixture
def postgres_template(postgres: Postgres, filling: Filling, unblocked: None) -> str:
    """Return the name of a PostgreSQL database with the same contents as `copies`."""
    return postgres.template(filling.name, filling.build, source="migrated")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def shared(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database of this test that several threads and processes may open."""
    if request.param == "sqlite":
        make: Copies = request.getfixturevalue("copies")
        return make()
    template: str = request.getfixturevalue("postgres_template")
    server: Postgres = request.getfixturevalue("postgres")
    return server.copy(template)


@pytest.fixture(scope="session")
def valkey_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """Start one Valkey server for all tests of a process."""
    server = Valkey(tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _all_answered(request: pytest.FixtureRequest, _live_server_helper: None) -> Iterator[None]:
    """Wait for the live server to finish all responses before the tables are emptied.

    The last click of a browser test may request a page that is still being written and that locks
    rows.
    """
    if "live_server" not in request.fixturenames:
        yield
        return
    begun, ended = list[object](), list[object]()

    def of_the_server(sender: object) -> bool:  # the test client has another handler
        return isinstance(sender, type) and issubclass(sender, WSGIHandler)

    def begin(sender: object, **_told: object) -> None:
        if of_the_server(sender):
            begun.append(sender)

    def end(sender: object, **_told: object) -> None:
        if of_the_server(sender):
            ended.append(sender)

    request_started.connect(begin)
    request_finished.connect(end)
    yield
    wait_until(lambda: len(begun) == len(ended), "The live server still answers.")
    request_started.disconnect(begin)
    request_finished.disconnect(end)


@pytest.fixture
def valkey(valkey_server: Valkey, settings: Settings) -> Iterator[str]:
    """Return the URL of an empty Valkey, which cache, Celery and live feed use in this test."""
    from redis import Redis

    Redis.from_url(valkey_server.url).flushall()
    settings.REDIS_URL = valkey_server.url
    settings.CACHES = {
        "default": {
            "BACKEND": "config.cache.FaultTolerantRedisCache",
            "LOCATION": valkey_server.url,
        }
    }
    before = celery_app.conf.broker_url
    celery_app.conf.update(broker_url=broker(valkey_server.url))
    yield valkey_server.url
    celery_app.conf.update(broker_url=before)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Start a headless Chromium.

    Without Chromium the tests are skipped, which the summary reports. In CI they fail.
    """
    executable = headless_chromium()
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    with launch(executable) as started:
        yield started


@pytest.fixture(scope="session")
def prepared(stored: Stored) -> Path:
    """Return the data folder of a site after its first start. Tests must not write to it."""
    return stored.directory("prepared", prepare)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    """Start the whole site with `manage.py up`, with only its bundled data."""
    running = Site(tmp_path_factory.mktemp("site") / "data", prepared)
    running.start()
    yield running
    running.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start a new site if a test is repeated, because the first attempt left accounts and leagues
    there.
    """
    if getattr(item, "execution_count", 1) > 1 and isinstance(item, pytest.Function):
        request: Any = item._request
        for site in item._fixtureinfo.name2fixturedefs.get("site", ()):
            site.finish(request)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need PostgreSQL, those that also run on it, and those that run on this
    database only at night.
    """
    for item in items:
        names = getattr(item, "fixturenames", ())
        rows = "db" in names or item.get_closest_marker("django_db")
        if rows and MAY_DIFFER.search(str(item.path)):
            item.add_marker(pytest.mark.databases)
        if "postgres" in names:
            item.add_marker(pytest.mark.postgres)
        at_night = item.get_closest_marker("nightly_on")
        if at_night and connections["default"].vendor in at_night.args:
            item.add_marker(pytest.mark.nightly)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many tests were skipped because Chromium is missing."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    if missed := sum(NO_BROWSER in told for told in skipped):
        terminalreporter.write_line(
            f"SKIPPED for want of Chromium: {missed} tests "
            "(tools/scripts/install-for-walk tries to install it).",
            yellow=True,
        )


@pytest.fixture(autouse=True)
def _default_language() -> Iterator[None]:
    """Reset the language after a test, because a request in Spanish leaves its thread in
    Spanish.
    """
    yield
    translation.deactivate()
