"""Fixtures: database files with circuits and played seasons, copied for each test that writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from corridas.circuits.operations import found_leyendas
from corridas.models import Season
from tests.corridas.pages.conftest import World
from tests.corridas.simulation import world
from tests.corridas.simulation.arena import twins
from tests.databases import Copies, Filling, Stored, address, copy_of, opened


@pytest.fixture(scope="session")
def filling() -> Filling:
    """Create the small circuits of these tests, without any announced corridas."""
    return Filling("founded", world.found_all)


@pytest.fixture(scope="session")
def played(
    stored: Stored, migrated: Path, filling: Filling, django_db_blocker: DjangoDbBlocker
) -> Path:
    """Return a database file with the whole seasons of the shipped circuit and of the `wild`
    circuit.

    In `wild` the deck injures very often.
    """
    with django_db_blocker.unblock():
        founded = stored.file(filling.name, migrated, filling.build)
        return stored.file("played", founded, _play)


def _play() -> None:
    shipped = found_leyendas(year=world.YEAR).seasons.get()
    world.play_season(shipped)
    world.play_season(world.wild())


@pytest.fixture
def rows(copies: Copies) -> Iterator[str]:
    """Open a database with the small circuits for one test, and return its URL."""
    url = copies()
    with opened(url):
        yield url


@pytest.fixture
def over(played: Path, unblocked: None) -> Iterator[Any]:
    """Open the played seasons for reading only."""
    with opened(address(played)) as connection:
        yield connection


@pytest.fixture
def damageable(played: Path, tmp_path: Path, unblocked: None) -> Iterator[str]:
    """Open a copy of the played seasons that a test may damage."""
    url = copy_of(played, tmp_path / "played.sqlite3")
    with opened(url):
        yield url


@pytest.fixture
def leyendas(over: Any) -> Season:
    return Season.objects.select_related("circuit").get(circuit__slug="leyendas")


@pytest.fixture
def both(db: None) -> tuple[World, World]:
    """Return the site's circuit and a second circuit whose rows have the same slugs."""
    return twins()


@pytest.fixture
def mine(both: tuple[World, World]) -> World:
    return both[0]


@pytest.fixture
def other(both: tuple[World, World]) -> World:
    return both[1]
