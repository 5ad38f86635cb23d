"""Calculate derived data again: rankings and records, houses, chances, ratings, search index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import get_text_list
from tqdm import tqdm

from corridas.card_chances import rebuild_chances
from corridas.models import Circuit, Season
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.derived_houses import rebuild_houses
from corridas.simulation.post import rebuild
from leagues.models import Pool
from leagues.ratings import pools
from search import index
from search.kinds import all_rows

ESCALAFON, HOUSES, CHANCES = "escalafon", "houses", "chances"
RATINGS, SEARCH = "ratings", "search"
# Data that can be rebuilt, each with the option that limits the rebuild.
PARTS: Final = {
    ESCALAFON: "circuit",
    HOUSES: "circuit",
    CHANCES: "circuit",
    RATINGS: "league",
    SEARCH: "",
}


class Command(BaseCommand):
    """Reports stored rows that differ from those calculated from the results, and corrects them.

    With `--check`, rows are only compared.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        what = (
            f"{ESCALAFON} (rankings, records and awards), {HOUSES} (how full plazas are), "
            f"{CHANCES} (of the matadors' cards), "
            f"{RATINGS} or {SEARCH}; default: all"
        )
        parser.add_argument("what", nargs="*", metavar="WHAT", help=what)
        parser.add_argument("--check", action="store_true", help="only compare, change nothing")
        parser.add_argument(
            "--circuit", help="only with escalafon, houses or chances: slug of one circuit"
        )
        parser.add_argument(
            "--league", metavar="SLUG", help="only with ratings: slug of one league"
        )

    def handle(self, *args: object, **options: Any) -> None:
        chosen, check = options["what"] or list(PARTS), options["check"]
        for name in chosen:
            if name not in PARTS:
                raise CommandError(f"{name!r} is not one of {', '.join(PARTS)}.")
        for option in ("circuit", "league"):
            able = [name for name in PARTS if PARTS[name] == option]
            if options[option] and not {*chosen} <= {*able}:
                commands = get_text_list([f"`rebuild {name}`" for name in able], "and")
                raise CommandError(f"--{option} is an option of {commands}.")
        rebuilds = {
            ESCALAFON: lambda: self._escalafon(options["circuit"], check),
            HOUSES: lambda: self._houses(options["circuit"], check),
            CHANCES: lambda: self._chances(options["circuit"], check),
            RATINGS: lambda: self._ratings(options["league"], check),
            SEARCH: lambda: self._search(check),
        }
        differing = sum(rebuilds[name]() for name in chosen)
        if check and differing:
            raise CommandError(
                f"{differing} figures differ. Run the command without --check to correct them."
            )

    def _escalafon(self, slug: str | None, check: bool) -> int:
        return sum(self._circuit(circuit, check) for circuit in self._circuits(slug))

    def _circuits(self, slug: str | None) -> QuerySet[Circuit]:
        circuits = Circuit.objects.order_by("slug").select_related("deck")
        if slug:
            circuits = circuits.filter(slug=slug)
            if not circuits:
                raise CommandError(f"There is no circuit {slug!r}.")
        return circuits

    def _houses(self, slug: str | None, check: bool) -> int:
        seasons = Season.objects.filter(circuit__in=self._circuits(slug).values("pk"))
        differing = 0
        for season in seasons.select_related("circuit").order_by("circuit__slug", "year"):
            differences = rebuild_houses(season, write_rows=not check)
            differing += self._report(f"{season}, houses", differences)
        return differing

    def _chances(self, slug: str | None, check: bool) -> int:
        """Calculate the chances of all cards again. Decks without score counts are sampled."""
        differing = 0
        for circuit in self._circuits(slug):
            differences = rebuild_chances(circuit, write_rows=not check, clock=timezone.now)
            differing += self._report(f"{circuit}, chances", differences)
        return differing

    def _circuit(self, circuit: Circuit, check: bool) -> int:
        """Rebuild one circuit and return the number of differences.

        Its seasons come first, because the record book is calculated from them.
        """
        differing = 0
        seasons = Season.objects.filter(circuit=circuit).select_related("circuit").order_by("year")
        for season in seasons:
            differences = rebuild(season, write_rows=not check)
            differing += self._report(str(season), differences)
        differences = rebuild_book(circuit, write_rows=not check)
        return differing + self._report(f"{circuit}, record book", differences)

    def _ratings(self, slug: str | None, check: bool) -> int:
        chosen = Pool.objects.select_related("league").order_by("game", "league")
        if slug:
            chosen = chosen.filter(league__slug=slug)
        return sum(self._pool(pool, check) for pool in chosen)

    def _pool(self, pool: Pool, check: bool) -> int:
        differing = self._report(str(pool), pools.rating_differences(pool))
        if differing and not check:
            row = pools.request_recount(pool, at=timezone.now())
            with tqdm(total=row.total, desc=str(pool), unit=" results", leave=False) as bar:
                pools.run_recount(
                    row.pk, clock=timezone.now, progress=lambda done: bar.update(done - bar.n)
                )
        return differing

    def _search(self, check: bool) -> int:
        """Write the index again in one transaction, or compare it."""
        if check:
            return self._report("search index", index.differences(all_rows(apps.get_model)))
        self.stdout.write(f"{index.replace(all_rows(apps.get_model))} entries.")
        return 0

    def _report(self, whose: str, differences: Sequence[object]) -> int:
        for difference in differences:
            self.stdout.write(f"{whose}: {difference}")
        self.stdout.write(
            f"{whose}: {'agrees' if not differences else f'{len(differences)} differ'}"
        )
        return len(differences)
