"""Request and task ids in the log."""

from __future__ import annotations

import logging
import os
import re
import secrets
from contextvars import ContextVar
from functools import cache
from http import HTTPStatus
from itertools import count
from typing import Any, Final

from celery._state import get_current_task

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


def without_traceback_of_refusals(record: logging.LogRecord) -> bool:
    """Remove the traceback of a refusal (403), which is not an error."""
    if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
        record.exc_info = record.exc_text = None
    return True
