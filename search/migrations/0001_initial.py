"""The index and its full-text index: FTS5 on SQLite, an index on PostgreSQL."""

from typing import Any

from django.db import migrations, models

# The table has the words, the virtual table only where they are. If a later migration makes Django
# rebuild the table on SQLite, the triggers must be created again.
SQLITE = (
    """
    CREATE VIRTUAL TABLE search_words USING fts5(
        words, content='search_entry', content_rowid='id', detail='none', columnsize=0, prefix='1 2'
    )
    """,
    """
    CREATE TRIGGER search_entry_added AFTER INSERT ON search_entry BEGIN
        INSERT INTO search_words(rowid, words) VALUES (new.id, new.words);
    END
    """,
    """
    CREATE TRIGGER search_entry_removed AFTER DELETE ON search_entry BEGIN
        INSERT INTO search_words(search_words, rowid, words) VALUES ('delete', old.id, old.words);
    END
    """,
    """
    CREATE TRIGGER search_entry_changed AFTER UPDATE OF words ON search_entry BEGIN
        INSERT INTO search_words(search_words, rowid, words) VALUES ('delete', old.id, old.words);
        INSERT INTO search_words(rowid, words) VALUES (new.id, new.words);
    END
    """,
)
# Words have nothing but letters and figures, so no parser of a language is needed.
POSTGRESQL = (
    """
    CREATE INDEX search_words ON search_entry
    USING gin (array_to_tsvector(string_to_array(words, ' ')))
    """,
)


def create_full_text(apps: Any, schema_editor: object) -> None:
    statements = POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE
    for statement in statements:
        schema_editor.execute(statement)


def drop_full_text(apps: Any, schema_editor: object) -> None:
    what = "INDEX" if schema_editor.connection.vendor == "postgresql" else "TABLE"
    schema_editor.execute(f"DROP {what} search_words")


class Migration(migrations.Migration):
    initial = True
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=8)),
                ("key", models.BigIntegerField()),
                ("scope", models.BigIntegerField(blank=True, null=True)),
                ("weight", models.IntegerField(default=0)),
                ("words", models.CharField(max_length=400)),
            ],
            options={
                "verbose_name": "search entry",
                "verbose_name_plural": "search entries",
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "key"), name="search_entry_once")
                ],
            },
        ),
        migrations.RunPython(create_full_text, drop_full_text),
    ]
