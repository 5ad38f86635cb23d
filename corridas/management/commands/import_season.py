"""`manage.py import_season`: import a season that another site has exported to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from accounts.authentication import user_called
from corridas import archive
from corridas.models import Circuit


class Command(BaseCommand):
    """Verifies a season file and imports all of it, or nothing.

    The season goes into a new circuit, or into an existing one that has the season before it.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        where = parser.add_mutually_exclusive_group()
        where.add_argument("--owner", help="name of the user who directs the new circuit")
        where.add_argument("--circuit", help="slug of the circuit with the season before it")

    def handle(self, *args: object, **options: Any) -> None:
        report = verify_with_progress(options["file"])
        home = self._home(report, options["circuit"], options["owner"])
        try:
            season = archive.take_in(report, home, at=timezone.now())
        except archive.NotTaken as error:
            for finding in error.findings:
                self.stdout.write(str(finding))
            raise CommandError(str(error)) from error
        self.stdout.write(f"{season} was imported; its circuit is {season.circuit.slug!r}.")

    def _home(self, report: archive.Report, slug: str | None, username: str | None) -> archive.Home:
        circuit = owner = None
        if slug:
            circuit = Circuit.objects.filter(slug=slug).first()
            if circuit is None:
                raise CommandError(f"There is no circuit {slug!r}.")
        if username:
            owner = user_called(username)
            if owner is None:
                raise CommandError(f"There is nobody called {username!r}.")
        return archive.Home(name=report.name or "Temporada", owner=owner, circuit=circuit)


def verify_with_progress(file: Path) -> archive.Report:
    """Verify a season file, with a progress bar.

    Raise `CommandError` if the file cannot be opened.
    """
    try:
        with file.open("rb") as opened, tqdm(unit="line", disable=None) as bar:
            return archive.verify(opened, progress=lambda done: bar.update(done - bar.n))
    except OSError as error:
        raise CommandError(str(error)) from error
