"""The small circuit, for whatever shows or keeps one."""

from __future__ import annotations

import pytest

from tests.factories import World, lived_circuit, small_circuit
from tests.isolated import _read_files_in_this_process  # noqa: F401 - a fixture


@pytest.fixture
def world(db: None, request: pytest.FixtureRequest) -> World:
    """The circuit of the site, small."""
    if "lived" in request.fixturenames:
        lived: World = request.getfixturevalue("lived")
        return lived
    return small_circuit()


@pytest.fixture
def lived(db: None) -> World:
    """The same after three afternoons of March."""
    return lived_circuit()
