"""A full disk: errors that indicate it, the responses of the site, and what still works."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from django.utils import timezone
from psycopg.errors import DiskFull
from pytest_django import Settings
from redis import Redis

from accounts.models import Notice, User
from api.keys.operations import make_token
from api.models import Token
from core import disk
from core.disk import DiskSpace, disk_space, hold_database_open, is_full
from server.health import notifications
from server.valkey import RESTARTS_KEY


def full_device() -> None:
    with Path("/dev/full").open("wb", buffering=0) as file:
        file.write(b"0")


def full_file() -> None:
    with sqlite3.connect(":memory:") as line:
        line.execute("PRAGMA max_page_count = 2")
        line.execute("CREATE TABLE a (b)")
        line.execute("INSERT INTO a VALUES (zeroblob(100000))")


def no_table() -> None:
    with sqlite3.connect(":memory:") as line:
        line.execute("SELECT 1 FROM nowhere")


def no_file() -> None:
    Path("/nowhere/at/all").read_bytes()


def nowhere_to_open() -> None:
    sqlite3.connect("/nowhere/at/all")


def raised(act: object) -> Exception:
    assert callable(act)
    with pytest.raises((OSError, sqlite3.Error)) as caught:
        act()
    return caught.value


@pytest.mark.parametrize(
    ("act", "full"),
    [
        (full_device, True),
        (full_file, True),
        (no_table, False),
        (no_file, False),
        (nowhere_to_open, False),
    ],
)
def test_errors_of_a_full_disk_are_recognised(act: object, *, full: bool) -> None:
    assert is_full(raised(act)) is full


def test_ambiguous_error_counts_as_disk_full_if_no_space_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk, "MIN_FREE_BYTES", 2**60)
    assert is_full(raised(nowhere_to_open))
    assert not is_full(raised(no_table))


def test_cause_of_an_error_is_checked_for_a_full_disk() -> None:
    error = OperationalError("cannot write")
    error.__cause__ = raised(full_device)
    assert is_full(error)


def test_disk_full_error_of_postgresql_is_recognised() -> None:
    error = OperationalError("could not extend file")
    error.__cause__ = DiskFull("could not extend file")
    assert is_full(error)


@pytest.mark.parametrize(
    ("free", "total", "scarce"),
    [
        (4, 100, True),
        (6, 100, False),
        (2 * 1024**3, 1024**4, False),
        (1024**3 - 1, 1024**4, True),
    ],
)
def test_low_disk_space_is_a_share_of_the_disk_but_at_most_a_fixed_amount(
    free: int, total: int, *, scarce: bool
) -> None:
    assert DiskSpace(free, total).is_scarce is scarce


def test_open_connection_keeps_the_wal_files_that_readers_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.sqlite3"
    other = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": file})
    monkeypatch.setattr(disk, "connection", other)
    assert hold_database_open() is None
    assert not file.exists()
    with sqlite3.connect(file) as line:
        line.execute("PRAGMA journal_mode=WAL")
        line.execute("CREATE TABLE a (b)")
    line.close()
    assert not Path(f"{file}-wal").exists()
    kept = hold_database_open()
    assert kept is not None
    sqlite3.connect(file).close()
    assert Path(f"{file}-wal").exists()
    assert Path(f"{file}-shm").exists()
    kept.close()


@contextmanager
def filled() -> Iterator[None]:
    """Limit the SQLite database to its present number of pages and fill these."""
    if connection.vendor != "sqlite":
        pytest.skip("Only SQLite can limit the size of its database.")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE ballast (b)")
        (before,) = cursor.execute("PRAGMA max_page_count").fetchone()
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        size = 1 << 16
        while size > 16:
            try:
                cursor.execute("INSERT INTO ballast VALUES (zeroblob(%s))", [size])
            except DatabaseError:
                size //= 2
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {before}")
            cursor.execute("DROP TABLE ballast")


def until_refused(act: Callable[[], Any], *, written: int) -> Any:
    """Repeat an action until its status differs from `written`, and return that response.

    The existing pages may still have some space.
    """
    for _ in range(100):
        answer = act()
        if answer.status_code != written:
            return answer
    raise AssertionError("There was space after all.")


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana", password="a-long-word-7")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_full_disk_rejects_writes_with_a_message_and_still_answers_reads(
    ana: User, client: Client
) -> None:
    client.raise_request_exception = False
    with filled():
        answer = until_refused(
            lambda: Client(raise_request_exception=False).post(
                "/accounts/login/", {"login": "ana", "password": "a-long-word-7"}
            ),
            written=302,
        )
        read = [client.get(page).status_code for page in ("/", "/accounts/login/")]
    assert read == [200, 200]
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "disk is full" in answer.content.decode()
    assert "sessionid" not in answer.cookies


def test_session_that_cannot_be_saved_is_answered_with_503(
    client: Client, db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SESSION_SAVE_EVERY_REQUEST = True
    session = client.session
    session["a"] = 1
    session.save()
    client.raise_request_exception = False

    def unsaved(*args: object, **kwargs: object) -> None:
        raise OperationalError("database or disk is full") from raised(full_file)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "save", unsaved)
        answer = client.get("/accounts/login/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "disk is full" in answer.content.decode()
    assert client.get("/accounts/login/").status_code == 200


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.urls("tests.api.acts")
def test_full_disk_is_reported_to_api_clients_as_a_problem_document(
    ana: User, client: Client
) -> None:
    _row, text = make_token(user=ana, name="m", scope=Token.Scope.WRITE, at=timezone.now())
    headers = {"authorization": f"Bearer {text}"}
    names = map(str, count())
    with filled():
        answer = until_refused(
            lambda: client.post(
                "/api/v1/names/", {"name": next(names)}, "application/json", headers=headers
            ),
            written=201,
        )
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "disk is full" in answer.json()["detail"]


def test_locked_database_is_answered_with_503_on_pages(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.raise_request_exception = False

    def locked(*args: object, **kwargs: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("accounts.pages.views.set_preference_cookies", locked)
    chosen = {"language": "es", "theme": "dark", "zone": "UTC"}
    answer = client.post("/accounts/preferences/", chosen)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "too busy" in answer.content.decode()


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("root", "root@example.org", "a-long-word-7")


def notice_kinds(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).values_list("kind", flat=True))


@pytest.mark.usefixtures("valkey")
def test_superusers_are_notified_each_time_the_disk_becomes_nearly_full(
    admin: User, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scarce, expected in ((False, 0), (True, 1), (True, 1), (False, 1), (True, 2)):
        monkeypatch.setattr(disk, "WARN_BELOW", 1.0 if scarce else 0.0)
        monkeypatch.setattr(disk, "ENOUGH_BYTES", 2**60)
        notifications.notify_superusers(at=timezone.now())
        assert notice_kinds(admin) == ["site_disk"] * expected
        Notice.objects.update(read_at=timezone.now())
    assert notice_kinds(ana) == []


def test_superusers_are_notified_of_every_restart_of_the_message_broker(
    admin: User, valkey: str
) -> None:
    notifications.notify_superusers(at=timezone.now())
    for number in (1, 3):
        with Redis.from_url(valkey) as line:
            line.hset(RESTARTS_KEY, mapping={"number": number, "at": "1790000000.0"})
        for _again in range(2):
            notifications.notify_superusers(at=timezone.now())
        Notice.objects.update(read_at=timezone.now())
    assert notice_kinds(admin) == ["site_broker", "site_broker"]


@pytest.mark.django_db
def test_status_page_and_metrics_show_disk_space(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = disk_space(settings.DATA_DIR)
    figures = client.get("/metrics").content.decode()
    (line,) = [line for line in figures.splitlines() if line.startswith("temporada_disk_bytes ")]
    assert float(line.split()[1]) == here.total
    assert "nearly full" not in client.get("/status/").content.decode()
    monkeypatch.setattr(disk, "WARN_BELOW", 1.0)
    monkeypatch.setattr(disk, "ENOUGH_BYTES", 2**60)
    assert "nearly full" in client.get("/status/").content.decode()


def test_only_superusers_see_notification_settings_of_the_site(
    client: Client, ana: User, admin: User
) -> None:
    for user, offered in ((ana, False), (admin, True)):
        client.force_login(user)
        page = client.get("/accounts/notices/choices/").content.decode()
        assert ('name="site_disk"' in page) is offered
