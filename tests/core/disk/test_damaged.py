"""Damaged database files: errors that indicate them, and the response of the site."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from core.disk import is_damaged

GOOD = "CREATE TABLE a (b)"


def file_of(tmp_path: Path, content: bytes | str) -> Path:
    """Create a database with this SQL statement, or a file with these bytes."""
    file = tmp_path / "file.sqlite3"
    if isinstance(content, bytes):
        file.write_bytes(content)
        return file
    with closing(sqlite3.connect(file)) as line:
        line.execute(content)
        line.execute("CREATE INDEX c ON a (b)")
        line.commit()
    return file


@pytest.mark.parametrize(
    ("content", "statement", "damaged"),
    [
        (b"no database\n" * 1000, "SELECT 1 FROM a", True),
        (b"", "SELECT 1 FROM a", True),
        (GOOD, "SELECT 1 FROM d", True),
        (GOOD, "SELECT d FROM a", True),
        (GOOD, "SELECT b, FROM a", False),
        (GOOD, "INSERT INTO a VALUES (1, 2)", False),
    ],
)
def test_errors_that_indicate_a_damaged_database_file(
    tmp_path: Path, content: bytes | str, statement: str, damaged: bool
) -> None:
    with (
        closing(sqlite3.connect(file_of(tmp_path, content))) as line,
        pytest.raises(sqlite3.Error) as caught,
    ):
        line.execute(statement)
    assert is_damaged(caught.value) is damaged


def test_truncated_database_page_indicates_a_damaged_file(tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD)
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)
    with closing(sqlite3.connect(file)) as line, pytest.raises(sqlite3.Error) as caught:
        line.execute("SELECT count(*) FROM a").fetchall()
    assert is_damaged(caught.value)


@pytest.mark.parametrize("path", ["/", "/api/v1/leagues/"])
@pytest.mark.django_db
def test_damaged_database_is_answered_with_503_and_logged(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def execute(*_args: object) -> None:
        with closing(sqlite3.connect(file_of(tmp_path, b"no database\n" * 1000))) as line:
            try:
                line.execute("SELECT 1 FROM a")
            except sqlite3.DatabaseError as error:
                raise DatabaseError(*error.args) from error

    monkeypatch.setattr(connection, "close", lambda: None)  # closing would delete the test's rows
    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(execute):
        answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "300")
    assert "database can" in answer.text
    assert "manage.py restore" in caplog.text
