"""Separate caches for each test."""

import pytest
from django.core.cache import caches
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _near(settings: Settings) -> None:
    settings.CACHES = {
        name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
        for name in ("default", "near")
    }
    for name in ("default", "near"):
        caches[name].clear()
