"""What programs' keys and acts keep about a person, for the copy of their data."""

from __future__ import annotations

from accounts import exports
from accounts.exports import Table
from api.models import DoneOnce, Token


def offer() -> None:
    """Declare it."""
    exports.register(
        Table(
            name="programs/keys",
            model=Token,
            rows=lambda user: Token.objects.filter(user=user),
            without=frozenset({"digest"}),
        ),
        Table(
            name="programs/acts",
            model=DoneOnce,
            rows=lambda user: DoneOnce.objects.filter(user=user),
            without=frozenset({"key", "asked"}),
        ),
    )
