"""The old name of `rebuild escalafon`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName


class Command(OldName):
    new = "rebuild escalafon"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")
        parser.add_argument("--circuit")
