"""The old name of `rebuild ratings`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName


class Command(OldName):
    new = "rebuild ratings"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")
        parser.add_argument("--league", metavar="SLUG")
