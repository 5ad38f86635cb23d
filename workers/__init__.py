"""Telling the workers: a message that names a task and a row, and nothing else.

What is to be done stands in rows before anybody is told, so that a message that is lost, or never
sent, costs time and nothing more: a sweep finds the row.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from kombu.exceptions import OperationalError

if TYPE_CHECKING:
    from celery import Task

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
