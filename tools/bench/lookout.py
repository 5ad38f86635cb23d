"""Benchmark of the El Toro bots: `lookout`, with 200 ms per decision, against the others."""

import os
import time
from concurrent.futures import ProcessPoolExecutor

from eltoro.bots import Ladder, share_of
from leagues.bots import ShareEstimate
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

PROFILE = "el-toro"
BUDGET_MS = 200
SEED = "bench"
LOOKOUT_DEALS, GREEDY_DEALS = 50, 40
BAR_LOOKOUT, BAR_GREEDY = 0.32, 0.40


def measure(_: ScratchSite) -> list[Figure]:
    """Let one bot play among three others, every deal from each of its seats, on all cores.

    By chance its share would be 0.25. A shared victory is a fraction of one. The budget is
    processor time, so other load on the machine weakens nobody. Intervals are taken over deals,
    because the four games of a deal are not independent.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        lookout = _share(pool, "lookout", "greedy", LOOKOUT_DEALS)
        greedy = _share(pool, "greedy", "random", GREEDY_DEALS)
    return [
        _figure("lookout_greedy", lookout, BAR_LOOKOUT),
        _figure("eltoro_greedy_random", greedy, BAR_GREEDY),
    ]


def _figure(name: str, share: ShareEstimate, bar: float) -> Figure:
    note = f"{share.games} games, 95 % from {share.low:.3f} to {share.high:.3f}"
    return Figure(name=name, value=share.value, bar=bar, at_least=True, note=note)


def _share(pool: ProcessPoolExecutor, bot: str, others: str, deals: int) -> ShareEstimate:
    clock = time.process_time
    ladder = Ladder(
        profile=PROFILE, budget_ms=BUDGET_MS, seed=SEED, clock=clock, bots=(others, bot)
    )
    return share_of(pool.map(ladder.play, range(deals)), bot, others)
