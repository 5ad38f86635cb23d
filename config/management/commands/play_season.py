"""The old name of `play`."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName
from corridas.management.commands import play


class Command(OldName):
    new = "play"

    def add_arguments(self, parser: CommandParser) -> None:
        play.Command().add_arguments(parser)
