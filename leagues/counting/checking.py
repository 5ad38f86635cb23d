"""Ratings held against their history: what a count from nothing would say instead."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from leagues import ratings
from leagues.counting import pools
from leagues.models import Pool
from leagues.ratings import Skill

Steps = dict[tuple[Hashable, int], Skill]


class Difference(NamedTuple):
    """A figure that is not what the history says: what it is of, what is kept, what it ought."""

    what: str
    kept: object
    derived: object

    def __str__(self) -> str:
        return f"{self.what}: {self.kept} is kept, {self.derived} derived"


def differences(pool: Pool) -> list[Difference]:
    """Where the kept ratings and steps of a pool differ from a count from nothing."""
    ladder, taken = ratings.recount(pools.outcomes_of(pools.results(pool)))
    counts: dict[int, int] = {}
    for step in taken:
        counts[step.player] = counts.get(step.player, 0) + 1
    derived = {player: (skill, counts[player]) for player, skill in ladder.skills.items()}
    kept = {row.player_id: (Skill(row.mu, row.sigma), row.matches) for row in pools.rows(pool)}
    return [*_of_ratings(kept, derived), *_of_steps(pool, taken)]


def _of_ratings(
    kept: dict[int, tuple[Skill, int]], derived: dict[int, tuple[Skill, int]]
) -> list[Difference]:
    return [
        Difference(f"rating of player {player}", kept.get(player), derived.get(player))
        for player in sorted(kept.keys() | derived.keys())
        if kept.get(player) != derived.get(player)
    ]


def _of_steps(pool: Pool, taken: list[ratings.Step]) -> list[Difference]:
    derived: Steps = {(step.match, step.player): step.after for step in taken}
    rows = pools.steps(pool).values_list("result", "player", "mu", "sigma")
    kept: Steps = {(result, player): Skill(mu, sigma) for result, player, mu, sigma in rows}
    return [
        Difference(f"step of player {key[1]} in result {key[0]}", kept.get(key), derived.get(key))
        for key in sorted(kept.keys() | derived.keys(), key=str)
        if kept.get(key) != derived.get(key)
    ]
