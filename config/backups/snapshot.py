"""A connection of its own that sees the database as it stood at one instant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, Final

from django.db import connections, transaction
from django.db.utils import load_backend

ALIAS: Final = "snapshot"


@contextmanager
def snapshot() -> Iterator[str]:
    """The alias of a connection in one transaction that reads and holds nobody up.

    SQLite's write-ahead log and PostgreSQL's repeatable read both show one state throughout,
    while others go on writing.
    """
    settings = deepcopy(connections["default"].settings_dict)
    settings["OPTIONS"] = _reading(settings["ENGINE"], dict(settings["OPTIONS"]))
    connections[ALIAS] = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, ALIAS)
    try:
        with transaction.atomic(using=ALIAS):
            yield ALIAS
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]


def _reading(engine: str, options: dict[str, Any]) -> dict[str, Any]:
    if engine.endswith("sqlite3"):
        return options | {"transaction_mode": "DEFERRED"}  # takes no lock of those who write
    from psycopg import IsolationLevel

    return options | {"isolation_level": IsolationLevel.REPEATABLE_READ}
