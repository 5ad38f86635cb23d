"""Compare the times of two functions, run in turns, so that other load slows both equally."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median


@dataclass
class Spent:
    """Processor seconds of this process, and seconds of real time."""

    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.cpu + other.cpu, self.wall + other.wall)


@contextmanager
def timed() -> Iterator[Spent]:
    """Yield the time of the block. Garbage of earlier blocks is collected first."""
    gc.collect()
    spent = Spent()
    cpu, wall = time.process_time(), time.perf_counter()
    yield spent
    spent.cpu = time.process_time() - cpu
    spent.wall = time.perf_counter() - wall


def in_turns(
    rounds: int, first: Callable[[], Spent], second: Callable[[], Spent]
) -> list[tuple[Spent, Spent]]:
    return [(first(), second()) for _ in range(rounds)]


def ratio(pairs: list[tuple[Spent, Spent]]) -> float:
    """Return the median ratio of the first function's processor time to that of the second."""
    return median(timing.cpu / other.cpu for timing, other in pairs)


def wall_ratio(pairs: list[tuple[Spent, Spent]]) -> float:
    return median(timing.wall / other.wall for timing, other in pairs)
