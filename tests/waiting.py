"""Wait for a change made by another thread, process or page."""

import time
from collections.abc import Callable
from typing import Any

# Maximum number of seconds that tests wait, also in a browser.
# The limit ends tests that hang. It must never decide whether a test passes. Therefore it is the
# same for all tests, and far above the time that a busy machine needs.
PATIENCE = 240.0
# Seconds between two checks.
GLANCE = 0.02


def wait_until(true: Callable[[], Any], what: str = "It did not come about.") -> None:
    """Check repeatedly until `true` returns a true value.

    Raises AssertionError with the message `what` after `PATIENCE` seconds.
    """
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, what
        time.sleep(GLANCE)
