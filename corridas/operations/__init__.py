"""What a person can ask for: one verb each, keyword-only, one transaction each.

Refusals are `OperationError`s: a sentence for the person, and the field it belongs to.
"""

from corridas.operations.corridas import cut_short, queue_corrida, retry_corrida, set_cartel
from corridas.operations.errors import OperationError
from corridas.operations.seasons import Goal, OnAirError, request_stop, run_season

__all__ = [
    "Goal",
    "OnAirError",
    "OperationError",
    "cut_short",
    "queue_corrida",
    "request_stop",
    "retry_corrida",
    "run_season",
    "set_cartel",
]
