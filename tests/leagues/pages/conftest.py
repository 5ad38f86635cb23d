"""Fixtures: two guests, each with a test client."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.models import Player
from tests.leagues.pages.tables.seats import person


@pytest.fixture
def ana() -> tuple[Client, Player]:
    return person("Ana")


@pytest.fixture
def blas() -> tuple[Client, Player]:
    return person("Blas")
