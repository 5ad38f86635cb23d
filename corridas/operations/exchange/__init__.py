"""Rosters in and out: the way out as a file, a dry run kept under a token, then all or nothing."""

from corridas.operations.exchange.commit import (
    BroughtIn,
    Together,
    bring_in,
    last_together,
    take_back,
)
from corridas.operations.exchange.leaving import Form, export_roster, file_name
from corridas.operations.exchange.looking import (
    Look,
    Moved,
    check_may_exchange,
    look_at,
    may_exchange,
)

__all__ = [
    "BroughtIn",
    "Form",
    "Look",
    "Moved",
    "Together",
    "bring_in",
    "check_may_exchange",
    "export_roster",
    "file_name",
    "last_together",
    "look_at",
    "may_exchange",
    "take_back",
]
