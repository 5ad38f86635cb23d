"""The old name of `verify FILE` for a season file, with the output of that command."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from config.management.old_names import OldName
from corridas.management.commands.import_season import verify_with_progress


class Command(OldName):
    new = "verify"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, **options: Any) -> None:
        self.announce()
        report = verify_with_progress(options["file"])
        if report.refused:
            raise CommandError(f"This is no season that can be read: {report.refused}")
        for finding in report.findings:
            self.stdout.write(str(finding))
        self.stdout.write(f"head of the chain: {report.head}")
        if report.findings:
            raise CommandError(f"{len(report.findings)} things are not as they say.")
        assert report.data is not None
        message = (
            f"{report.name} {report.data.year}: {len(report.data.days)} corridas and all they came "
            "to are as told."
        )
        if report.sealed:
            message += (
                " Its winter could not be played again: what its men may come to is left out."
            )
        self.stdout.write(message)
