"""Compare the times of functions that run in turns, so that other load slows all equally."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

PAGES = 200


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


def spent(work: Callable[[], object]) -> Spent:
    with timed() as time_spent:
        work()
    return time_spent


Turns = Sequence[tuple[Spent, Spent]]


def in_turns(rounds: int, first: Callable[[], Spent], second: Callable[[], Spent]) -> Turns:
    return [(first(), second()) for _ in range(rounds)]


def least(pairs: Turns) -> tuple[float, float]:
    """Return the least processor seconds of both functions, which other load disturbs least."""
    return min(pair[0].cpu for pair in pairs), min(pair[1].cpu for pair in pairs)


def ratio(pairs: Turns) -> float:
    first, second = least(pairs)
    return first / second


def wall_ratio(pairs: Turns) -> float:
    return median(first.wall / second.wall for first, second in pairs)


def bare_pages() -> Spent:
    """Return the time of `PAGES` pages of a bare Django: the reference for other times.

    They have no middleware and no context processors, so they run no code of the site.
    """
    from django.test import Client, override_settings

    from tools.bench.urls import BARE

    browser = Client(SERVER_NAME="localhost")
    with override_settings(MIDDLEWARE=[]):
        browser.get(BARE)
    with timed() as spent:
        for _ in range(PAGES):
            assert browser.get(BARE).status_code == 200
    return spent


def in_pages(work: Callable[[], Spent], rounds: int = 1) -> tuple[float, float]:
    """Return how many bare pages take as much processor time as `work`, and its seconds.

    Pages are rendered before and after each round.
    """
    bare_pages()
    pairs, before = [], bare_pages()
    for _ in range(rounds):
        whole, after = work(), bare_pages()
        pairs.append((whole, before + after))
        before = after
    return 2 * PAGES * ratio(pairs), least(pairs)[0]
