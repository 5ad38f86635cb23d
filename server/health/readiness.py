"""Readiness of this process: database, broker and migrations."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from redis import Redis
from redis.exceptions import RedisError

from core.redis_client.connection import client as connection_to

SQLITE_HEADER: Final = b"SQLite format 3\0"
log = logging.getLogger(__name__)


def check_readiness() -> dict[str, bool]:
    """Return `ready` and the result of each check.

    Reasons for failures are logged, never returned.
    """
    checks = {"database": database_answers(), "broker": broker_answers()}
    checks["migrated"] = checks["database"] and is_migrated()
    return {"ready": all(checks.values()), **checks}


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM django_migrations LIMIT 1")
            cursor.fetchall()
    except DatabaseError as error:
        log.warning("The database does not answer: %s", error)
        return False
    return connection.vendor != "sqlite" or database_file_exists()


def database_file_exists() -> bool:
    """Return True if the SQLite file still exists.

    An open connection keeps working after the file has been deleted.
    """
    name = str(connection.settings_dict["NAME"])
    if name == ":memory:" or name.startswith("file:"):
        return True
    try:
        with Path(name).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def broker_answers() -> bool:
    try:
        redis_connection().ping()
    except RedisError as error:
        log.warning("The broker does not answer: %s", error)
        return False
    return True


def is_migrated() -> bool:
    """Return True if all migrations of this version are applied.

    Migrations of a newer version do no harm.
    """
    if _MIGRATED.get("migrated"):
        return True  # migrations are not undone while a process runs
    executor = MigrationExecutor(connection)
    plan: list[Any] = executor.migration_plan(executor.loader.graph.leaf_nodes())
    _MIGRATED["migrated"] = not plan
    return not plan


_MIGRATED: dict[str, bool] = {}


def redis_connection() -> Redis:
    return connection_to(settings.REDIS_URL)
