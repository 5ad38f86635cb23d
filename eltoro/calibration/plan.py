"""A calibration as `manage.py calibrate` plays it: portions of games, figures, a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from eltoro.bots import BOTS
from eltoro.calibration.bounds import figures
from eltoro.calibration.lineups import LINEUPS, Lineup
from eltoro.calibration.report import report
from eltoro.calibration.scales import Scales
from eltoro.calibration.tally import Tally
from eltoro.engine import PROFILES, Game, Move, Witness, random_move
from fairness import Chance, Seed
from leagues.games import Figure

PORTION: Final = 25
"""Games of a portion; where random bots play, so many times as many."""
QUICK: Final = 10
RANDOM: Final = "random"
BUDGET_MS: Final = 20
"""What a bot may think where it thinks by the clock; the bots here do not."""


class Portion(NamedTuple):
    """Games of one line-up, by number, that one process plays."""

    lineup: Lineup
    numbers: range


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """One run: so many games of each line-up of quick bots, from these words."""

    games: int = 10_000
    seed: str = "calibrate"
    lineups: tuple[Lineup, ...] = LINEUPS

    @property
    def portions(self) -> Sequence[Portion]:
        """What is to be played; the slowest first, so that no process waits long at the end."""
        return [
            Portion(lineup, range(first, min(first + size, count)))
            for lineup in sorted(self.lineups, key=lambda one: (not one.weighs, -one.one_in))
            for count, size in [(lineup.games(self.games), _size(lineup))]
            for first in range(0, count, size)
        ]

    def play(self, portion: Portion) -> tuple[Lineup, Tally]:
        """What came of a portion."""
        tally = Tally()
        for number in portion.numbers:
            self._game(portion.lineup, number, tally)
        return portion.lineup, tally

    def figures(self, played: Sequence[tuple[Lineup, Tally]]) -> Sequence[Figure]:
        """Every figure with its bounds."""
        return figures(self._tallies(played))

    def report(self, played: Sequence[tuple[Lineup, Tally]]) -> str:
        """Tables of games, destinations and cards."""
        return report(self._tallies(played))

    def _tallies(self, played: Sequence[tuple[Lineup, Tally]]) -> dict[Lineup, Tally]:
        tallies = dict.fromkeys(self.lineups, Tally())
        for lineup, tally in played:
            tallies[lineup] += tally
        return tallies

    def _game(self, lineup: Lineup, number: int, tally: Tally) -> None:
        """One game; the watched seat moves on with the number."""
        seed = Seed(sha256(f"{self.seed}/{number}".encode()).digest())
        watched = number % lineup.players
        bots = [lineup.others] * lineup.players
        bots[watched] = lineup.watched
        chances = [seed.chance(f"bot/{seat}") for seat in range(lineup.players)]
        scales = Scales(tally)
        witness: Witness = scales.see if lineup.weighs else tally.see
        game = Game.new(PROFILES[lineup.board], lineup.players, seed)
        while (seat := game.turn) is not None:
            game.play(_move(game, seat, bots[seat], chances[seat]), seat, witness)
            scales.settle(game)
        tally.see_end(game, watched)


def _move(game: Game, seat: int, bot: str, chance: Chance) -> Move:
    """What the bot plays; who plays anything need not look."""
    if bot == RANDOM:
        return random_move(game, chance)
    return BOTS[bot].choose(game.view(seat), chance, BUDGET_MS)


def _size(lineup: Lineup) -> int:
    return PORTION if lineup.one_in > 1 else PORTION * QUICK
