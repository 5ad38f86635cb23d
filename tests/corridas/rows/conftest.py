"""Files to play seasons in: migrated and founded once, copied for every test that writes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from corridas.models import Season
from corridas.operations import found_leyendas
from tests.corridas.rows import world
from tests.corridas.rows.postgres import Postgres
from tests.corridas.rows.scratch import address, copy_of, opened


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A file with the small circuits, nothing announced."""
    file = tmp_path_factory.mktemp("rows") / "founded.sqlite3"
    with django_db_blocker.unblock(), opened(address(file)):
        call_command("migrate", verbosity=0)
        world.found_all()
    return file


@pytest.fixture(scope="session")
def played(founded: Path, django_db_blocker: DjangoDbBlocker) -> Path:
    """A file with the shipped circuit, its whole season played, and the wild one's."""
    file = founded.parent / "played.sqlite3"
    with django_db_blocker.unblock(), opened(copy_of(founded, file)):
        shipped = found_leyendas(year=world.YEAR).seasons.get()
        world.play_season(shipped)
        world.play_season(world.wild())
    return file


@pytest.fixture
def unblocked(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For tests that open databases themselves."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def copies(founded: Path, tmp_path: Path, unblocked: None) -> Callable[[], str]:
    """Addresses of fresh copies of the founded file."""
    made = iter(range(10**6))
    return lambda: copy_of(founded, tmp_path / f"{next(made)}.sqlite3")


@pytest.fixture
def rows(copies: Callable[[], str]) -> Iterator[str]:
    """The founded circuits, open in this test alone; the address for others."""
    url = copies()
    with opened(url):
        yield url


@pytest.fixture
def over(played: Path, unblocked: None) -> Iterator[Any]:
    """The played seasons, to be read only."""
    with opened(address(played)) as connection:
        yield connection


@pytest.fixture
def mended(played: Path, tmp_path: Path, unblocked: None) -> Iterator[str]:
    """The played seasons, to be damaged."""
    url = copy_of(played, tmp_path / "played.sqlite3")
    with opened(url):
        yield url


@pytest.fixture
def leyendas(over: Any) -> Season:
    return Season.objects.select_related("circuit").get(circuit__slug="leyendas")


@pytest.fixture(scope="session")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[Postgres]:
    """A server with the database `founded`: the small circuits, nothing announced."""
    server = Postgres()
    with django_db_blocker.unblock(), opened(server.create("founded")):
        call_command("migrate", verbosity=0)
        world.found_all()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest) -> str:
    """The founded circuits in a database of one test, of either kind; its address."""
    if request.param == "sqlite":
        url: str = request.getfixturevalue("copies")()
    else:
        request.getfixturevalue("unblocked")
        url = request.getfixturevalue("postgres").copy("founded")
    return url
