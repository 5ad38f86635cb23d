"""A small circuit whose names are in the search index."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.factories import World, small_circuit
from tests.search.scene import reindex


@pytest.fixture
def world(db: None) -> World:
    """The site's circuit with one announced corrida and six bulls, all in the search index."""
    world = small_circuit()
    corrida = world.announce(dt.date(2027, 5, 14))
    for place in range(6):
        world.bull(corrida, place, "Cantinero")
    reindex()
    return world
