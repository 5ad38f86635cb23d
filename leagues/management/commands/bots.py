"""`manage.py bots GAME`: let the bots of a game play each other, and print their ratings."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from core.jobs import process_pool
from leagues.games import Game, games


class Command(BaseCommand):
    """Prints a table of results for each rule profile.

    The time limit of bots is processor time, so a busy machine does not weaken them.
    """

    help = "Let the bots of a game play each other with the same deals, and print their ratings."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("game", help="key of the game")
        parser.add_argument("--deals", type=int, default=100, help="deals of each profile (100)")
        parser.add_argument("--budget", type=int, default=100, help="milliseconds a move (100)")
        parser.add_argument("--profile", action="append", help="only this profile; can be repeated")
        parser.add_argument("--seed", default="ladder", help="text that decides the deals")
        cores = os.cpu_count() or 1
        parser.add_argument(
            "--processes", type=int, default=cores, help="number of processes (one for each core)"
        )

    def handle(self, *args: object, **options: Any) -> None:
        for name in ("deals", "budget", "processes"):
            if options[name] < 1:
                raise CommandError(f"--{name} must be 1 or more.")
        game = _game(options["game"])
        for profile in options["profile"] or [profile.key for profile in game.profiles]:
            if game.profile(profile) is None:
                names = ", ".join(profile.key for profile in game.profiles)
                raise CommandError(f"There is no profile {profile!r}. Choose one of: {names}.")
            self._run(game, profile, options)

    def _run(self, game: Game, profile: str, options: dict[str, Any]) -> None:
        make = game.ladder
        assert make is not None
        ladder = make(
            profile=profile,
            budget_ms=options["budget"],
            seed=options["seed"],
            clock=time.process_time,
        )
        deals = range(options["deals"])
        with process_pool.process_pool(options["processes"]) as pool:
            played = pool.map(ladder.play, deals)
            results = list(tqdm(played, total=len(deals), desc=profile, unit="deal", disable=None))
        self.stdout.write(f"\n{profile}, {len(deals)} deals, {options['budget']} ms a move\n\n")
        self.stdout.write(ladder.table(results))


def _game(key: str) -> Game:
    able = {game.key: game for game in games.all_games() if game.ladder is not None}
    if key not in able:
        raise CommandError(f"No bots for the game {key!r}. Choose one of: {', '.join(able)}.")
    return able[key]
