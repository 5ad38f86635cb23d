"""`manage.py review_results`: list stored results that the present referees would reject."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from tqdm import tqdm

from leagues import matches_read as match_queries
from leagues.models import League, Match


class Command(BaseCommand):
    """Lists each such result with the reason and the page to correct it on. Changes nothing."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--league`, which limits the review to one league."""
        parser.add_argument("--league", metavar="SLUG", help="the results of one league")

    def handle(self, *args: object, **options: object) -> None:
        """Check each scoresheet that people entered, latest first, and print those that are
        rejected.
        """
        chosen = Match.objects.all()
        if options["league"]:
            league = League.objects.filter(slug=options["league"]).first()
            if league is None:
                raise CommandError(f"There is no league {options['league']}.")
            chosen = league.matches.all()
        rows = match_queries.handwritten_matches(chosen)
        total, refused = rows.count(), 0
        with tqdm(total=total, unit=" results", leave=False, disable=None) as bar:
            for match, reasons in match_queries.review_matches(rows):
                bar.update()
                if reasons:
                    refused += 1
                    self._report(match, reasons)
        self.stdout.write(f"{refused} of {total} results would not be taken as they stand today.")

    def _report(self, match: Match, reasons: tuple[str, ...]) -> None:
        where = f", {match.league}" if match.league else ""
        self.stdout.write(f"{reverse('match', args=[match.pk])} {match.played_at:%Y-%m-%d}{where}")
        for reason in reasons:
            self.stdout.write(f"    {reason}")
