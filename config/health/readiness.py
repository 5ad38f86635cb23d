"""Whether this process can serve: its database, its broker, and tables as this version has them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from redis import Redis
from redis.exceptions import RedisError

from redis_client.connection import client as connection_to

SQLITE_HEADER: Final = b"SQLite format 3\0"
log = logging.getLogger(__name__)


def check_readiness() -> dict[str, bool]:
    """`ready` and what it is made of; a reason stands in the log, never in the answer."""
    found = {"database": database_answers(), "broker": broker_answers()}
    found["migrated"] = found["database"] and is_migrated()
    return {"ready": all(found.values()), **found}


def database_answers() -> bool:
    """Whether the database takes a question that it must read its file for."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM django_migrations LIMIT 1")
            cursor.fetchall()
    except DatabaseError as error:
        log.warning("The database does not answer: %s", error)
        return False
    return connection.vendor != "sqlite" or database_file_exists()


def database_file_exists() -> bool:
    """Whether SQLite's file is one still: a connection goes on with one that was put away."""
    name = str(connection.settings_dict["NAME"])
    if name == ":memory:" or name.startswith("file:"):
        return True
    try:
        with Path(name).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def broker_answers() -> bool:
    """Whether Redis takes a question."""
    try:
        redis_connection().ping()
    except RedisError as error:
        log.warning("The broker does not answer: %s", error)
        return False
    return True


def is_migrated() -> bool:
    """Whether every migration this version has is applied; what a newer one added is no harm."""
    if _MIGRATED.get("migrated"):
        return True  # tables do not go back while a process lives
    executor = MigrationExecutor(connection)
    plan: list[Any] = executor.migration_plan(executor.loader.graph.leaf_nodes())
    _MIGRATED["migrated"] = not plan
    return not plan


_MIGRATED: dict[str, bool] = {}


def redis_connection() -> Redis:
    """A connection to Redis that does not keep anybody waiting."""
    return connection_to(settings.REDIS_URL)
