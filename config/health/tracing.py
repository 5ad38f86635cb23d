"""Which request, or which task, a line of the log belongs to."""

from __future__ import annotations

import logging
import re
import secrets
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any, Final

from celery._state import get_current_task

REQUEST_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id_for(given: str) -> str:
    """The name a request bears: the one it came with, where that is well-formed, or a new one.

    A stranger's word ends up in the log and in an answer's header: letters, digits, dots and
    dashes alone, 8 to 64 of them.
    """
    return given if REQUEST_ID_PATTERN.fullmatch(given) else secrets.token_hex(16)


class RequestIdFilter(logging.Filter):
    """Puts `request_id` and `task_id` into every record; empty where there is none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let all pass."""
        record.request_id = request_id.get()
        task: Any = get_current_task()
        record.task_id = (task.request.id or "") if task is not None else ""
        return True


def without_traceback_of_refusals(record: logging.LogRecord) -> bool:
    """Take the traceback off a refusal (403), which is a rule at work and no failure."""
    if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
        record.exc_info = record.exc_text = None
    return True
