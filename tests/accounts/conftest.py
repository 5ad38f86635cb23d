"""Two users, ana and eva."""

from __future__ import annotations

import pytest

from accounts.models import User


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana", "ana@example.org", "una tarde de abril")


@pytest.fixture
def eva(db: None) -> User:
    return User.objects.create_user("eva", "eva@example.org")
