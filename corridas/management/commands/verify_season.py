"""`manage.py verify_season`: verify a season file, without a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from corridas import archive


class Command(BaseCommand):
    """Replays every corrida of a season file from its seed.

    Fails if anything in the file differs.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        report = look(options["file"])
        if report.refused:
            raise CommandError(f"This is no season that can be read: {report.refused}")
        for finding in report.findings:
            self.stdout.write(str(finding))
        self.stdout.write(f"head of the chain: {report.head}")
        if report.findings:
            raise CommandError(f"{len(report.findings)} things are not as they say.")
        self.stdout.write(stands(report))


def look(file: Path) -> archive.Report:
    """Verify a season file, with a progress bar.

    Raise `CommandError` if the file cannot be opened.
    """
    try:
        with file.open("rb") as opened, tqdm(unit="line", disable=None) as bar:
            return archive.verify(opened, progress=lambda done: bar.update(done - bar.n))
    except OSError as error:
        raise CommandError(str(error)) from error


def stands(report: archive.Report) -> str:
    file = report.data
    assert file is not None
    message = (
        f"{report.name} {file.year}: {len(file.days)} corridas and all they came to are as told."
    )
    if report.sealed:
        message += " Its winter could not be played again: what its men may come to is left out."
    return message
