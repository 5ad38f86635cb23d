"""Put new words into the index on PostgreSQL at once, instead of into its list of pending ones."""

from typing import Any

from django.db import migrations

# Each query reads the whole list of pending words. At a few hundred pages of it, the planner
# reads the table instead of the index.
AT_ONCE = (
    "ALTER INDEX search_words SET (fastupdate = off)",
    "SELECT gin_clean_pending_list('search_words')",
)
LATER = ("ALTER INDEX search_words RESET (fastupdate)",)


def write_at_once(apps: Any, schema_editor: object) -> None:
    _run(schema_editor, AT_ONCE)


def write_later(apps: Any, schema_editor: object) -> None:
    _run(schema_editor, LATER)


def _run(schema_editor: object, statements: tuple[str, ...]) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for statement in statements:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("search", "0002_fill")]
    operations = [migrations.RunPython(write_at_once, write_later)]
