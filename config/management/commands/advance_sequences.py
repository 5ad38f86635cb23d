"""Repair PostgreSQL sequences that are below the highest key of their table."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from core.sequences import advance_sequences


class Command(BaseCommand):
    help = "Advance sequences that would give out keys that exist. Safe while the site runs."

    def handle(self, *args: object, **options: object) -> None:
        advanced = advance_sequences()
        for behind in advanced:
            self.stdout.write(
                f"{behind.model._meta.db_table}: from {behind.last:,} to {behind.highest:,}"
            )
        if not advanced:
            self.stdout.write("No sequence is behind its table.")
