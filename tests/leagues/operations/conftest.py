"""Databases of one test alone, with a league in them, that several threads may open."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from tests.corridas.rows.postgres import Postgres
from tests.corridas.rows.scratch import address, copy_of, opened
from tests.leagues import game
from tests.leagues.operations import world


@pytest.fixture(scope="session")
def league_file(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Path:
    """A file with a league, its people, and matches in every state."""
    game.register()
    file = tmp_path_factory.mktemp("leagues") / "league.sqlite3"
    with django_db_blocker.unblock(), opened(address(file)):
        call_command("migrate", verbosity=0)
        world.settle_in()
    return file


@pytest.fixture(scope="session")
def league_server(django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    """A PostgreSQL server with the same as its database `league`."""
    game.register()
    server = Postgres()
    with django_db_blocker.unblock(), opened(server.create("league")):
        call_command("migrate", verbosity=0)
        world.settle_in()
    yield server
    server.stop()


@pytest.fixture
def copies(
    league_file: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[[], str]]:
    """Addresses of fresh copies of the file."""
    made = iter(range(10**6))
    with django_db_blocker.unblock():
        yield lambda: copy_of(league_file, tmp_path / f"{next(made)}.sqlite3")


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, copies: Callable[[], str]) -> str:
    """The league in a database of one test, of either kind; its address."""
    if request.param == "sqlite":
        return copies()
    server: Postgres = request.getfixturevalue("league_server")
    return server.copy("league")
