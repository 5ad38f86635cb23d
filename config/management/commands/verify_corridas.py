"""The old name of `verify corridas`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName


class Command(OldName):
    new = "verify corridas"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--year", type=int)
