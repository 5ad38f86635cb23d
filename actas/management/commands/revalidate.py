"""`manage.py revalidate`: replay finished corridas, winters and rounds with the current engines."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from actas import revalidation
from actas.models import Revalidation


class Command(BaseCommand):
    """Replays finished corridas, winters and rounds, and fails if a result differs from the stored
    one.

    An interrupted run stores its progress, and the next call continues from there.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--since", type=dt.date.fromisoformat, help="a day, 2027-03-01; default: everything"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        row = revalidation.start_revalidation(at=timezone.now(), since=options["since"])
        with tqdm(total=row.total, initial=row.done, disable=None) as bar:
            revalidation.resume(row.pk, clock=timezone.now, most=None, progress=_moving(bar))
        row.refresh_from_db()
        if row.ended_at is None:
            raise CommandError("Another process is at it; its outcome will be on /status/.")
        self._report(row)

    def _report(self, row: Revalidation) -> None:
        for failure in row.first:
            for line in failure["lines"]:
                self.stdout.write(f"{failure['kind']} {failure['subject']}: {line}")
        for kind, looked_at in row.looked_at.items():
            version, wrong = row.engines.get(kind, "?"), row.differing.get(kind, 0)
            self.stdout.write(
                f"{kind}: {looked_at} played again by engine {version}, {wrong} differ"
            )
        if row.broken:
            raise CommandError(f"{row.broken} of {row.done} are not as promised.")
        self.stdout.write(f"All {row.done} are as promised.")


def _moving(bar: tqdm[Any]) -> revalidation.Progress:
    def move(row: Revalidation) -> None:
        bar.update(row.done - bar.n)
        bar.set_postfix(differ=row.broken)

    return move
