"""Django's `check` command, including the checks of the database by default."""

from __future__ import annotations

from typing import Any

from django.core.management.commands.check import Command as DjangoCommand
from django.db import DEFAULT_DB_ALIAS


class Command(DjangoCommand):
    def handle(self, *args: Any, **options: object) -> None:
        if not options["list_tags"]:
            options["databases"] = options["databases"] or [DEFAULT_DB_ALIAS]
        super().handle(*args, **options)
