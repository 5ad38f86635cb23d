"""Fixture that counts the queries of a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.corridas.conftest import lived, world
from tests.factories import World

__all__ = ["World", "lived", "world"]

Counted = Callable[[str], int]


@pytest.fixture
def counted(client: object, django_assert_max_num_queries: object) -> Counted:
    """Return a function that counts the queries of the first request of a URL."""
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    def count(address: str) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(address).status_code == 200
        return len(queries)

    return count
