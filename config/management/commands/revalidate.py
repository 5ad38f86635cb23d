"""The old name of `verify site`."""

from datetime import date

from django.core.management.base import CommandParser

from config.management.old_names import OldName


class Command(OldName):
    new = "verify site"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", type=date.fromisoformat)
