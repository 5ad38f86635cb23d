"""Runs tests with batches of generated names."""

from __future__ import annotations

import os
from functools import cache

import pytest
from pytest_django import Settings

from tests.generated_names import KINDS, generated_names
from tests.leagues import game

# Number of names. NAMES=2000 takes an hour of CPU time on each database.
COUNT = int(os.environ.get("NAMES", "320"))


@cache
def all_batches() -> list[list[str]]:
    names = generated_names(COUNT)
    return [names[start : start + KINDS] for start in range(0, COUNT, KINDS)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the fixture `names` one name of each kind by day, and all other names at night.

    Every batch starts with an empty database, so that no page lists all names together.
    """
    if "names" not in metafunc.fixturenames:
        return
    batches = all_batches()
    marks = [pytest.mark.slow, *[pytest.mark.nightly] * (len(batches) - 1)]
    metafunc.parametrize(
        "names",
        [pytest.param(batch, marks=mark) for batch, mark in zip(batches, marks, strict=True)],
        ids=[str(number) for number in range(len(batches))],
    )


@pytest.fixture(autouse=True, scope="session")
def _highest_card() -> None:
    game.register()


@pytest.fixture(autouse=True)
def _no_limits(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    settings.MAX_CIRCUITS_PER_USER = COUNT
