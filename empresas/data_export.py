"""The part of a user's data export that contains what he did as a promoter."""

from __future__ import annotations

from accounts.data_export import registry
from accounts.data_export.registry import ExportTable
from empresas.models import Concession, Promoter


def register_exports() -> None:
    registry.register_tables(
        ExportTable(
            name="empresas/promoters",
            model=Promoter,
            rows=lambda user: Promoter.objects.filter(user=user),
        ),
        ExportTable(
            name="empresas/concessions",
            model=Concession,
            rows=lambda user: Concession.objects.filter(promoter__user=user),
        ),
    )
