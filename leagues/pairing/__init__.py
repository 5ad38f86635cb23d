"""Who plays whom, and why: round robin and Swiss rounds for 2 to 6 seats a match.

Pure, and the same for every game. Chance is an argument: the same seed pairs the same.
"""

from leagues.pairing.past import Past
from leagues.pairing.round_robin import round_robin, rounds_needed
from leagues.pairing.rounds import (
    Because,
    Bye,
    Entrant,
    Pairing,
    PairingError,
    Reason,
    Round,
    table_sizes,
)
from leagues.pairing.swiss import swiss_round

__all__ = [
    "Because",
    "Bye",
    "Entrant",
    "Pairing",
    "PairingError",
    "Past",
    "Reason",
    "Round",
    "round_robin",
    "rounds_needed",
    "swiss_round",
    "table_sizes",
]
