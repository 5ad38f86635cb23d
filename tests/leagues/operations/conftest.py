"""Databases with a league, one for each test, that several threads may open."""

import pytest

from tests.databases import Filling
from tests.leagues import game, world


@pytest.fixture(scope="session")
def filling() -> Filling:
    """Fill the databases with a league, its players, and matches in every state."""
    game.register()
    return Filling("league", world.settle_in)
