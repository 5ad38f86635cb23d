"""Whole games in the form in which a game table stores them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from eltoro.engine import PROFILES
from eltoro.table import ElToroPosition, ElToroTable
from leagues.games import RoundLog

TABLE = ElToroTable()
NAMES = ("Ana", "Beto", "Carla", "Dora", "Elena", "Fito")


def seed(number: int) -> bytes:
    """Return a seed derived from a number below 256."""
    return bytes([number]) * 32


def adapter_arguments(
    moves: tuple[str, ...], *, seats: int, profile: str, number: int = 1
) -> dict[str, Any]:
    """Return the arguments of the adapter's functions for a game with these moves."""
    kept = RoundLog(number=1, seed=seed(number), stake={}, moves=moves)
    return {"rules": PROFILES[profile].options(), "seats": seats, "rounds": (kept,)}


@lru_cache(maxsize=32)
def played_out(
    seats: int = 2, profile: str = "el-toro", bot: str = "greedy", number: int = 1
) -> tuple[str, ...]:
    """Return the moves of a whole game between bots."""
    moves: tuple[str, ...] = ()
    while True:
        given = adapter_arguments(moves, seats=seats, profile=profile, number=number)
        if TABLE.restore(**given).turn is None:
            return moves
        moves += (TABLE.bot_move(**given, bot=bot, seed=seed(len(moves) % 256)),)


def positions(
    seats: int = 2, profile: str = "el-toro", bot: str = "greedy", number: int = 1
) -> Iterator[ElToroPosition]:
    """Yield every position of that game, from the first morning to the end."""
    moves = played_out(seats, profile, bot, number)
    for made in range(len(moves) + 1):
        yield TABLE.restore(
            **adapter_arguments(moves[:made], seats=seats, profile=profile, number=number)
        )
