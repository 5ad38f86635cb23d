"""Send Celery tasks, and let tasks wait for the database.

A Celery message only contains the name of a task and primary keys. The work is described by a
database row, which is saved before the message is sent. If a message is lost, a periodic task finds
the row later.
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

# Exceptions that the database driver raises if the database is down or too busy, or if its disk is
# full.
DATABASE_ERRORS: Final = (DatabaseError, InterfaceError)
# Seconds between two attempts to reach the database.
RETRY_DELAY: Final = 1
log = logging.getLogger(__name__)


def send(task: Task[Any, Any], *ids: int, after: float = 0) -> bool:
    """Queue a task, to be run at once or in `after` seconds.

    Returns False if the broker is down. A periodic task then finds the row later.
    """
    try:
        task.apply_async(ids, countdown=after, retry=False)
    except OperationalError as error:
        named = ", ".join(map(str, ids))
        log.warning("The broker is unreachable, %s(%s) waits: %s", task.name, named, error)
        return False
    return True


def enqueue(name: str, *ids: int, after: float = 0, on_commit: bool = False) -> bool:
    """Queue the task with this name, so that operations need not import tasks.

    Returns True if the message was sent. With `on_commit` it is sent after the commit, and the
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
    """Retry a bound task until the database can be reached.

    The worker sleeps before it takes another message, because no task can run without a database.
    """
    log.warning("%s%s waits for the database: %s", task.name, tuple(task.request.args or ()), error)
    sleep(RETRY_DELAY)
    raise task.retry(countdown=0, exc=error, max_retries=None) from error
