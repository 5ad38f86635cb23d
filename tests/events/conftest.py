"""A kind of event for tests alone, and databases that several threads may open."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from events.kinds import Kind, kinds
from tests.corridas.rows.postgres import Postgres
from tests.corridas.rows.scratch import address, copy_of, opened

KIND = "test.happened"


@pytest.fixture(autouse=True, scope="session")
def _kind() -> None:
    """Something that happens in tests."""
    if KIND not in kinds:
        kinds.register(
            Kind(key=KIND, name="test", words=lambda one: one.subject, page=lambda one: "")
        )


@pytest.fixture(scope="session")
def empty_file(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Path:
    file = tmp_path_factory.mktemp("events") / "empty.sqlite3"
    with django_db_blocker.unblock(), opened(address(file)):
        call_command("migrate", verbosity=0)
    return file


@pytest.fixture(scope="session")
def empty_server(django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    server = Postgres()
    with django_db_blocker.unblock(), opened(server.create("empty")):
        call_command("migrate", verbosity=0)
    yield server
    server.stop()


@pytest.fixture
def copies(
    empty_file: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Callable[[], str]]:
    made = iter(range(10**6))
    with django_db_blocker.unblock():
        yield lambda: copy_of(empty_file, tmp_path / f"{next(made)}.sqlite3")


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, copies: Callable[[], str]) -> str:
    """An empty site in a database of one test, of either kind; its address."""
    if request.param == "sqlite":
        return copies()
    server: Postgres = request.getfixturevalue("empty_server")
    return server.copy("empty")
