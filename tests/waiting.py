"""Waiting for what another thread, process or page brings about."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 240.0
"""Seconds that anything may take, in a browser too.

The limit is there to end a test that has come to stand still. It must never decide whether one
passes, so there is a single one, far above what a loaded machine takes.
"""
GLANCE = 0.02
"""Seconds between two looks."""


def wait_until(true: Callable[[], Any], what: str = "It did not come about.") -> None:
    """Look again and again until it is true; `what` says what was waited for in vain."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, what
        time.sleep(GLANCE)
