"""The old name of `bots`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName
from leagues.management.commands import bots


class Command(OldName):
    new = "bots"

    def add_arguments(self, parser: CommandParser) -> None:
        bots.Command().add_arguments(parser)

    def handle(self, *args: object, **options: object) -> None:
        super().handle(options.pop("game"), **options)
