"""Number of examples in property tests."""

import os

# Whether property tests try all examples, as `.ci/run` does. Other runs try fewer, to save time.
FULL = bool(os.environ.get("FULL"))
FEW = 25


def examples(number: int) -> int:
    """Return `number` in a full run, otherwise at most `FEW`."""
    return number if FULL else min(number, FEW)
