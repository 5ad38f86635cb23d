"""Invalid backups are rejected, and databases that are not empty are not overwritten."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from corridas.models import Circuit
from server.backups import Archive, BackupError, TableEntry, create_backup, verify_backup
from server.backups.archive import MANIFEST
from server.backups.operations import rows_of_table
from tests.databases import address, copy_of, opened
from tests.scratch import left_in

Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def taken(
    site_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
) -> Path:
    file = tmp_path_factory.mktemp("taken") / "site.zip"
    with django_db_blocker.unblock(), opened(address(site_file)):
        create_backup(file, at=timezone.now())
    return file


def rewritten(taken: Path, target: Path, change: Change, **members: bytes) -> Path:
    """Return a copy of the backup with a changed manifest and some files replaced, otherwise
    consistent.
    """
    with zipfile.ZipFile(taken) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == MANIFEST:
                told = json.loads(content)
                change(told)
                content = json.dumps(told).encode()
            new.writestr(name, members.get(name.removeprefix("tables/")[:-6], content))
    return target


def change_nothing(told: dict[str, Any]) -> None:
    """Leave the manifest unchanged."""


def lose_a_row(told: dict[str, Any]) -> None:
    next(table for table in told["tables"] if table["rows"])["rows"] -= 1


def another_digest(told: dict[str, Any]) -> None:
    told["tables"][0]["sha256"] = "0" * 64


def another_column(told: dict[str, Any]) -> None:
    told["tables"][0]["columns"][0] = "evil"


def newer(told: dict[str, Any]) -> None:
    told["migrations"].append("corridas.0099_later")


def another_form(told: dict[str, Any]) -> None:
    told["version"] = 2


def no_tables(told: dict[str, Any]) -> None:
    del told["tables"]


def another_thing(told: dict[str, Any]) -> None:
    told["format"] = "somebody/else"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lose_a_row, "are not the"),
        (another_digest, "are not the"),
        (another_column, "other tables or columns"),
        (newer, r"another state of its tables \(corridas.0099_later\)"),
        (another_form, "a backup of form 2"),
        (no_tables, "is incomplete or invalid"),
        (another_thing, "no backup of this site"),
    ],
)
def test_backup_with_a_false_manifest_is_rejected_before_writing(
    taken: Path, tmp_path: Path, unblocked: None, change: Change, sentence: str
) -> None:
    file = rewritten(taken, tmp_path / "changed.zip", change)
    target = tmp_path / "target.sqlite3"
    with opened(address(target)), pytest.raises(CommandError, match=sentence):
        call_command("restore", file)
    assert not target.exists() or not target.stat().st_size
    with pytest.raises(CommandError, match=sentence):
        call_command("verify_backup", file)


@pytest.mark.parametrize(
    "written", [b"", b"[1]\n", b"{}\n", b"not json\n", b"[" * 100_000 + b"\n"], ids=range(5)
)
def test_backup_with_malformed_rows_is_rejected(
    taken: Path, tmp_path: Path, unblocked: None, written: bytes
) -> None:
    file = rewritten(taken, tmp_path / "changed.zip", change_nothing, accounts_user=written)
    with pytest.raises(CommandError, match="accounts_user"):
        call_command("verify_backup", file)


def test_backup_with_a_damaged_value_is_rejected(
    taken: Path, tmp_path: Path, unblocked: None
) -> None:
    """The value is JSON within a row.

    It is read as text, and found to be invalid JSON when its digest is computed.
    """
    table = next(one for one in Archive.read(taken).tables if one.name == "corridas_circuit")
    row = json.dumps(['{"a":' if name == "rules" else None for name in table.columns]).encode()
    file = rewritten(taken, tmp_path / "changed.zip", change_nothing, corridas_circuit=row + b"\n")
    with pytest.raises(CommandError, match="row 1 of corridas_circuit is damaged"):
        call_command("verify_backup", file)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.999])
def test_truncated_backup_is_rejected(
    taken: Path, tmp_path: Path, unblocked: None, share: float
) -> None:
    whole = taken.read_bytes()
    file = tmp_path / "short.zip"
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(CommandError, match="cut short or damaged"):
        call_command("verify_backup", file)


@pytest.mark.slow
def test_single_changed_byte_is_detected_or_changes_no_row(
    taken: Path, tmp_path: Path, unblocked: None
) -> None:
    whole, told = taken.read_bytes(), Archive.read(taken)
    found = 0
    for place in range(0, len(whole), len(whole) // 25):
        file = tmp_path / f"{place}.zip"
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            archive = Archive.read(file)
            verify_backup(archive)
        except BackupError:
            found += 1
        else:  # an unused date or size
            assert archive.tables == told.tables
            assert [*rows_of_table(archive, largest_table(archive))] == [
                *rows_of_table(told, largest_table(told))
            ]
    assert found > 10


def largest_table(archive: Archive) -> TableEntry:
    return max(archive.tables, key=lambda table: table.rows)


@pytest.mark.slow
def test_database_with_rows_is_overwritten_only_with_force(
    taken: Path, site_file: Path, tmp_path: Path, unblocked: None
) -> None:
    target = tmp_path / "target.sqlite3"
    url = copy_of(site_file, target)
    with opened(url):
        User.objects.create_user("berta")
    before = left_in(url)
    with opened(url), pytest.raises(CommandError, match=r"not empty .*--force"):
        call_command("restore", taken)
    assert left_in(url) == before
    with opened(url):
        call_command("restore", taken, force=True, stdout=StringIO())
        assert not User.objects.filter(username="berta").exists()


def test_failed_restore_leaves_the_database_unchanged(
    taken: Path, site_file: Path, tmp_path: Path, unblocked: None
) -> None:
    """The digests are correct, but a foreign key points to no row, so the transaction is rolled
    back.
    """
    from server.backups import operations

    target = tmp_path / "target.sqlite3"
    url = copy_of(site_file, target)
    with opened(url):
        User.objects.create_user("berta")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations, "_fill_table", lambda archive, table, model: None)
        with opened(url), pytest.raises(CommandError, match="does not hold what"):
            call_command("restore", taken, force=True)
    with opened(url):
        assert User.objects.filter(username="berta").exists()
        assert Circuit.objects.exists()


def test_missing_backup_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        call_command("verify_backup", tmp_path / "none.zip")


def test_unreadable_backup_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is simulated, because root can read every file and tests may run as root."""

    def forbid(*_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("server.backups.archive.zipfile.ZipFile", forbid)
    with pytest.raises(CommandError, match="may not read"):
        call_command("verify_backup", tmp_path / "of-root.zip")
