"""Databases of one test alone, with a league in them, that several threads may open."""

import pytest

from tests.databases import Filling
from tests.leagues import game, world


@pytest.fixture(scope="session")
def filling() -> Filling:
    """A league, its people, and matches in every state."""
    game.register()
    return Filling("league", world.settle_in)
