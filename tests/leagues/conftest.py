"""Registers the test game "highest card" for all league tests."""

import pytest

from tests.isolated import _read_files_in_this_process  # noqa: F401 - a fixture
from tests.leagues import game


@pytest.fixture(autouse=True, scope="session")
def _highest_card() -> None:
    game.register()
