"""The shipped boards and cards as text, and games with these or other ones."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from fairness import Chance
from tests.eltoro.oracle.course import Course, new_game

DATA = Path(__file__).parents[3] / "eltoro" / "data"
BOARDS = {path.stem: path.read_text("utf-8") for path in sorted((DATA / "boards").glob("*.csv"))}
CARDS = (DATA / "cards.csv").read_text("utf-8")
DESTINATIONS = (DATA / "destinations.csv").read_text("utf-8")


class Setting(NamedTuple):
    """Everything that a game begins with; board and cards as the text of their files."""

    board: str
    cards: str
    destinations: str
    players: int
    days: int
    seed: bytes

    def begin(self, *, drawn: bool = True) -> Course:
        """Return the game up to its first decision, with or without copies of positions."""
        return new_game(*self, drawn=drawn)


def shipped(board: str, players: int, days: int, seed: bytes) -> Course:
    """Return a game with a shipped board and the shipped cards."""
    return new_game(BOARDS[board], CARDS, DESTINATIONS, players, days, seed)


def some_seed(chance: Chance) -> bytes:
    """Return a random seed."""
    return bytes(chance.below(256) for _ in range(32))


def any_setting(chance: Chance) -> Setting:
    """Return random settings with a shipped board: players, days and seed."""
    board, players, days = chance.pick(sorted(BOARDS)), 2 + chance.below(5), 1 + chance.below(3)
    return Setting(BOARDS[board], CARDS, DESTINATIONS, players, days, some_seed(chance))
