"""`manage.py roles`: create the user groups of the admin with their permissions."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from corridas.roles import found_roles


class Command(BaseCommand):
    """Creates the groups of the admin; it can run at every start.

    Users are added to them in the admin.
    """

    help = __doc__ or ""

    def handle(self, *args: object, **options: Any) -> None:
        groups = found_roles()
        if options["verbosity"] > 1:
            self.stdout.write(", ".join(group.name for group in groups))
