"""Bring the data folder up to date: words, tables, rosters, the first season."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand
from django.db import connection

from config.words import compile_catalogues

FOUNDING = "found_leyendas"  # brought by the game; does nothing where it has been done
PREPARING: Final = 0x7E3904ADA
"""The number of the lock; any that nobody else uses."""
ROLES = "roles"  # the groups of the office, as they should be


class Command(BaseCommand):
    """Safe to run at every start: what is there already stays as it is."""

    help = "Compile translations, migrate the database, found the shipped circuit and the roles."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Each step says what it did only where it did something."""
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        for folder in settings.LOCALE_PATHS:
            compile_catalogues(folder)
        with one_at_a_time():
            call_command("migrate", verbosity=0, interactive=False)
            for command in (FOUNDING, ROLES):
                if command in get_commands():
                    call_command(command, verbosity=options["verbosity"])


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of several hosts that start at once, let one prepare after the other.

    PostgreSQL lets the lock go with the connection; SQLite is one machine's, and `up` locks that.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARING])
