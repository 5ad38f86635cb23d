"""Sending Celery tasks, and waiting for the database in them.

A message names a task and a row, and nothing else. The work stands in rows before a message is
sent, so a lost message costs time and nothing more: a periodic task finds the row.
"""

from __future__ import annotations

import logging
from functools import partial
from time import sleep
from typing import TYPE_CHECKING, Any, Final, NoReturn

from celery import current_app
from django.db import InterfaceError, transaction
from django.db import OperationalError as DatabaseError
from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from celery import Task

DATABASE_ERRORS: Final = (DatabaseError, InterfaceError)
# Raised while the database is down or too busy, or its disk is full.
RETRY_DELAY: Final = 1
# Seconds between two attempts.
log = logging.getLogger(__name__)


def send(task: Task[Any, Any], *ids: int, after: float = 0) -> bool:
    """Queue a task, at once or `after` so many seconds.

    Returns False if the broker is down. The sweep then finds the row later.
    """
    try:
        task.apply_async(ids, countdown=after, retry=False)
    except OperationalError as error:
        named = ", ".join(map(str, ids))
        log.warning("The broker is away, %s(%s) waits: %s", task.name, named, error)
        return False
    return True


def enqueue(name: str, *ids: int, after: float = 0, on_commit: bool = False) -> bool:
    """Queue the task of that name, so that operations need not import tasks.

    Returns whether the message was sent. With `on_commit` it is sent after the commit, and the
    result is always True. Raises `NotRegistered` for an unknown name.
    """
    task = current_app.tasks[name]
    if not on_commit:
        return send(task, *ids, after=after)
    transaction.on_commit(partial(send, task, *ids, after=after))
    return True


def describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def wait_for_database(task: Task[Any, Any], error: Exception) -> NoReturn:
    """Retry a bound task until the database is back.

    Nothing else can run without a database, so the worker waits before it takes another
    message.
    """
    log.warning("%s%s waits for the database: %s", task.name, tuple(task.request.args or ()), error)
    sleep(RETRY_DELAY)
    raise task.retry(countdown=0, exc=error, max_retries=None) from error
