"""`manage.py rebuild_search`: rebuild the search index."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from search.index import replace
from search.kinds import all_rows


class Command(BaseCommand):
    """Rebuild the search index in one transaction."""

    help = "Rebuild the search index from the data."

    def handle(self, *args: Any, **options: Any) -> None:
        count = replace(all_rows(apps.get_model))
        self.stdout.write(f"{count} entries.")
