"""Commitments published before an event, and their verification afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

ABSENT = "(absent)"


class Difference(NamedTuple):
    """A deviation from what was published: its name, the claimed value and the value found.

    `ABSENT` stands for a value that one side lacks.
    """

    name: str
    claimed: object
    found: object


def canonical(stake: object) -> bytes:
    """Return the canonical encoding of a stake: JSON, sorted keys, no spaces, UTF-8.

    Raises `TypeError` for values that JSON cannot represent, and `ValueError` for infinity
    and not-a-number.
    """
    text = json.dumps(
        stake, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def commitment(seed: bytes, stake: object) -> bytes:
    """Return SHA-256 of the seed and the canonical stake: 32 bytes, published in advance (Ruling
    F-2).
    """
    return sha256(seed + canonical(stake)).digest()


def verify(
    *,
    promised: bytes,
    seed: bytes,
    stake: object,
    claimed: Mapping[str, object],
    derived: Mapping[str, object],
) -> tuple[Difference, ...]:
    """Compare what was published with what follows from the seed (Ruling F-2).

    `claimed` are the published outcomes by name, `derived` the same recalculated from seed
    and stake. Without differences everything is as committed.
    """
    differences = []
    derived_commitment = commitment(seed, stake)
    if derived_commitment != promised:
        differences.append(Difference("commitment", promised.hex(), derived_commitment.hex()))
    names = sorted({*claimed, *derived})
    outcomes = (
        Difference(name, claimed.get(name, ABSENT), derived.get(name, ABSENT)) for name in names
    )
    differences += [outcome for outcome in outcomes if outcome.claimed != outcome.found]
    return tuple(differences)
