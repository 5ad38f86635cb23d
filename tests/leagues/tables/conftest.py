"""Registers the test game "sticks" for all tests of game tables."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.leagues.tables import sticks


@pytest.fixture(autouse=True, scope="session")
def _sticks() -> None:
    sticks.register()


@pytest.fixture(autouse=True)
def _templates(settings: Settings) -> None:
    """Add the template folder of the test game."""
    (engine,) = settings.TEMPLATES
    folder = Path(__file__).parent / "templates"
    settings.TEMPLATES = [{**engine, "DIRS": [folder, *engine["DIRS"]]}]
