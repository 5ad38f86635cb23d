"""Pairing of players by round robin or Swiss rounds, for 2 to 6 players per match.

These functions do not depend on the game or the database. The random generator is an argument, so
the same seed gives the same pairings.
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
    PairedRound,
    Pairing,
    PairingError,
    PairingReason,
    Past,
    ReasonCode,
    table_sizes,
)
from leagues.pairing.swiss import swiss_round

__all__ = [
    "Bye",
    "Entrant",
    "PairedRound",
    "Pairing",
    "PairingError",
    "PairingReason",
    "Past",
    "ReasonCode",
    "missing_pairs",
    "rare_pairs",
    "rests_evenly",
    "round_robin",
    "rounds_needed",
    "swiss_round",
    "table_sizes",
]
