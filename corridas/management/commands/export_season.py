"""`manage.py export_season`: write a finished season into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from corridas import archive
from corridas.circuit_queries import SHIPPED
from corridas.models import Season


class Command(BaseCommand):
    """Writes a finished season into a file, which another site can verify and import.

    The file is written line by line, so that memory use is bounded.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("year", type=int)
        parser.add_argument("file", type=Path, help="2027.temporada.zip")
        parser.add_argument("--circuit", default=SHIPPED, help="slug of the circuit")
        parser.add_argument(
            "--promises",
            action="store_true",
            help="with the potential of every matador, which only administrators may know; "
            "without it, other sites cannot verify the winter",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Write the season to a temporary file and rename that when it is complete."""
        season = _season(options["circuit"], options["year"])
        file: Path = options["file"]
        beside = file.with_name(f"{file.name}.part")
        try:
            with beside.open("wb") as out, tqdm(unit="corrida", disable=None) as bar:
                head = archive.export(
                    season, out, promises=options["promises"], progress=moving(bar)
                )
            beside.replace(file)
        except (archive.NotOver, OSError) as error:
            raise CommandError(str(error)) from error
        finally:
            beside.unlink(missing_ok=True)
        self.stdout.write(f"{season} is in {file}, {file.stat().st_size:,} bytes.")
        self.stdout.write(f"head of the chain: {head}")


def _season(circuit: str, year: int) -> Season:
    seasons = Season.objects.select_related("circuit", "winter")
    season = seasons.filter(circuit__slug=circuit, year=year).first()
    if season is None:
        raise CommandError(f"There is no season {year} in {circuit!r}.")
    return season


def moving(bar: tqdm[Any]) -> archive.Progress:
    def move(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return move
