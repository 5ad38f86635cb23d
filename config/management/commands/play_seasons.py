"""The old name of `play --count` and `play --to`. Without an option, it plays one season."""

from django.core.management.base import CommandParser

from config.management.old_names import OldName
from corridas.management.commands import play


class Command(OldName):
    new = "play"
    shown = "play --count"

    def add_arguments(self, parser: CommandParser) -> None:
        play.Command().add_arguments(parser)

    def handle(self, *args: object, **options: object) -> None:
        if options["to"] is None and options["count"] is None:
            options["count"] = 1
        super().handle(**options)
