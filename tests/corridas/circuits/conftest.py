"""A database with circuits to copy, created once and opened by several threads."""

from __future__ import annotations

import pytest

from accounts.models import User
from corridas.season.operations import Goal
from tests.corridas.simulation import world
from tests.databases import Filling

COPIERS = ("ana", "beto", "carla", "dario")


@pytest.fixture(scope="session")
def filling() -> Filling:
    """Create the small circuits of the simulation tests, with one posted corrida, and
    four users.
    """
    return Filling("copied", _fill)


def _fill() -> None:
    world.found_all()
    for name in COPIERS:
        User.objects.create_user(name)
    world.run_on(world.begin(world.wild(), Goal(corridas=2)))
