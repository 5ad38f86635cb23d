"""An unusable data folder or database is reported in one line, at the start and while the site
runs.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import manage
from tests.site import ROOT, inherited

LOOK = """
import sys, django
django.setup()
from server.health import readiness
from pathlib import Path
print(readiness.database_answers())
file = Path(sys.argv[1])
if sys.argv[2] == "gone":
    file.unlink()
else:
    file.write_bytes(b"junk" * 10_000)
print(readiness.database_answers())
"""


def run(data: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=inherited() | {"DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )


def refusal(data: Path) -> str:
    """Return the single line that preparing a data folder prints."""
    done = run(data, "manage.py", "prepare")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.slow
def test_data_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    said = refusal(tmp_path / "file" / "data")
    assert "The data folder" in said
    assert "choose another folder with DATA=." in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["backup x.zip", "check", "createsuperuser", "verify site", "verify_backup x.zip", "web"],
)
def test_commands_do_not_create_a_missing_data_folder(tmp_path: Path, command: str) -> None:
    done = run(tmp_path / "data", "manage.py", *command.split())
    assert done.returncode == 1
    assert done.stderr.startswith(f"There is no data folder {tmp_path / 'data'}.")
    assert "temporada-manage" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "by_default", "where_named"),
    [
        ("prepare", True, True),
        ("restore", False, True),
        ("migrate", False, True),
        ("collectstatic", False, True),
        ("createsuperuser", False, False),
        ("", False, False),
    ],
)
def test_only_some_commands_may_create_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, command: str, by_default: bool, where_named: bool
) -> None:
    monkeypatch.delenv("DATA")
    assert manage.begins_site(command) is by_default
    monkeypatch.setenv("DATA", "/srv/elsewhere")
    assert manage.begins_site(command) is where_named


@pytest.mark.slow
def test_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "temporada.sqlite3").write_bytes(b"junk" * 10_000)
    said = refusal(tmp_path)
    assert "file is not a database" in said
    assert "restore a backup" in said


@pytest.mark.slow
def test_database_of_a_newer_version_is_reported(tmp_path: Path, prepared: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(prepared, data)
    with sqlite3.connect(data / "temporada.sqlite3") as line:
        line.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('leagues', '9999_later', '2030-01-01')"
        )
    said = refusal(data)
    assert "made by a newer version of this site (leagues.9999_later)" in said


@pytest.mark.slow
@pytest.mark.parametrize("what", ["gone", "junk"])
def test_database_that_breaks_at_run_time_makes_the_site_not_ready(
    tmp_path: Path, prepared: Path, what: str
) -> None:
    data = tmp_path / "data"
    shutil.copytree(prepared, data)
    done = run(data, "-c", LOOK, str(data / "temporada.sqlite3"), what)
    assert done.stdout.split() == ["True", "False"], done.stderr
