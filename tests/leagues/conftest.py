"""Every test of the leagues may play highest card."""

import pytest

from tests.leagues import game


@pytest.fixture(autouse=True, scope="session")
def _highest_card() -> None:
    game.register()
