"""Every test of the tables may play sticks."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.leagues.tables import sticks


@pytest.fixture(autouse=True, scope="session")
def _sticks() -> None:
    sticks.register()


@pytest.fixture(autouse=True)
def _templates(settings: Settings) -> None:
    """The game's fragment, beside the site's own."""
    (engine,) = settings.TEMPLATES
    folder = Path(__file__).parent / "templates"
    settings.TEMPLATES = [{**engine, "DIRS": [folder, *engine["DIRS"]]}]
