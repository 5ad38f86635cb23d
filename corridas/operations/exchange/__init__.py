"""Rosters in and out: the way out as a file, a dry run kept under a token, then all or nothing."""

from corridas.operations.exchange.bringing import BroughtIn, bring_in
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
    "bring_in",
    "check_may_exchange",
    "export_roster",
    "file_name",
    "look_at",
    "may_exchange",
]
