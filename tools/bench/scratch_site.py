"""A temporary site for benchmarks: folder, broker and Django setup."""

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
from tools.bench.database import close_database, use_database

# Environment variables that a shell may have set and that must not affect the figures.
CLEARED_VARIABLES = (
    "ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS DATABASE_URL DEBUG DEFAULT_FROM_EMAIL EMAIL_HOST HOST "
    "HTTPS LOG_LEVEL PORT PROXIES SECRET_KEY STATIC_ROOT TEMPORADA_LOCAL"
)
YEAR = 2026


@dataclass(frozen=True)
class ScratchSite:
    """The temporary folder. The databases `planned` and `ten_seasons` are created on first use."""

    folder: Path

    @cached_property
    def planned(self) -> Path:
        """Return the shipped circuit with one season planned and nothing contracted."""
        from tools.bench.seasons import create_database

        path = self.folder / "planned.sqlite3"
        create_database(path, YEAR)
        return path

    @cached_property
    def one_season(self) -> Path:
        """Return a database with the planned season played to its end."""
        from tools.bench.seasons import latest, play

        path = self.copy(self.planned, "one-season")
        use_database(path)
        play(latest())
        return path

    @cached_property
    def ten_seasons(self) -> Path:
        """Return a database with nine more seasons, the last without its last corrida."""
        from tools.bench.seasons import plan, play

        path = self.copy(self.one_season, "ten-seasons")
        use_database(path)
        for year in range(YEAR + 1, YEAR + 9):
            play(plan(year))
        play(plan(YEAR + 9), leave=1)
        return path

    def copy(self, database: Path, name: str) -> Path:
        """Copy a database under this name, replacing an earlier copy."""
        path = self.folder / f"{name}.sqlite3"
        close_database()
        for old in self.folder.glob(f"{name}.sqlite3*"):
            old.unlink()
        shutil.copyfile(database, path)
        return path


@contextmanager
def scratch_site() -> Iterator[ScratchSite]:
    """Yield a site like that of `manage.py up` in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="temporada-bench-") as name:
        folder = Path(name)
        broker = Valkey(folder / "valkey")
        broker.start()
        try:
            prepare(folder, broker)
            yield ScratchSite(folder)
            close_database()
        finally:
            broker.stop()


def prepare(folder: Path, broker: Valkey) -> None:
    """Set the environment of this process and its children, and set up Django."""
    for variable in CLEARED_VARIABLES.split():
        os.environ.pop(variable, None)
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "tools.bench.settings",
        "DATA": str(folder),
        "REDIS_URL": broker.url,
    }
    import django

    django.setup()
