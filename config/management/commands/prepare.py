"""Bring the data folder up to date: words, tables, rosters, the first season."""

from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand

from config.words import compile_catalogues

FOUNDING = "found_leyendas"  # brought by the game; does nothing where it has been done
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
        call_command("migrate", verbosity=0, interactive=False)
        if FOUNDING in get_commands():
            call_command(FOUNDING, verbosity=options["verbosity"])
        if ROLES in get_commands():
            call_command(ROLES, verbosity=options["verbosity"])
