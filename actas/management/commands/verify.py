"""`manage.py verify FILE...`: check files with records, or bundles of many records.

`-` means standard input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from django.core.management.base import BaseCommand

from actas import bundles
from actas.parsing import MAX_BYTES
from actas.verification import VerificationResult, check_file

IN_MEMORY: Final = 8_000_000
PIECE: Final = 1 << 16


class Command(BaseCommand):
    """Check records of games, and seasons, from their files alone, without the database."""

    help = "Check records (actas) and seasons: recalculate everything from the file alone."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        what = "a record, a season as a file, or - for stdin"
        parser.add_argument("files", nargs="+", metavar="FILE", help=what)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each valid file and for each difference found.

        Exit with status 1 if anything differs.
        """
        stands = [self._report(name, verdict_of(name)) for name in options["files"]]
        if not all(stands):
            sys.exit(1)

    def _report(self, name: str, verdict: VerificationResult) -> bool:
        if verdict.is_confirmed:
            self.stdout.write(f"{name}: {verdict.title}: {verdict.sentence}")
        elif verdict.refused:
            self.stdout.write(f"{name}: {verdict.sentence}")
        for line in verdict.lines:
            self.stdout.write(f"{name}: {line}")
        if verdict.more:
            self.stdout.write(f"{name}: {verdict.sentence}")
        if verdict.note:
            self.stdout.write(f"{name}: {verdict.note}")
        return verdict.is_confirmed


def verdict_of(name: str) -> VerificationResult:
    """Return the result of checking a file.

    Reads at most as many bytes as a file of its type may have.
    """
    try:
        if name == "-":
            return _check(sys.stdin.buffer)
        with Path(name).open("rb") as file:
            return _check(file)
    except (OSError, ValueError) as error:
        return VerificationResult(refused=str(error))


def _check(file: IO[bytes]) -> VerificationResult:
    head = file.read(bundles.HEAD_BYTES)
    if bundle := bundles.find_bundle_type(head):
        return _check_bundle(bundle, head, file)
    return check_file(head + file.read(MAX_BYTES + 1 - len(head)))


def _check_bundle(bundle: bundles.Bundle, head: bytes, file: IO[bytes]) -> VerificationResult:
    """Check a temporary copy of a bundle, because standard input cannot seek."""
    with SpooledTemporaryFile[bytes](IN_MEMORY) as copy:
        copy.write(head)
        while copy.tell() <= bundle.most and (piece := file.read(PIECE)):
            copy.write(piece)
        return bundle.check(copy)
