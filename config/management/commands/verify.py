"""Check record files and season files, or the results that this site stores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from actas import bundles, revalidation
from actas.models import Revalidation
from actas.parsing import MAX_BYTES
from actas.revalidation import RevalidationItem
from actas.verification import VerificationResult, check_file
from corridas.archive.revalidation import promised_corridas, promised_winters

IN_MEMORY: Final = 8_000_000
PIECE: Final = 1 << 16
# Stored results that can be checked, each with its option.
STORED: Final = {"corridas": "year", "winters": "circuit", "site": "since"}


class Command(BaseCommand):
    """Replays games from their seeds, and fails if a result differs.

    Files are checked without the database. `-` means standard input.
    """

    help = (
        "Check FILEs (records and seasons), the corridas or winters simulated on this site, "
        "or the whole site as it does every night."
    )
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        what = "files (- for standard input), or one of: corridas, winters, site"
        parser.add_argument("what", nargs="+", metavar="WHAT", help=what)
        parser.add_argument("--year", type=int, help="only with corridas: the year to check")
        parser.add_argument("--circuit", help="only with winters: slug of the circuit to check")
        parser.add_argument(
            "--since",
            type=date.fromisoformat,
            help="only with site: first day to check, such as 2027-03-01",
        )

    def handle(self, *args: object, **options: Any) -> None:
        what = options["what"]
        stored = what[0] if len(what) == 1 and what[0] in STORED else ""
        for name, option in STORED.items():
            if options[option] is not None and name != stored:
                raise CommandError(f"--{option} is an option of `verify {name}`.")
        if stored == "corridas":
            self._replay(stored, *promised_corridas(options["year"]))
        elif stored == "winters":
            self._replay(stored, *promised_winters(options["circuit"]))
        elif stored == "site":
            self._revalidate(options["since"])
        else:
            confirmed = [self._report(name, result_of(name)) for name in what]
            if not all(confirmed):
                sys.exit(1)

    def _report(self, name: str, result: VerificationResult) -> bool:
        """Print a line for a valid file, or for each difference found in it."""
        if result.is_confirmed:
            self.stdout.write(f"{name}: {result.title}: {result.sentence}")
        elif result.refused:
            self.stdout.write(f"{name}: {result.sentence}")
        for line in result.lines:
            self.stdout.write(f"{name}: {line}")
        if result.more:
            self.stdout.write(f"{name}: {result.sentence}")
        if result.note:
            self.stdout.write(f"{name}: {result.note}")
        return result.is_confirmed

    def _replay(self, kind: str, count: int, items: Iterable[RevalidationItem]) -> None:
        broken = 0
        for item in tqdm(items, total=count, unit=kind.removesuffix("s"), disable=None):
            differences = item.check()
            broken += bool(differences)
            for name, claimed, found in differences:
                self.stdout.write(
                    f"{item.subject}, {name}: stored {claimed!r}, calculated {found!r}."
                )
        self.stdout.write(f"{count - broken} {kind} are as promised.")
        if broken:
            raise CommandError(f"{broken} {kind} are not as promised.")

    def _revalidate(self, since: date | None) -> None:
        """Replay all stored games with the current engines, as the site does every night.

        An interrupted run stores its progress, and the next call continues from there.
        """
        row = revalidation.start_revalidation(at=timezone.now(), since=since)
        with tqdm(total=row.total, initial=row.done, disable=None) as bar:
            revalidation.resume(row.pk, clock=timezone.now, most=None, progress=_moving(bar))
        row.refresh_from_db()
        if row.ended_at is None:
            raise CommandError(
                "Another process is already checking the site. /status/ will show the result."
            )
        for failure in row.first:
            for line in failure["lines"]:
                self.stdout.write(f"{failure['kind']} {failure['subject']}: {line}")
        for kind, looked_at in row.looked_at.items():
            version, wrong = row.engines.get(kind, "?"), row.differing.get(kind, 0)
            self.stdout.write(f"{kind}: {looked_at} replayed with engine {version}, {wrong} differ")
        if row.broken:
            raise CommandError(f"{row.broken} of {row.done} are not as promised.")
        self.stdout.write(f"All {row.done} are as promised.")


def _moving(bar: tqdm[Any]) -> revalidation.Progress:
    def move(row: Revalidation) -> None:
        bar.update(row.done - bar.n)
        bar.set_postfix(differ=row.broken)

    return move


def result_of(name: str) -> VerificationResult:
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
    with (
        SpooledTemporaryFile[bytes](IN_MEMORY) as copy,
        tqdm(unit="line", disable=None) as bar,
    ):
        copy.write(head)
        while copy.tell() <= bundle.most and (piece := file.read(PIECE)):
            copy.write(piece)
        return bundle.check(copy, lambda done: bar.update(done - bar.n))
