"""A process pool for management commands that use all cores."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import django


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes with the site's settings.

    They are not forked. A fork would inherit connections and could wait for a response that
    another process receives, above all from a broker.
    """
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=fresh, initializer=django.setup)
