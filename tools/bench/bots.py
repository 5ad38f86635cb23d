"""Benchmark of the Matador dominoes bots: `maestro`, with 100 ms per move, against the others."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice

from dominoes.bots import Ladder, PlayedHand, share_of
from leagues.bots import ShareEstimate
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

PROFILE = "rulebook"
BUDGET_MS = 100
SEED = "bench"
# Number of deals between two checks of the time limit.
BATCH = 16
# Seconds of real time that `maestro` plays against each of these bots.
SECONDS = {"greedy": 170.0, "random": 70.0}
# Minimum number of deals, also on a busy machine.
LEAST_DEALS = 64
QUICK_DEALS = 2_000
BAR_GREEDY, BAR_LOW, BAR_RANDOM, BAR_GREEDY_RANDOM = 0.57, 0.54, 0.65, 0.57


def measure(_: ScratchSite) -> list[Figure]:
    """Let two players play each deal from both seats by the rulebook's profile, on all cores.

    The budget is processor time, so other load on the machine weakens nobody. A share is one of
    the hands that carry points. Its interval is taken over deals, because the two hands of a
    deal are not independent.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        master = _share(pool, "maestro", "greedy", seconds=SECONDS["greedy"])
        strong = _share(pool, "maestro", "random", seconds=SECONDS["random"])
        greedy = _share(pool, "greedy", "random", deals=QUICK_DEALS)
    low = Figure(name="maestro_greedy_low", value=master.low, bar=BAR_LOW, at_least=True)
    return [
        _figure("maestro_greedy", master, BAR_GREEDY),
        low,
        _figure("maestro_random", strong, BAR_RANDOM),
        _figure("greedy_random", greedy, BAR_GREEDY_RANDOM),
    ]


def _figure(name: str, share: ShareEstimate, bar: float) -> Figure:
    note = f"{share.games} hands, 95 % from {share.low:.3f} to {share.high:.3f}"
    return Figure(name=name, value=share.value, bar=bar, at_least=True, note=note)


def _share(
    pool: ProcessPoolExecutor,
    bot: str,
    other: str,
    *,
    seconds: float = float("inf"),
    deals: int | None = None,
) -> ShareEstimate:
    ladder = Ladder(
        profile=PROFILE,
        budget_ms=BUDGET_MS,
        seed=SEED,
        clock=time.process_time,
        bots=(bot, other),
    )
    played: list[Sequence[PlayedHand]] = []
    until, numbers = time.monotonic() + seconds, iter(range(deals) if deals else count())
    while time.monotonic() < until or len(played) < LEAST_DEALS:
        if not (batch := list(islice(numbers, BATCH))):
            break
        played += pool.map(ladder.play, batch)
    return share_of(played, bot, other)
