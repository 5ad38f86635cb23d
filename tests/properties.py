"""How many examples property tests try."""

import os

FULL = bool(os.environ.get("FULL"))
"""Whether everything is tried, as `.ci/run` does, or what can be waited for all day."""
FEW = 25


def examples(number: int) -> int:
    """`number` in a full run, 25 at most in any other."""
    return number if FULL else min(number, FEW)
