"""Who plays in a calibration: bots, how many, on which board, and how many games of it."""

from __future__ import annotations

from typing import Final, NamedTuple


class Lineup(NamedTuple):
    """Bots at one table.

    `watched`: the bot whose seat moves on from game to game; `others`: all the rest. `one_in`:
    it plays one game where the quickest line-up plays so many. `weighs`: whether cards are weighed.
    """

    watched: str
    others: str
    players: int
    board: str = "el-toro"
    one_in: int = 1
    weighs: bool = False

    def __str__(self) -> str:
        who = f"{self.players} {self.others}"
        if self.watched != self.others:
            who = f"{self.watched}, {self.players - 1} {self.others}"
        return f"{who}, {self.board}" if self.board != "el-toro" else who

    @property
    def is_equal(self) -> bool:
        """Whether all bots are the same."""
        return self.watched == self.others

    def games(self, asked: int) -> int:
        """How many games it plays where so many are asked for."""
        return max(1, asked // self.one_in)


PLAYERS: Final = (2, 3, 4, 6)
FOUR_RANDOM: Final = Lineup("random", "random", 4)
FOUR_GREEDY: Final = Lineup("greedy", "greedy", 4, one_in=20)
WEIGHED: Final = Lineup("greedy", "greedy", 4, one_in=40, weighs=True)
LINEUPS: Final = (
    *(FOUR_RANDOM._replace(players=players) for players in PLAYERS),
    FOUR_RANDOM._replace(board="la-cuesta"),
    *(FOUR_GREEDY._replace(players=players) for players in PLAYERS),
    FOUR_GREEDY._replace(board="la-cuesta"),
    Lineup("greedy", "random", 4, one_in=20),
    WEIGHED,
)
"""Random bots play quickly; greedy ones think, and weighing their cards takes longest."""
