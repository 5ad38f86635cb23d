"""A temporary site for benchmarks: folder, broker, Django setup, and databases to copy."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from server.valkey import Valkey
from tools.bench.elsewhere import call

# Environment variables that a shell may have set and that must not affect the figures.
CLEARED_VARIABLES = (
    "ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS DATABASE_URL DEBUG DEFAULT_FROM_EMAIL EMAIL_HOST HOST "
    "HTTPS LOG_LEVEL PORT PROXIES SECRET_KEY STATIC_ROOT TEMPORADA_LOCAL"
)
YEAR = 2026


def close_database() -> None:
    """Close the database in use, so that its write-ahead log goes into the file."""
    from django.db import connection

    connection.close()


def use_database(database: Path) -> None:
    from django.db import connection

    close_database()
    connection.settings_dict["NAME"] = str(database)


def use_empty_database(database: Path) -> None:
    from django.core.management import call_command

    use_database(database)
    call_command("migrate", verbosity=0, interactive=False)


@dataclass(frozen=True)
class ScratchSite:
    """The temporary folder. Each database is created on first use."""

    folder: Path

    @cached_property
    def planned(self) -> Path:
        """Return the shipped circuit with one season planned and nothing contracted."""
        from tools.bench import seasons

        path = self.folder / "planned.sqlite3"
        use_empty_database(path)
        seasons.create_circuit(YEAR)
        close_database()
        return path

    @cached_property
    def one_season(self) -> Path:
        """Return a database with the planned season played to its end."""
        from tools.bench import seasons

        path = self.copy(self.planned, "one-season")
        use_database(path)
        seasons.play(seasons.latest())
        return path

    @cached_property
    def ten_seasons(self) -> Path:
        """Return a database with nine more seasons, the last without its last corrida."""
        from tools.bench import seasons

        path = self.copy(self.one_season, "ten-seasons")
        use_database(path)
        for year in range(YEAR + 1, YEAR + 9):
            seasons.play(seasons.plan(year))
        seasons.play(seasons.plan(YEAR + 9), leave=1)
        return path

    @cached_property
    def fifty_seasons(self) -> FiftySeasons:
        """Return a database with fifty seasons and their winters, played in one process."""
        path = self.copy(self.planned, "fifty")
        return FiftySeasons(path, call("seasons.play_all", str(path)))

    def copy(self, database: Path, name: str) -> Path:
        """Copy a database under this name, replacing an earlier copy."""
        path = self.folder / f"{name}.sqlite3"
        close_database()
        for old in self.folder.glob(f"{name}.sqlite3*"):
            old.unlink()
        shutil.copyfile(database, path)
        return path


@dataclass(frozen=True)
class FiftySeasons:
    """The database after fifty seasons, and the memory in use (bytes) after each of them."""

    path: Path
    memory: list[int]

    def before(self, number: int) -> Path:
        """Return the database as it was before the fifth or the fiftieth season."""
        return self.path.with_name(f"before-{number}.sqlite3")


@contextmanager
def scratch_site() -> Iterator[ScratchSite]:
    """Yield a site like that of `manage.py up` in a temporary folder."""
    with broker("temporada-bench-") as folder:
        os.environ["DJANGO_SETTINGS_MODULE"] = "tools.bench.settings"
        import django

        django.setup()
        yield ScratchSite(folder)
        close_database()


@contextmanager
def broker(prefix: str) -> Iterator[Path]:
    """Yield a temporary data folder with a broker, which this process and its children use."""
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        server = Valkey(Path(name) / "valkey")
        server.start()
        for variable in CLEARED_VARIABLES.split():
            os.environ.pop(variable, None)
        os.environ |= {"DATA": name, "REDIS_URL": server.url}
        try:
            yield Path(name)
        finally:
            server.stop()
