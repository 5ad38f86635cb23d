"""Benchmark of the Matador dominoes bots: `maestro`, with 100 ms per move, against the others."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from dominoes.bots import Ladder, PlayedHand, share_of
from leagues.bots import ShareEstimate
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

# Number of deals between two checks of the time limit.
BATCH = 16
# Minimum number of deals, also on a busy machine.
LEAST_DEALS = 64
QUICK_DEALS = 2_000


def measure(_: ScratchSite) -> Iterator[Figure]:
    """Let two players play each deal from both seats by the rulebook's profile, on all cores.

    The budget is processor time, so other load on the machine weakens nobody. A share is one of
    the hands that carry points. Its interval is taken over deals, because the two hands of a
    deal are not independent.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        master = _share(pool, "maestro", "greedy", seconds=170)
        yield _figure("maestro_greedy", master, 0.57)
        yield Figure("maestro_greedy_low", master.low, bar=0.54, at_least=True)
        yield _figure("maestro_random", _share(pool, "maestro", "random", seconds=70), 0.65)
        quick = _share(pool, "greedy", "random", deals=QUICK_DEALS)
        yield _figure("greedy_random", quick, 0.57)


def _figure(name: str, share: ShareEstimate, bar: float) -> Figure:
    note = f"{share.games} hands, 95 % from {share.low:.3f} to {share.high:.3f}"
    return Figure(name, share.value, bar=bar, at_least=True, note=note)


def _share(
    pool: ProcessPoolExecutor, bot: str, other: str, *, seconds: float = 0, deals: int = LEAST_DEALS
) -> ShareEstimate:
    """Play at least `deals` deals, and more until `seconds` have passed."""
    ladder = Ladder(
        profile="rulebook",
        budget_ms=100,
        seed="bench",
        clock=time.process_time,
        bots=(bot, other),
    )
    played: list[Sequence[PlayedHand]] = []
    until = time.monotonic() + seconds
    while len(played) < deals or time.monotonic() < until:
        played += pool.map(ladder.play, range(len(played), len(played) + BATCH))
    return share_of(played, bot, other)
