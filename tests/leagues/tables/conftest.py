"""Every test of the tables may play sticks; databases of their own for those that need them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings
from pytest_django.plugin import DjangoDbBlocker

from tests.corridas.rows.postgres import Postgres
from tests.corridas.rows.scratch import address, copy_of, opened
from tests.leagues.tables import sticks


@pytest.fixture(autouse=True, scope="session")
def _sticks() -> None:
    sticks.register()


@pytest.fixture(autouse=True)
def _templates(settings: Settings) -> None:
    """The game's fragment, beside the site's own."""
    (engine,) = settings.TEMPLATES
    folder = Path(__file__).parent / "templates"
    settings.TEMPLATES = [{**engine, "DIRS": [folder, *engine["DIRS"]]}]


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A file with all tables, empty."""
    file = tmp_path_factory.mktemp("tables") / "migrated.sqlite3"
    with django_db_blocker.unblock(), opened(address(file)):
        call_command("migrate", verbosity=0)
    return file


@pytest.fixture
def unblocked(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For tests that open databases themselves."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def copies(migrated: Path, tmp_path: Path, unblocked: None) -> Callable[[], str]:
    """Addresses of fresh copies of the empty file."""
    made = iter(range(10**6))
    return lambda: copy_of(migrated, tmp_path / f"{next(made)}.sqlite3")


@pytest.fixture(scope="session")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    """A server with the empty database `migrated`."""
    server = Postgres()
    with django_db_blocker.unblock(), opened(server.create("migrated")):
        call_command("migrate", verbosity=0)
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest) -> str:
    """An empty database of one test, of either kind; its address."""
    if request.param == "sqlite":
        url: str = request.getfixturevalue("copies")()
    else:
        request.getfixturevalue("unblocked")
        url = request.getfixturevalue("postgres").copy("migrated")
    return url
