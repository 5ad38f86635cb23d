"""`manage.py verify FILE...`: whether records are what they say; `-` is the standard input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from actas.kinds import Verdict, check_file
from actas.reading import MOST_BYTES


class Command(BaseCommand):
    """Check records from their files alone."""

    help = "Check records (actas): everything is worked out anew from the file alone."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Files, or `-`."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="a record, or - for stdin")

    def handle(self, *args: Any, **options: Any) -> None:
        """A line for what stands, a line for each thing that differs; 1 where anything does."""
        stands = [self._tell(name, verdict_of(name)) for name in options["files"]]
        if not all(stands):
            sys.exit(1)

    def _tell(self, name: str, verdict: Verdict) -> bool:
        if verdict.stands:
            self.stdout.write(f"{name}: {verdict.title}: {verdict.sentence}")
        elif verdict.refused:
            self.stdout.write(f"{name}: {verdict.sentence}")
        for line in verdict.lines:
            self.stdout.write(f"{name}: {line}")
        if verdict.more:
            self.stdout.write(f"{name}: {verdict.sentence}")
        return verdict.stands


def verdict_of(name: str) -> Verdict:
    """The verdict on a file, of which no more is read than an acta can be long."""
    try:
        if name == "-":
            return check_file(sys.stdin.buffer.read(MOST_BYTES + 1))
        with Path(name).open("rb") as file:
            return check_file(file.read(MOST_BYTES + 1))
    except (OSError, ValueError) as error:
        return Verdict(refused=str(error))
