"""Fixtures with a small circuit, with and without corridas that have been played."""

from __future__ import annotations

import pytest

from corridas.card_chances import NO_CHANCES
from corridas.models import MatadorCard
from tests.factories import World, lived_circuit, small_circuit
from tests.isolated import _read_files_in_this_process  # noqa: F401 - a fixture


@pytest.fixture
def world(db: None, request: pytest.FixtureRequest) -> World:
    """Return the site's circuit with a small roster."""
    if "lived" in request.fixturenames:
        lived: World = request.getfixturevalue("lived")
        return lived
    return small_circuit()


@pytest.fixture
def lived(db: None) -> World:
    """Return the small circuit after three corridas in March."""
    return lived_circuit()


@pytest.fixture
def without_chances(db: None, request: pytest.FixtureRequest) -> None:
    """Remove the chances of all cards in the test's circuit."""
    for name in ("world", "lived", "ended"):
        if name in request.fixturenames:
            request.getfixturevalue(name)
    MatadorCard.objects.update(**NO_CHANCES)
