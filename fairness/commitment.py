"""What is promised before an event, and how anybody checks afterwards that it was kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

ABSENT = "(absent)"


class Difference(NamedTuple):
    """One thing that is not as it was published: its name, what was claimed, what was found.

    `ABSENT` stands for what one side does not have at all.
    """

    name: str
    claimed: object
    found: object


def canonical(stake: object) -> bytes:
    """The one way to write a stake down: JSON, keys sorted, no spaces, UTF-8.

    Raises `TypeError` where the stake holds something JSON has no form for, and `ValueError`
    for numbers it cannot write (infinity, not a number).
    """
    text = json.dumps(
        stake, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def commitment(seed: bytes, stake: object) -> bytes:
    """SHA-256 over the seed and the canonical stake: 32 bytes, public beforehand (Ruling F-2)."""
    return sha256(seed + canonical(stake)).digest()


def verify(
    *,
    promised: bytes,
    seed: bytes,
    stake: object,
    claimed: Mapping[str, object],
    derived: Mapping[str, object],
) -> tuple[Difference, ...]:
    """Hold what was published against what follows from the seed (Ruling F-2).

    `claimed` are the published outcomes by name, `derived` the same worked out anew from seed and
    stake. No difference means: yes, all of it is as promised.
    """
    differences = []
    found = commitment(seed, stake)
    if found != promised:
        differences.append(Difference("commitment", promised.hex(), found.hex()))
    names = sorted({*claimed, *derived})
    outcomes = (
        Difference(name, claimed.get(name, ABSENT), derived.get(name, ABSENT)) for name in names
    )
    differences += [outcome for outcome in outcomes if outcome.claimed != outcome.found]
    return tuple(differences)
