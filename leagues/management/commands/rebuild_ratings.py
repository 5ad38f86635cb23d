"""`manage.py rebuild_ratings`: recalculate all ratings from the history of results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from leagues.models import Pool
from leagues.ratings import pools
from leagues.ratings.pools import rating_differences


class Command(BaseCommand):
    """Compares the stored ratings of every pool with a recalculation, and corrects them.

    With `--check`, ratings are only compared.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--check` (compare only, and fail if a rating differs) and `--league` (only this
        league).
        """
        parser.add_argument("--check", action="store_true", help="compare only")
        parser.add_argument("--league", metavar="SLUG", help="the pool of one league")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare each pool and print the ratings that differ."""
        chosen = Pool.objects.select_related("league").order_by("game", "league")
        if options["league"]:
            chosen = chosen.filter(league__slug=options["league"])
        differing = sum(self._go_through(pool, check=options["check"]) for pool in chosen)
        if options["check"] and differing:
            raise CommandError(f"{differing} figures differ. Run without --check to correct them.")

    def _go_through(self, pool: Pool, *, check: bool) -> int:
        differences = rating_differences(pool)
        for difference in differences:
            self.stdout.write(f"{pool}: {difference}")
        self.stdout.write(
            f"{pool}: {'agrees' if not differences else f'{len(differences)} differ'}"
        )
        if differences and not check:
            self._mend(pool)
        return len(differences)

    def _mend(self, pool: Pool) -> None:
        row = pools.request_recount(pool, at=timezone.now())
        with tqdm(total=row.total, desc=str(pool), unit=" results", leave=False) as bar:
            pools.run_recount(
                row.pk, clock=timezone.now, progress=lambda done: bar.update(done - bar.n)
            )
