"""Pairing by round robin and Swiss rounds, for 2 to 6 seats per match.

These functions are pure and independent of the game. Randomness is an argument: the same seed gives
the same pairings.
"""

from __future__ import annotations

from leagues.pairing.round_robin import (
    missing_pairs,
    rare_pairs,
    rests_evenly,
    round_robin,
    rounds_needed,
)
from leagues.pairing.rounds import (
    Bye,
    Entrant,
    Pairing,
    PairingError,
    Past,
    Reason,
    ReasonCode,
    Round,
    table_sizes,
)
from leagues.pairing.swiss import swiss_round

__all__ = [
    "Bye",
    "Entrant",
    "Pairing",
    "PairingError",
    "Past",
    "Reason",
    "ReasonCode",
    "Round",
    "missing_pairs",
    "rare_pairs",
    "rests_evenly",
    "round_robin",
    "rounds_needed",
    "swiss_round",
    "table_sizes",
]
