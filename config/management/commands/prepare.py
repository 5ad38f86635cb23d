"""Prepare the data: translations, migrations, the bundled circuit and its first season."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from config.checks import check_keys
from config.translations import compile_catalogues
from core.disk import database_advice
from core.names.filling import fill_missing_keys
from search.kinds import fill_missing_kinds

FOUNDING_COMMAND = "found_leyendas"  # loads the bundled circuit; does nothing if it exists
# Number of the PostgreSQL advisory lock that is held while the database is prepared. The number
# itself is arbitrary.
LOCK_NUMBER: Final = 0x7E3904ADA
ROLES_COMMAND = "roles"  # sets the permission groups of administrators


class Command(BaseCommand):
    """Prepare the database and translations.

    This is safe to run at every start, because existing data stays unchanged.
    """

    help = "Compile translations, migrate the database, found the shipped circuit and the roles."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: Any) -> None:
        """Run all steps. A step prints a line only if it changed something."""
        for folder in settings.LOCALE_PATHS:
            compile_catalogues(folder)
        try:
            self._prepare(options["verbosity"])
        except DatabaseError as error:
            raise CommandError(database_advice(error)) from error

    def _prepare(self, verbosity: int) -> None:
        with one_at_a_time():
            check_is_not_newer()
            call_command("migrate", verbosity=0, interactive=False)
            fill_missing_keys()
            fill_missing_kinds()
            for warning in check_keys(databases=[connection.alias]):
                self.stderr.write(f"{warning.msg} {warning.hint or ''}".strip())
            for command in (FOUNDING_COMMAND, ROLES_COMMAND):
                if command in get_commands():
                    call_command(command, verbosity=verbosity)


def check_is_not_newer() -> None:
    """Raise CommandError if a newer version of the site has migrated the database."""
    loader = MigrationLoader(connection)
    ours = {app for app, _name in loader.disk_migrations}
    unknown = sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - set(loader.disk_migrations)
        if app in ours and (app, name) not in replaced(loader)
    )
    if unknown:
        raise CommandError(
            f"The database was made by a newer version of this site ({unknown[-1]}): start that "
            "version, or restore a backup of this one into a new folder."
        )


def replaced(loader: MigrationLoader) -> set[tuple[str, str]]:
    return {old for migration in loader.disk_migrations.values() for old in migration.replaces}


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let only one host at a time prepare the database. Other hosts that start meanwhile wait.

    PostgreSQL releases the advisory lock when the connection ends. SQLite needs no lock here,
    because it is used on one machine only, where `manage.py up` locks the data folder.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_NUMBER])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_NUMBER])
