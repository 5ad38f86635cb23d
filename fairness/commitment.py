"""Commitments to a seed, published before an event and verified afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

ABSENT = "(absent)"


class CommitmentDifference(NamedTuple):
    """A published value that differs from the calculated one.

    `name` says which value, `claimed` was published and `found` was calculated. `ABSENT` is used
    for a value that is missing on one side.
    """

    name: str
    claimed: object
    found: object


def canonical(stake: object) -> bytes:
    """Return a stake (everything fixed before the event) as canonical JSON in UTF-8.

    Keys are sorted and there are no spaces. Raises `TypeError` for values that JSON cannot
    represent, and `ValueError` for infinity and not-a-number.
    """
    text = json.dumps(
        stake, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def commitment(seed: bytes, stake: object) -> bytes:
    """Return the SHA-256 of the seed and the canonical stake, which is published in advance.

    It has 32 bytes (Ruling F-2).
    """
    return sha256(seed + canonical(stake)).digest()


def verify(
    *,
    promised: bytes,
    seed: bytes,
    stake: object,
    claimed: Mapping[str, object],
    derived: Mapping[str, object],
) -> tuple[CommitmentDifference, ...]:
    """Return the differences between published results and results calculated from the seed.

    See Ruling F-2. `claimed` are the published results by name, and `derived` the same results
    calculated again from seed and stake. An empty list means that everything is as committed.
    """
    differences = []
    derived_commitment = commitment(seed, stake)
    if derived_commitment != promised:
        differences.append(
            CommitmentDifference("commitment", promised.hex(), derived_commitment.hex())
        )
    names = sorted({*claimed, *derived})
    outcomes = (
        CommitmentDifference(name, claimed.get(name, ABSENT), derived.get(name, ABSENT))
        for name in names
    )
    differences += [outcome for outcome in outcomes if outcome.claimed != outcome.found]
    return tuple(differences)
