"""API keys and idempotent requests in a user's data export."""

from __future__ import annotations

from accounts.data_export import registry as export_registry
from accounts.data_export.registry import ExportTable
from api.models import DoneOnce, Token


def register_export_tables() -> None:
    export_registry.register_tables(
        ExportTable(
            name="programs/keys",
            model=Token,
            rows=lambda user: Token.objects.filter(user=user),
            without=frozenset({"digest"}),
        ),
        ExportTable(
            name="programs/acts",
            model=DoneOnce,
            rows=lambda user: DoneOnce.objects.filter(user=user),
            without=frozenset({"key", "asked"}),
        ),
    )
