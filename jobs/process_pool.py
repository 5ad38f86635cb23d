"""A process pool for management commands that use all cores."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import django


def process_pool(processes: int) -> ProcessPoolExecutor:
    """So many processes that begin afresh, with the site's settings.

    None is forked: a fork would hold this process's connections, and could wait at one of them,
    a broker's above all, for an answer that another gets.
    """
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=fresh, initializer=django.setup)
