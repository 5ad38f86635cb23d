"""What a deleted account leaves in the reports of nightly checks."""

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
