"""Benchmark of random Matador dominoes hands, compared with two packages that play dominoes.

There are four players with the double-six set. Our engine deals from a seed. Every move is chosen
from the legal moves, checked again when it is played, and logged. The other packages do their usual
work for a hand, with the same random choice of moves.
"""

from collections.abc import Callable, Iterator
from random import Random

from dominoes.engine import PROFILES, Hand
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.rivals import against
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, timed

PLAYERS = 4
HANDS = 1500  # ours, a repetition
RULES = PROFILES["rulebook"]


def measure(_: ScratchSite) -> Iterator[Figure]:
    seeds = [Seed(number.to_bytes(32, "big")) for number in range(HANDS)]
    random = Random(1).random

    def ours() -> Spent:
        return play(seeds, random)

    yield against("hands", ours, HANDS, bar=3.0, package="dominoes", games=500)
    yield against("hands_open_spiel", ours, HANDS, bar=20.0, package="open_spiel", games=50)


def play(seeds: list[Seed], random: Callable[[], float]) -> Spent:
    with timed() as spent:
        for seed in seeds:
            hand = Hand.deal(RULES, PLAYERS, seed.chance("hand/1"))
            while codes := hand.legal_codes():
                hand.play_code(codes[int(random() * len(codes))])
            assert hand.outcome is not None
    return spent
