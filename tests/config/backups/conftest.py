"""A small site in a file, and empty databases of either kind to put it into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from corridas.models import Corrida
from leagues.models import Player
from tests.corridas.rows import world
from tests.corridas.rows.postgres import Postgres
from tests.corridas.rows.scratch import address, opened

Empty = Callable[[], str]


@pytest.fixture(scope="session")
def site_file(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A file with circuits, a season begun, people and the odd things that rows can hold."""
    file = tmp_path_factory.mktemp("backups") / "site.sqlite3"
    with django_db_blocker.unblock(), opened(address(file)):
        call_command("migrate", verbosity=0)
        world.found_all()
        world.play_season(world.wild())
        _people()
    return file


def _people() -> None:
    ana = User.objects.create_user("ana", password="not to be guessed", first_name='"\\ ñ 🐂 =1+1')
    Player.objects.create(name="Ana", slug="ana", user=ana, created_at=timezone.now())
    Player.objects.create(name="Gone", slug="gone", created_at=timezone.now()).delete()
    session = SessionStore()
    session["place"] = "Ronda"
    session.create()
    Corrida.objects.filter(pk=Corrida.objects.order_by("pk")[0].pk).update(error="two\nlines\t|")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A real PostgreSQL."""
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(
    request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Empty]:
    """Addresses of new databases of one kind."""
    made = iter(range(100))

    def make() -> str:
        number = next(made)
        if request.param == "sqlite":
            return address(tmp_path / f"{number}.sqlite3")
        name = f"{tmp_path.name}-{number}"
        url: str = request.getfixturevalue("cluster").create(name)
        return url

    with django_db_blocker.unblock():
        yield make
