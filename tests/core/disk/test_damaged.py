"""A file that is no database of this site any more: which errors say so, and what is answered."""

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
    """A database made by a statement, or a file of these bytes."""
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
def test_which_errors_mean_a_damaged_file(
    tmp_path: Path, content: bytes | str, statement: str, damaged: bool
) -> None:
    with (
        closing(sqlite3.connect(file_of(tmp_path, content))) as line,
        pytest.raises(sqlite3.Error) as caught,
    ):
        line.execute(statement)
    assert is_damaged(caught.value) is damaged


def test_a_page_that_was_cut_off_means_it_too(tmp_path: Path) -> None:
    file = file_of(tmp_path, GOOD)
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)
    with closing(sqlite3.connect(file)) as line, pytest.raises(sqlite3.Error) as caught:
        line.execute("SELECT count(*) FROM a").fetchall()
    assert is_damaged(caught.value)


@pytest.mark.parametrize("path", ["/", "/api/v1/leagues/"])
@pytest.mark.django_db
def test_it_is_answered_with_503_and_logged(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def execute(*_args: object) -> None:
        with closing(sqlite3.connect(file_of(tmp_path, b"no database\n" * 1000))) as line:
            try:
                line.execute("SELECT 1 FROM a")
            except sqlite3.DatabaseError as error:
                raise DatabaseError(*error.args) from error

    monkeypatch.setattr(connection, "close", lambda: None)  # it would take the test's rows along
    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(execute):
        answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "300")
    assert "database can" in answer.text
    assert "manage.py restore" in caplog.text
