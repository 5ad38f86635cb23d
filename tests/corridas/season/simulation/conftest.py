"""Two circuits whose rows bear the same names."""

import pytest

from tests.corridas.pages.conftest import World
from tests.corridas.season.simulation.arena import twins


@pytest.fixture
def both(db: None) -> tuple[World, World]:
    """The circuit of the site and its double."""
    return twins()


@pytest.fixture
def mine(both: tuple[World, World]) -> World:
    return both[0]


@pytest.fixture
def other(both: tuple[World, World]) -> World:
    return both[1]
