"""Only the owner can read the data folder, with any umask and any previous permissions."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.data_folder import PrivateConnection, open_data_folder
from server.valkey import Valkey
from tests.site import KEY, ROOT, inherited


def open_to_others(folder: Path) -> dict[str, str]:
    """Return the permissions that other users have on a folder and its content."""
    every = (folder, *folder.rglob("*"))
    return {
        str(path.relative_to(folder.parent)): stat.filemode(path.lstat().st_mode)
        for path in every
        if path.lstat().st_mode & 0o077 and not path.is_symlink()
    }


def let_everybody_read(folder: Path) -> None:
    """Give all users read permission, as an earlier version did."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture(autouse=True)
def _no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def manage(data: Path, *words: str, **variables: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=inherited() | {"DATA": str(data)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_permissions_of_an_existing_data_folder_are_restricted(tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    elsewhere.write_text("readable")
    (data / "valkey" / "appendonlydir").mkdir(parents=True)
    for name in ("temporada.sqlite3", "temporada.sqlite3-wal", "valkey/appendonlydir/1.aof"):
        (data / name).write_text("")
    (data / "link").symlink_to(elsewhere)
    let_everybody_read(data)
    open_data_folder(data)
    assert open_to_others(data) == {}
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644
    assert (data / "temporada.sqlite3").stat().st_mode & 0o600 == 0o600


def test_new_data_folder_belongs_to_its_owner_only(tmp_path: Path) -> None:
    open_data_folder(tmp_path / "new" / "data")
    assert open_to_others(tmp_path / "new" / "data") == {}


def test_data_folder_that_contains_the_code_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.data_folder.CODE", tmp_path / "temporada")
    (tmp_path / "temporada").mkdir()
    (tmp_path / "temporada" / "static.css").write_text("")
    before = open_to_others(tmp_path)
    open_data_folder(tmp_path)
    assert open_to_others(tmp_path) == before != {}


def test_readable_data_folder_of_another_user_gives_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.chmod(0o755)

    def refuse(path: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    open_data_folder(tmp_path)
    assert f"Other users can read the data folder {tmp_path}" in caplog.text


@pytest.mark.parametrize("old", [False, True], ids=["new", "old"])
def test_database_file_and_its_journals_are_private(tmp_path: Path, old: bool) -> None:
    file = tmp_path / "site.sqlite3"
    if old:
        with closing(sqlite3.connect(file)) as line:
            line.execute("PRAGMA journal_mode=WAL")
            line.execute("CREATE TABLE held (a)")
            let_everybody_read(tmp_path)
    with closing(sqlite3.connect(file, factory=PrivateConnection)) as line:
        line.execute("PRAGMA journal_mode=WAL")
        line.execute("CREATE TABLE more (a)")
        names = {path.name for path in tmp_path.iterdir()}
        assert names >= {"site.sqlite3", "site.sqlite3-wal", "site.sqlite3-shm"}
        assert open_to_others(tmp_path).keys() <= {tmp_path.name}


def test_second_connection_does_not_release_locks_of_the_first(tmp_path: Path) -> None:
    """Closing any file descriptor of a file would release the locks that its process holds on
    it.
    """
    file = tmp_path / "site.sqlite3"
    other = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    )
    with closing(sqlite3.connect(file, factory=PrivateConnection)) as line:
        line.execute("BEGIN IMMEDIATE")
        sqlite3.connect(file, factory=PrivateConnection).close()
        asked = subprocess.run(
            [sys.executable, "-c", other, str(file)], capture_output=True, text=True, check=False
        )
    assert "database is locked" in asked.stderr


@pytest.mark.slow
def test_files_of_the_embedded_broker_are_private(tmp_path: Path) -> None:
    broker = Valkey(tmp_path / "data" / "valkey")
    open_data_folder(tmp_path / "data")
    broker.start()
    try:
        assert len(list((tmp_path / "data" / "valkey").rglob("*"))) > 2
        assert open_to_others(tmp_path / "data") == {}
    finally:
        broker.stop()


def prepare(data: Path, backup: Path) -> None:
    manage(data, "prepare")


def restore_here(data: Path, backup: Path) -> None:
    manage(data, "restore", str(backup))


def restore_elsewhere(data: Path, backup: Path) -> None:
    """Restore into another database file of a public site, whose folder `prepare` has made
    private.
    """
    data.mkdir(mode=0o700)
    public = {"SECRET_KEY": KEY, "ALLOWED_HOSTS": "temporada.example.org"}
    manage(data, "restore", str(backup), DATABASE_URL=f"sqlite:///{data}/restored.db", **public)


@pytest.fixture
def backup(prepared: Path, tmp_path: Path) -> Path:
    file = tmp_path / "backup.zip"
    manage(prepared, "backup", str(file))
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(prepare, marks=pytest.mark.nightly),
        pytest.param(restore_here, marks=pytest.mark.nightly),
        restore_elsewhere,
    ],
)
def test_files_made_by_commands_are_private(
    tmp_path: Path, backup: Path, command: Callable[[Path, Path], None]
) -> None:
    data = tmp_path / "data"
    command(data, backup)
    assert list(data.iterdir())
    assert open_to_others(data) == {}
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


@pytest.mark.nightly
@pytest.mark.slow
def test_prepare_restricts_the_permissions_of_an_existing_folder(
    tmp_path: Path, backup: Path
) -> None:
    data = tmp_path / "data"
    restore_here(data, backup)
    let_everybody_read(data)
    prepare(data, backup)
    assert open_to_others(data) == {}
