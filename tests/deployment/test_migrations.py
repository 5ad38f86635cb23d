"""Migrations allow upgrades without downtime: processes of the previous version can still use the
tables.

A migration may add columns at once, and remove them one version after their last use.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from actas.envelope import SITE_VERSION

# Operations that break processes of the previous version, or whose effect cannot be determined.
TAKES_AWAY = (
    migrations.DeleteModel,
    migrations.RemoveField,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.AlterUniqueTogether,
    migrations.AddConstraint,
    migrations.RunSQL,
)


@cache
def migration_loader() -> MigrationLoader:
    return MigrationLoader(None)


def ours() -> Iterator[migrations.Migration]:
    """Yield all migrations of the site's own applications except the first of each."""
    own = {app.label for app in apps.get_app_configs() if is_own_file(app.path)}
    for (label, name), migration in migration_loader().disk_migrations.items():
        if label in own and not name.startswith("0001"):
            yield migration


def is_own_file(path: str) -> bool:
    return path.startswith(str(settings.BASE_DIR)) and ".venv" not in path


def objections(migration: Any, contracts: str | None, version: str) -> list[str]:
    """Return why a migration must not be part of this version; empty if it may."""
    said = [
        reason
        for operation in migration.operations
        for reason in harms(operation)
        if not (isinstance(operation, migrations.AlterField) and keeps_column(migration, operation))
    ]
    if said and contracts and tuple(map(int, contracts.split("."))) < parts(version):
        return []
    return said


def altered_field(state: ProjectState, app: str, operation: migrations.AlterField) -> Any:
    """Return a field as it is in this state.

    Only relations need the models of the whole project, which take a second.
    """
    field = state.models[app, operation.model_name_lower].fields[operation.name]
    if field.is_relation:
        return state.apps.get_model(app, operation.model_name)._meta.get_field(operation.name)
    field = field.clone()
    field.set_attributes_from_name(operation.name)
    return field


def keeps_column(migration: Any, operation: migrations.AlterField) -> bool:
    """Return whether an altered field keeps its database column, for example if only choices
    changed.
    """
    if not isinstance(migration, migrations.Migration):
        return False
    here = (migration.app_label, migration.name)
    old, new = (
        altered_field(migration_loader().project_state(here, at_end=at_end), here[0], operation)
        for at_end in (False, True)
    )
    editor = connection.schema_editor(collect_sql=True)
    return not editor._field_should_be_altered(old, new)  # type: ignore[attr-defined]


def parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def harms(operation: Any) -> Iterator[str]:
    """Yield descriptions of what would break processes of the previous version."""
    name = type(operation).__name__
    if isinstance(operation, TAKES_AWAY):
        yield f"{name}: {operation.describe()}"
    elif isinstance(operation, migrations.AlterField):
        yield f"{name}: narrows or may narrow {operation.model_name}.{operation.name}"
    elif isinstance(operation, migrations.AddField):
        field = operation.field
        if not field.null and field.db_default is models.NOT_PROVIDED and not field.many_to_many:
            yield f"{name}: old processes write no {operation.model_name}.{operation.name}"
    elif isinstance(operation, migrations.SeparateDatabaseAndState):
        for inner in operation.database_operations:
            yield from harms(inner)


@pytest.mark.slow
def test_migrations_keep_everything_that_the_previous_version_uses() -> None:
    for migration in ours():
        module: ModuleType = sys.modules[type(migration).__module__]
        contracts = getattr(module, "CONTRACTS", None)
        assert objections(migration, contracts, SITE_VERSION) == [], migration


def migration_of(*operations: Any) -> Any:
    return SimpleNamespace(operations=operations)


NOTE = models.CharField(max_length=9)
HARMLESS = [
    migrations.CreateModel("note", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddField("note", "text", models.CharField(max_length=9, null=True)),
    migrations.AddField("note", "text", models.CharField(max_length=9, db_default="")),
    migrations.AddIndex("note", models.Index(fields=["text"], name="by_text")),
]
HARMFUL = [
    migrations.AddField("note", "text", NOTE),
    migrations.AddField("note", "text", models.CharField(max_length=9, default="")),
    migrations.RemoveField("note", "text"),
    migrations.RenameField("note", "text", "words"),
    migrations.AlterField("note", "text", NOTE),
    migrations.DeleteModel("note"),
    migrations.RunSQL("DROP TABLE note"),
    migrations.SeparateDatabaseAndState([migrations.RemoveField("note", "text")]),
]


@pytest.mark.parametrize("operation", HARMLESS, ids=lambda one: type(one).__name__)
def test_migrations_that_add_something_are_always_allowed(operation: Any) -> None:
    assert objections(migration_of(operation), None, "0.2.0") == []


@pytest.mark.parametrize("operation", HARMFUL, ids=lambda one: type(one).__name__)
def test_migrations_may_remove_a_column_one_version_after_its_last_use(operation: Any) -> None:
    assert objections(migration_of(operation), None, "0.2.0")
    assert objections(migration_of(operation), "0.2.0", "0.2.0")
    assert objections(migration_of(operation), "0.1.0", "0.2.0") == []
