"""Benchmark of the El Toro bots: `lookout`, with 200 ms per decision, against the others."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from eltoro.bots import Ladder, share_of
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

# Bot, the three other bots, number of deals, minimum share.
PAIRS = (
    ("lookout_greedy", "lookout", "greedy", 50, 0.32),
    ("eltoro_greedy_random", "greedy", "random", 40, 0.40),
)


def measure(_: ScratchSite) -> Iterator[Figure]:
    """Let one bot play among three others, every deal from each of its seats, on all cores.

    By chance its share would be 0.25. A shared victory is a fraction of one. The budget is
    processor time, so other load on the machine weakens nobody. Intervals are taken over deals,
    because the four games of a deal are not independent.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, bot, others, deals, bar in PAIRS:
            ladder = Ladder(
                profile="el-toro",
                budget_ms=200,
                seed="bench",
                clock=time.process_time,
                bots=(others, bot),
            )
            share = share_of(pool.map(ladder.play, range(deals)), bot, others)
            note = f"{share.games} games, 95 % from {share.low:.3f} to {share.high:.3f}"
            yield Figure(name, share.value, bar=bar, at_least=True, note=note)
