"""The old name of `verify winters`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName


class Command(OldName):
    new = "verify winters"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--circuit")
