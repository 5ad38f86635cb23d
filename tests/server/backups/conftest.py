"""A small site in an SQLite file, and empty databases of each kind into which it is restored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from corridas.models import Corrida
from leagues.models import Player
from tests.corridas.simulation import world
from tests.databases import Stored, address

Empty = Callable[[], str]


@pytest.fixture(scope="session")
def site_file(stored: Stored, migrated: Path, django_db_blocker: DjangoDbBlocker) -> Path:
    """A database file with circuits, a season in progress, users, and unusual values in some
    rows.
    """
    with django_db_blocker.unblock():
        return stored.file("site", migrated, _settle)


def _settle() -> None:
    world.found_all()
    world.play_season(world.wild())
    _people()


def _people() -> None:
    ana = User.objects.create_user("ana", password="not to be guessed", first_name='"\\ ñ 🐂 =1+1')
    Player.objects.create(name="Ana", slug="ana", user=ana, created_at=timezone.now())
    Player.objects.create(name="Gone", slug="gone", created_at=timezone.now()).delete()
    session = SessionStore()
    session["place"] = "Ronda"
    session.create()
    Corrida.objects.filter(pk=Corrida.objects.order_by("pk")[0].pk).update(error="two\nlines\t|")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty(
    request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Empty]:
    """Return a function that creates empty databases of one kind and returns their URLs."""
    made = iter(range(100))

    def make() -> str:
        number = next(made)
        if request.param == "sqlite":
            return address(tmp_path / f"{number}.sqlite3")
        name = f"{tmp_path.name}-{os.getpid()}-{number}"
        url: str = request.getfixturevalue("postgres").create(name)
        return url

    with django_db_blocker.unblock():
        yield make
