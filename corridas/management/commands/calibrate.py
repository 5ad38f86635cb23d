"""`manage.py calibrate`: simulate seasons and compare their statistics with the intended bounds.

A last table shows how much the matadors differ by their cards; `manage.py calibrate matadors` shows
only this table. `manage.py calibrate choosers` compares three ways to choose the matadors of a
corrida. `manage.py calibrate GAME` does the same for another game that defines a
calibration, and `manage.py calibrate careers` for fifty consecutive seasons with their winters.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from core.jobs import process_pool
from corridas.engine import Crowd, Rules, RulesError
from corridas.management import careers
from corridas.world import roster
from corridas.world.calibration import LidiaStatistics, Mix, Season, play_season
from corridas.world.careers import CareerFigure, figures
from corridas.world.chances import sample_scores
from corridas.world.choosers import CORRIDAS, compare_choosers
from corridas.world.matador_figures import FIGHTS, matador_figures, play_fights
from corridas.world.winter.bounds import SEASONS
from fairness import Seed
from leagues.games import MeasuredFigure, games

CATEGORIES = (1, 2, 3)
ORDINALS = {1: "1st category", 2: "2nd category", 3: "3rd category"}
LEADER = (45, 110)
FIRST_YEAR = 2026
MIXED_SEASONS = 10
CAREERS, MATADORS, CHOOSERS = "careers", "matadors", "choosers"
# Bounds of the rank correlation of rating and ears per bull, the mean of all seasons.
RANKED = (0.1, 0.45)
RUNS = 4
SEED = "calibrate"


class Bound(NamedTuple):
    """A statistic of the calibration table, how to compute it, and its bounds.

    `take` returns the part and the whole whose ratio is the statistic. `unit` is "%" or empty.
    """

    name: str
    low: float
    high: float
    unit: str
    take: Callable[[LidiaStatistics], tuple[int, int]]

    def figure(self, tally: LidiaStatistics) -> float:
        """Return the value of the statistic, in percent if that is its unit.

        Return 0 if there is nothing to count.
        """
        part, whole = self.take(tally)
        return (100 if self.unit else 1) * part / whole if whole else 0.0


# Famous matadors fight in plazas of the first category most often and win more ears there than
# others, so the means of a season are higher in category 1 and lower in category 3 than those of
# all matadors alike.
EARS = {1: (0.20, 0.42), 2: (0.40, 0.65), 3: (0.48, 0.85)}
WARNED = Bound("at least one aviso", 28, 42, "%", lambda tally: (tally.warned, tally.lidias))
OVER_ALL = (
    Bound("three avisos", 0.2, 0.9, "%", lambda tally: (tally.stopped, tally.lidias)),
    Bound("bulls spared", 0.4, 1.3, "%", lambda tally: (tally.spared, tally.lidias)),
    Bound("tails per 100 bulls", 0.5, 3.0, "%", lambda tally: (tally.tails, tally.lidias)),
    Bound("matador unable to go on", 0.5, 1.6, "%", lambda tally: (tally.unable, tally.lidias)),
    Bound(
        "two ears or more of awards", 15, 35, "%", lambda tally: (tally.big_awards, tally.awards)
    ),
)


def ears_bound(category: int) -> Bound:
    low, high = EARS[category]
    return Bound("ears per bull", low, high, "", lambda tally: (tally.ears, tally.lidias))


def judge(seasons: Sequence[Season], mix: Mix) -> list[MeasuredFigure]:
    """Return all lines of the calibration table for these simulated seasons."""
    tallies = {
        category: sum((season.tallies[category] for season in seasons), LidiaStatistics())
        for category in CATEGORIES
    }
    total = sum(tallies.values(), LidiaStatistics())
    lines = [
        _line(f"{bound.name}, {ORDINALS[category]}", bound, tally)
        for category, tally in tallies.items()
        for bound in (ears_bound(category), WARNED)
    ]
    lines += [_line(bound.name, bound, total) for bound in OVER_ALL]
    lines += [_verdict(verdict, total) for verdict in Crowd]
    return lines + ([_leader(seasons), _ranked(seasons)] if mix is Mix.CONTRACTED else [])


def _line(what: str, bound: Bound, tally: LidiaStatistics) -> MeasuredFigure:
    figure = bound.figure(tally)
    text = f"{figure:.2f}{' %' if bound.unit else ''}"
    inside = bound.low <= figure <= bound.high
    return MeasuredFigure(what, text, f"{bound.low:g}-{bound.high:g}", inside)


def _verdict(verdict: Crowd, tally: LidiaStatistics) -> MeasuredFigure:
    share = 100 * tally.crowd[verdict] / max(1, tally.lidias)
    return MeasuredFigure(
        f"{verdict.name} seen", f"{share:.2f} %", "above 0", tally.crowd[verdict] > 0
    )


def _leader(seasons: Sequence[Season]) -> MeasuredFigure:
    most = [max(season.corridas.values()) for season in seasons]
    low, high = min(most), max(most)
    inside = LEADER[0] <= low and high <= LEADER[1]
    return MeasuredFigure("corridas of a season's leader", f"{low}-{high}", "45-110", inside)


def _ranked(seasons: Sequence[Season]) -> MeasuredFigure:
    """Return the rank correlation of rating and ears: famous matadors fight where ears are rare,
    and must win more of them nevertheless.
    """
    figure = fmean(season.rank_correlation() for season in seasons)
    low, high = RANKED
    inside = low <= figure <= high
    return MeasuredFigure(
        "rank correlation rating, ears", f"{figure:.2f}", f"{low:g}-{high:g}", inside
    )


def calibratable_games() -> list[str]:
    return [game.key for game in games.all_games() if game.calibration is not None]


def run_calibration(
    key: str, *, count: int, seed: str, processes: int
) -> tuple[Sequence[MeasuredFigure], str]:
    """Simulate `count` games and return their statistics and a report.

    `key` is one of `calibratable_games`.
    """
    make = games[key].calibration
    assert make is not None
    calibration = make(games=count, seed=seed)
    portions = calibration.portions
    with process_pool.process_pool(processes) as pool:
        played = pool.map(calibration.play, portions)
        bar = tqdm(played, total=len(portions), desc=key, unit="portion", disable=None)
        results = list(bar)
    return calibration.figures(results), calibration.report(results)


class Command(BaseCommand):
    """Prints the calibration table. Exits with 1 if a statistic is outside of its bounds."""

    help = "Play a season mix many times and print the figures beside their bounds."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        help_text = f"seasons a mix (default {MIXED_SEASONS}), of careers {SEASONS}"
        parser.add_argument("--seasons", type=int, help=help_text)
        parser.add_argument(
            "--fights", type=int, default=FIGHTS, help=f"fights for matadors ({FIGHTS})"
        )
        help_text = (
            "careers, matadors, choosers, or a game of the leagues; else season and matadors"
        )
        parser.add_argument("game", nargs="?", metavar="WHAT", help=help_text)
        parser.add_argument("--runs", type=int, default=RUNS, help="seeds for careers (4)")
        parser.add_argument(
            "--docs",
            type=Path,
            help="folder for table and charts of careers; that of the site for the default run",
        )
        parser.add_argument("--games", type=int, default=10_000, help="games to simulate (10000)")
        cores = os.cpu_count() or 1
        parser.add_argument("--processes", type=int, default=cores, help="default: all cores")
        parser.add_argument("--seed", default=SEED, help="any words; the same, same figures")
        parser.add_argument("--data", type=Path, default=roster.DATA, help="folder of the tables")
        parser.add_argument("--mix", choices=[mix.value for mix in Mix], help="only this cast")
        parser.add_argument(
            "--rule",
            action="append",
            default=[],
            metavar="OPTION=VALUE",
            help="play by another rule; its figures are shown and not judged",
        )

    def handle(self, *args: object, **options: Any) -> None:
        if options["game"] == CAREERS:
            return self._careers(options, _rules(options["rule"]))
        if options["game"] == CHOOSERS:
            return self._compare_choosers(
                _tables(options["data"]),
                _rules(options["rule"]),
                _positive(options["fights"], FIGHTS, "fight"),
                options["seed"],
            )
        if options["game"] not in (None, MATADORS):
            return self._judged(self._measure(options))
        rules = _rules(options["rule"])
        count = _positive(options["seasons"], MIXED_SEASONS, "season")
        fights = _positive(options["fights"], FIGHTS, "fight")
        tables = _tables(options["data"])
        mixes = [Mix(options["mix"])] if options["mix"] else list(Mix)
        lines: list[MeasuredFigure] = []
        if options["game"] is None:
            for mix in mixes:
                lines += self._run(mix, tables, rules, count, options["seed"])
        if not options["mix"]:
            lines += self._compare_matadors(tables, rules, fights, options["seed"])
        if rules != Rules():
            self.stdout.write("Other rules than the default: the bounds do not bind.")
            return None
        return self._judged(lines)

    def _judged(self, lines: Sequence[MeasuredFigure]) -> None:
        """Raise `CommandError` unless all statistics are within their bounds."""
        off = sum(not line.inside for line in lines)
        if off:
            raise CommandError(f"{off} of {len(lines)} figures lie outside.", returncode=1)
        self.stdout.write(self.style.SUCCESS(f"All {len(lines)} figures lie inside."))

    def _careers(self, options: dict[str, Any], rules: Rules) -> None:
        """Simulate careers and print their statistics.

        With the default options, or with `--docs`, the result is also written into the document.
        """
        seasons = _positive(options["seasons"], SEASONS, "season")
        runs = _positive(options["runs"], options["runs"], "run")
        _tables(options["data"])
        portions = careers.portions(
            options["seed"], runs, seasons, FIRST_YEAR, options["data"], rules
        )
        played = careers.measure(portions, max(1, options["processes"]))
        results = figures(played)
        caption = f"{runs} seeds, {seasons} seasons each: the lowest and highest found."
        self.stdout.write("\n".join([caption, *map(self._career_line, results)]))
        published = portions == careers.portions(
            SEED, RUNS, SEASONS, FIRST_YEAR, roster.DATA, Rules()
        )
        if folder := options["docs"] or (settings.BASE_DIR / "docs" if published else None):
            for path in careers.document(folder, played, results, caption):
                self.stdout.write(f"Wrote {path.name}.")
        if rules != Rules():
            self.stdout.write("Other rules than the default: the bounds do not bind.")
            return
        self._judged(
            [
                MeasuredFigure(line.bound.name, line.shown, line.bounds, line.inside)
                for line in results
            ]
        )

    def _career_line(self, line: CareerFigure) -> str:
        mark = self.style.SUCCESS("yes") if line.inside else self.style.ERROR("no")
        return f"  {line.bound.name:<36}{line.shown:>16}   {line.bounds:<14}{mark}"

    def _measure(self, options: dict[str, Any]) -> Sequence[MeasuredFigure]:
        if options["game"] not in calibratable_games():
            known = ", ".join(calibratable_games())
            raise CommandError(f"No game {options['game']!r} to calibrate; there are: {known}.")
        for name in ("games", "processes"):
            if options[name] < 1:
                raise CommandError(f"--{name} is 1 or more.")
        lines, report = run_calibration(
            options["game"],
            count=options["games"],
            seed=options["seed"],
            processes=options["processes"],
        )
        for line in lines:
            self.stdout.write(self._figure_line(line))
        self.stdout.write(f"\n{report}")
        return lines

    def _run(
        self, mix: Mix, tables: roster.Roster, rules: Rules, count: int, words: str
    ) -> list[MeasuredFigure]:
        digests = [hashlib.sha256(f"{words}/{number}".encode()).digest() for number in range(count)]
        seasons = [
            play_season(tables, rules, FIRST_YEAR + number, Seed(digest), mix)
            for number, digest in enumerate(digests)
        ]
        lines = judge(seasons, mix)
        self.stdout.write(_heading(mix, rules, seasons))
        for line in lines:
            self.stdout.write(self._figure_line(line))
        self.stdout.write("")
        return lines

    def _compare_matadors(
        self, tables: roster.Roster, rules: Rules, count: int, words: str
    ) -> list[MeasuredFigure]:
        seed = Seed(hashlib.sha256(f"{words}/matadors".encode()).digest())
        fights = play_fights(tables.deck, rules, count, seed)
        lines = [MeasuredFigure(*figure) for figure in matador_figures(tables, fights)]
        men = len(tables.cards)
        self.stdout.write(f"{men} matadors by their cards: {len(fights.drawn)} fights")
        for line in lines:
            self.stdout.write(self._figure_line(line))
        self.stdout.write("")
        return lines

    def _compare_choosers(
        self, tables: roster.Roster, rules: Rules, fights: int, words: str
    ) -> None:
        """Print the ears per bull of three ways to choose matadors. They have no bounds."""

        def seed_of(label: object) -> Seed:
            return Seed(hashlib.sha256(f"{words}/choosers/{label}".encode()).digest())

        counts = sample_scores(tables.deck, rules, fights, seed_of("fights"))
        self.stdout.write(f"Ears per bull of {CORRIDAS} corridas of each category")
        for line in compare_choosers(tables, rules, counts, seed_of, first_year=FIRST_YEAR):
            place = f"{line.chooser}, {ORDINALS[line.category]}"
            self.stdout.write(f"  {place:<36}{line.ears:>10.2f} ± {line.error:.2f}")

    def _figure_line(self, line: MeasuredFigure) -> str:
        mark = self.style.SUCCESS("ok") if line.inside else self.style.ERROR("off")
        return f"  {line.what:<36}{line.figure:>10}   {line.bounds + ' ':<10}{mark}"


def _heading(mix: Mix, rules: Rules, seasons: Sequence[Season]) -> str:
    cast = {
        Mix.CONTRACTED: "cast by contract, as in a season",
        Mix.UNIFORM: "cast evenly, the whole roster alike",
    }[mix]
    lidias = sum(tally.lidias for season in seasons for tally in season.tallies.values())
    left_open = sum(season.left_open for season in seasons)
    men = Counter(len(+season.corridas) for season in seasons).most_common(1)[0][0]
    options = ", ".join(f"{name} {value}" for name, value in rules.options().items())
    return (
        f"{len(seasons)} seasons {cast}: {lidias} lidias, {men} matadors, "
        f"{left_open} dates left open\nRules: {options}"
    )


def _rules(options: Sequence[str]) -> Rules:
    try:
        return Rules.from_options(dict(option.partition("=")[::2] for option in options))
    except RulesError as error:
        raise CommandError(str(error)) from error


def _positive(count: int | None, default: int, what: str) -> int:
    """Return the number, or the default if there is none. Raise `CommandError` below 1."""
    count = default if count is None else count
    if count < 1:
        raise CommandError(f"At least one {what} has to be played.")
    return count


def _tables(folder: Path) -> roster.Roster:
    try:
        return roster.load(folder)
    except roster.RosterError as error:
        raise CommandError(str(error)) from error
