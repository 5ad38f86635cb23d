"""Calibration of a game in several processes, with progress."""

from __future__ import annotations

from collections.abc import Sequence

from tqdm import tqdm

from jobs import process_pool
from leagues.games import Figure, games


def calibratable_games() -> list[str]:
    return [game.key for game in games.all() if game.calibration is not None]


def run_calibration(
    key: str, *, count: int, seed: str, processes: int
) -> tuple[Sequence[Figure], str]:
    """Return the figures of `count` games and a note. `key` is one of `calibratable_games`."""
    make = games[key].calibration
    assert make is not None
    calibration = make(games=count, seed=seed)
    portions = calibration.portions
    with process_pool.process_pool(processes) as pool:
        played = pool.map(calibration.play, portions)
        bar = tqdm(played, total=len(portions), desc=key, unit="portion", disable=None)
        results = list(bar)
    return calibration.figures(results), calibration.report(results)
