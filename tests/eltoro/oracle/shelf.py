"""The shipped boards and cards as text, and games with any of them."""

from __future__ import annotations

from pathlib import Path

from fairness import Chance
from tests.eltoro.oracle.course import Course, new_game

DATA = Path(__file__).parents[3] / "eltoro" / "data"
BOARDS = {path.stem: path.read_text("utf-8") for path in sorted((DATA / "boards").glob("*.csv"))}
CARDS = (DATA / "cards.csv").read_text("utf-8")
DESTINATIONS = (DATA / "destinations.csv").read_text("utf-8")


def shipped(board: str, players: int, days: int, seed: bytes) -> Course:
    """A game with the shipped cards."""
    return new_game(BOARDS[board], CARDS, DESTINATIONS, players, days, seed)


def any_game(chance: Chance) -> Course:
    """Any board, players, days, seed."""
    return shipped(
        chance.pick(sorted(BOARDS)),
        2 + chance.below(5),
        1 + chance.below(3),
        bytes(chance.below(256) for _ in range(32)),
    )
