"""Request and task ids in log records, and filters that leave out unneeded lines."""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections.abc import Collection
from contextvars import ContextVar
from functools import cache
from http import HTTPStatus
from itertools import count
from typing import Any, Final

from celery._state import get_current_task
from celery.app.trace import LOG_RECEIVED, LOG_SUCCESS

REQUEST_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id_for(given: str) -> str:
    """Return the request id sent by the client or proxy, if it is well-formed, or a new one.

    The id appears in the log and in a response header. So it must have 8 to 64 characters, which
    are letters, digits, dots and dashes.
    """
    if REQUEST_ID_PATTERN.fullmatch(given):
        return given
    return f"{_process_id(os.getpid())}{next(_count):08x}"


@cache
def _process_id(_pid: int) -> str:
    """Return a random prefix for request ids. Forked processes get another prefix."""
    return secrets.token_hex(12)


# Request ids are a prefix and a counter. A random token for each request would need a system call,
# during which another thread may run.
_count = count(1)


class RequestIdFilter(logging.Filter):
    """Adds `request_id` and `task_id` to every log record. They may be empty."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        task: Any = get_current_task()
        record.task_id = (task.request.id or "") if task is not None else ""
        return True


class RoutineTaskFilter(logging.Filter):
    """Drops Celery's INFO messages about periodic `tasks` that succeed.

    Most run every second and find nothing to do. Three workers and the scheduler would write 200 MB
    a day. With LOG_LEVEL=DEBUG these messages are logged.
    """

    def __init__(self, tasks: Collection[str]) -> None:
        super().__init__()
        self._tasks = frozenset(tasks)

    def filter(self, record: logging.LogRecord) -> bool:
        return (
            record.levelno != logging.INFO
            or not self._concerns(record)
            or logging.getLogger().isEnabledFor(logging.DEBUG)
        )

    def _concerns(self, record: logging.LogRecord) -> bool:
        if record.msg in (LOG_RECEIVED, LOG_SUCCESS):
            return record.data["name"] in self._tasks  # type: ignore[attr-defined]
        return record.name == "celery.beat" and not self._tasks.isdisjoint(record.args or ())


def without_traceback_of_refusals(record: logging.LogRecord) -> bool:
    """Remove the traceback from log records of 403 responses, which are not errors."""
    if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
        record.exc_info = record.exc_text = None
    return True
