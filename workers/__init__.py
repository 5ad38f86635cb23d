"""Telling the workers: a message that names a task and a row, and nothing else.

What is to be done stands in rows before anybody is told, so that a message that is lost, or never
sent, costs time and nothing more: a sweep finds the row.
"""

from __future__ import annotations

import logging
from time import sleep
from typing import TYPE_CHECKING, Any, Final, NoReturn

from django.db import InterfaceError
from django.db import OperationalError as DatabaseError
from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from celery import Task

DATABASE_AWAY: Final = (DatabaseError, InterfaceError)
"""What is raised while the database is away, its disk is full or it is too busy."""
AWAY_FOR: Final = 1
"""Second between two tries to reach it."""
log = logging.getLogger(__name__)


def send(task: Task[Any, Any], *ids: int, after: float = 0) -> bool:
    """Tell the workers, to begin at once or `after` so many seconds.

    False where the broker is away: the sweep finds the row later.
    """
    try:
        task.apply_async(ids, countdown=after, retry=False)
    except OperationalError as error:
        named = ", ".join(map(str, ids))
        log.warning("The broker is away, %s(%s) waits: %s", task.name, named, error)
        return False
    return True


def wait_for_database(task: Task[Any, Any], error: Exception) -> NoReturn:
    """Try a bound task again after a while, however often: it is no fault of what it is to do.

    Without a database there is nothing else to do, so the worker waits before it takes the next
    from the queue.
    """
    log.warning("%s%s waits for the database: %s", task.name, tuple(task.request.args or ()), error)
    sleep(AWAY_FOR)
    raise task.retry(countdown=0, exc=error, max_retries=None) from error
