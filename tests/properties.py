"""Number of examples in property tests."""

import os

# Whether tests with random examples try all of them, as `make full` does. Other runs try fewer.
FULL = bool(os.environ.get("FULL"))
FEW = 25


def examples(number: int) -> int:
    """Return `number` in a full run, otherwise at most `FEW`."""
    return number if FULL else min(number, FEW)
