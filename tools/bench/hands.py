"""Benchmark of random Matador dominoes hands, compared with two packages that play dominoes.

There are four players with the double-six set. Our engine deals from a seed. Every move is chosen
from the legal moves, checked again when it is played, and logged. The other packages do their usual
work for a hand, with the same random choice of moves. The engines run in turns, so that other load
on the machine slows all of them.
"""

from collections.abc import Callable
from random import Random
from statistics import median

from dominoes.engine import PROFILES, Hand
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.rivals import NoRival, Rival, rival
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, timed

PLAYERS = 4
HANDS = 1500  # ours, a repetition
ROUNDS = 15
RULES = PROFILES["rulebook"]


class Bar:
    """The name of another package's figure, its number of hands per repetition, and the target."""

    def __init__(self, figure: str, package: str, hands: int, bar: float) -> None:
        self.figure, self.package, self.hands, self.bar = figure, package, hands, bar


BARS = (Bar("hands", "dominoes", 500, 3.0), Bar("hands_open_spiel", "open_spiel", 50, 20.0))


def measure(_: ScratchSite) -> list[Figure]:
    seeds = [Seed(number.to_bytes(32, "big")) for number in range(HANDS)]
    random = Random(1).random
    play(seeds, random)  # fill the lookup tables before anything is measured
    figures = [against(bar, seeds, random) for bar in BARS]
    a_second = median(HANDS / play(seeds, random).cpu for _ in range(ROUNDS))
    out = median(HANDS / play_out(seeds, random).cpu for _ in range(ROUNDS))
    note = f"{out:,.0f} by `play_out`, for estimates"
    return [*figures, Figure(name="hands_a_second", value=round(a_second), unit="/s", note=note)]


def against(bar: Bar, seeds: list[Seed], random: Callable[[], float]) -> Figure:
    try:
        with rival(bar.package) as other:
            ratios = compare(other, bar.hands, seeds, random)
            note = f"{other.name} {other.version}"
    except NoRival as reason:
        ratios, note = [float("nan")], str(reason)
    return Figure(
        name=bar.figure, value=median(ratios), bar=bar.bar, at_least=True, unit="x", note=note
    )


def compare(
    other: Rival, hands: int, seeds: list[Seed], random: Callable[[], float]
) -> list[float]:
    other.play(hands)
    rounds = [(play(seeds, random), other.play(hands)) for _ in range(ROUNDS)]
    return [(theirs.cpu / hands) / (ours.cpu / len(seeds)) for ours, theirs in rounds]


def play(seeds: list[Seed], random: Callable[[], float]) -> Spent:
    with timed() as spent:
        for seed in seeds:
            hand = Hand.deal(RULES, PLAYERS, seed.chance("hand/1"))
            while codes := hand.legal_codes():
                hand.play_code(codes[int(random() * len(codes))])
            assert hand.outcome is not None
    return spent


def play_out(seeds: list[Seed], random: Callable[[], float]) -> Spent:
    with timed() as spent:
        for seed in seeds:
            hand = Hand.deal(RULES, PLAYERS, seed.chance("hand/1"))
            hand.play_out(random)
            assert hand.outcome is not None
    return spent
