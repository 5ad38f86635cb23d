"""A site is backed up and restored into another database, and all rows are equal."""

from __future__ import annotations

import stat
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from corridas.models import Corrida, Lidia, Season
from corridas.simulation import verify
from leagues.models import Player
from server.backups import Archive, TableEntry, create_backup, operations
from server.backups.sql import set_last_key
from tests.databases import address, copy_of, opened
from tests.server.backups.conftest import Empty


def backup(file: Path) -> Archive:
    call_command("backup", file, stdout=StringIO())
    return Archive.read(file)


@pytest.mark.slow
def test_site_restored_into_another_database_and_back_is_unchanged(
    site_file: Path, migrated: Path, tmp_path: Path, empty: Empty
) -> None:
    """First it is restored into a database without tables, then back into one with empty tables."""
    first, second, third = (tmp_path / f"{name}.zip" for name in ("first", "second", "third"))
    with opened(address(site_file)):
        taken = backup(first)
    assert tables_by_name(taken)["corridas_lidia"].rows > 30
    with opened(empty()):
        call_command("restore", first, stdout=StringIO())
        assert backup(second).tables == taken.tables
        check_it_lives()
    with opened(copy_of(migrated, tmp_path / "back.sqlite3")):
        call_command("restore", second, stdout=StringIO())
        assert backup(third).tables == taken.tables


def tables_by_name(archive: Archive) -> dict[str, TableEntry]:
    return {table.name: table for table in archive.tables}


def check_it_lives() -> None:
    """Check that the restored site can play corridas, lets users sign in, and accepts new rows."""
    corrida = Corrida.objects.over().order_by("pk")[0]
    assert Lidia.objects.filter(corrida=corrida).exists()
    assert verify.check(corrida) == ()
    assert User.objects.get(username="ana").check_password("not to be guessed")
    gone = Player.objects.order_by("-pk")[0].pk + 1
    later = Player.objects.create(name="Later", slug="later", created_at=timezone.now())
    assert later.pk == gone + 1, "A restored database must not use a key again."
    later.delete()
    _set_the_keys_back(gone)


def _set_the_keys_back(last: int) -> None:
    """Reset the primary keys after a player was added, so that the next backup is equal to the
    first.
    """
    set_last_key(Player, last, "default")


@pytest.mark.slow
def test_backup_file_is_private_and_never_overwritten(
    site_file: Path, tmp_path: Path, empty: Empty
) -> None:
    file = tmp_path / "once.zip"
    with opened(address(site_file)):
        create_backup(file, at=timezone.now())
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        before = file.read_bytes()
        with pytest.raises(CommandError, match="never overwrites another"):
            call_command("backup", file)
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("backup", tmp_path / "nowhere" / "a.zip")
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["once.zip"]


@pytest.mark.slow
def test_backup_has_the_state_of_one_instant_during_writes(
    site_file: Path, tmp_path: Path, empty: Empty, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows changed after the backup has begun have their old values in it, and no writer waits."""
    with opened(address(site_file)):
        taken = create_backup(tmp_path / "a.zip", at=timezone.now())
    with opened(restored_site(empty(), site_file, tmp_path / "a.zip")):
        seen = operations._check_all_tables_known

        def meanwhile(alias: str) -> None:
            seen(alias)
            User.objects.using(alias).count()  # the snapshot has begun
            Season.objects.update(posted_version=999)
            User.objects.create_user("late")

        monkeypatch.setattr(operations, "_check_all_tables_known", meanwhile)
        again = create_backup(tmp_path / "b.zip", at=timezone.now())
        assert digests(again) == digests(taken)
        assert User.objects.filter(username="late").exists()


def digests(archive: Archive) -> dict[str, str]:
    return {table.name: table.sha256 for table in archive.tables}


def restored_site(url: str, site_file: Path, file: Path) -> str:
    """Return a copy of the site in another database."""
    if url.startswith("sqlite"):
        return copy_of(site_file, Path(url.removeprefix("sqlite:///")))
    with opened(url):
        call_command("restore", file, stdout=StringIO())
    return url


def test_backup_stops_at_an_unknown_table(
    site_file: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    url = copy_of(site_file, tmp_path / "site.sqlite3")
    with django_db_blocker.unblock(), opened(url):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE stray (id integer)")
        with pytest.raises(CommandError, match="Of stray the site knows nothing"):
            call_command("backup", tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()
