"""System checks of the database and of settings, run by `manage.py check` and `prepare`."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage
from django.db import DatabaseError

from core.sequences import MAX_EXACT_NUMBER, models_with_long_keys, sequences_behind


def check_setting_names(**_kwargs: object) -> list[CheckMessage]:
    """Warn of environment variables that are set under a former name."""
    return [
        checks.Warning(
            f"The setting {former} is now called {name}. The former name works until 0.3.0.",
            hint=f"Rename {former} to {name} in the environment of the site.",
            id="site.W004",
        )
        for former, name in settings.FORMER_SETTING_NAMES.items()
    ]


def check_keys(databases: Sequence[str] | None = None, **_kwargs: object) -> list[CheckMessage]:
    """Warn of PostgreSQL sequences below the highest key, and of keys too large for JavaScript."""
    if not databases:
        return []
    try:
        return [*_sequences(), *_long_keys()]
    except DatabaseError as error:
        return [
            checks.Warning(
                f"The keys in the database could not be checked: {error}", id="site.W001"
            )
        ]


def _sequences() -> list[CheckMessage]:
    return [
        checks.Warning(
            f"The sequence of {behind.model._meta.db_table} is at {behind.last:,}, but the "
            f"table has keys up to {behind.highest:,}, so new rows cannot be saved.",
            hint="Run `manage.py advance_sequences`.",
            id="site.W002",
        )
        for behind in sequences_behind()
    ]


def _long_keys() -> list[CheckMessage]:
    tables = ", ".join(sorted(model._meta.db_table for model in models_with_long_keys()))
    if not tables:
        return []
    return [
        checks.Warning(
            f"Keys in {tables} are greater than 2^53 ({MAX_EXACT_NUMBER:,}).",
            hint=(
                "The site works with keys up to 2^63. Programs in JavaScript round such numbers "
                "when they read the API, and then ask for the wrong row: they need a JSON parser "
                "that keeps whole numbers."
            ),
            id="site.W003",
        )
    ]
