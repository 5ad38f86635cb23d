"""Replace a deleted user's names in the reports of nightly checks of all records."""

from __future__ import annotations

from accounts.account_deletion.registry import StoredText, register_texts
from actas.models import Revalidation


def register_reports() -> None:
    register_texts(
        StoredText(
            model=Revalidation,
            columns=("first", "error"),
            rows=lambda user: Revalidation.objects.all(),
        )
    )
