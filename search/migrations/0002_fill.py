"""Fill the index from the data there is."""

from typing import Any

from django.db import migrations

from search.index import replace
from search.kinds import all_rows


def fill(apps: Any, schema_editor: object) -> None:
    replace(all_rows(apps.get_model))


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0001_initial"),
        ("corridas", "0006_follow"),
        ("leagues", "0008_counts_at"),
    ]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
