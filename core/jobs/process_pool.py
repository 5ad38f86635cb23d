"""A process pool for management commands that use all cores."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import django


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of new processes with the site's settings.

    The processes are spawned, not forked. A forked process would inherit connections, for example
    to the broker, and could wait for a response that another process receives.
    """
    fresh = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=fresh, initializer=django.setup)
