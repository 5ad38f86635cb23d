"""Request and task ids in the log, and what is left out of it."""

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
    """Return the given request id if it is well-formed, or else a new one.

    The id appears in the log and in a response header, so only letters, digits, dots and
    dashes are allowed, 8 to 64 of them.
    """
    if REQUEST_ID_PATTERN.fullmatch(given):
        return given
    return f"{_process_id(os.getpid())}{next(_count):08x}"


@cache
def _process_id(_pid: int) -> str:
    """Return what begins the ids of this process, and not those of one that it forks."""
    return secrets.token_hex(12)


# A random token for each request would ask the system, which lets another thread run meanwhile.
_count = count(1)


class RequestIdFilter(logging.Filter):
    """Adds `request_id` and `task_id` to every record, empty if there is none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        task: Any = get_current_task()
        record.task_id = (task.request.id or "") if task is not None else ""
        return True


class RoutineTaskFilter(logging.Filter):
    """Drops what Celery says at INFO about periodic `tasks` that go well.

    Most run every second and find nothing to do: three workers and a clock would write 200 MB a
    day. LOG_LEVEL=DEBUG brings these lines back.
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
    """Remove the traceback of a refusal (403), which is not an error."""
    if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
        record.exc_info = record.exc_text = None
    return True
