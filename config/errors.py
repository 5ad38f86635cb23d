"""Error pages for unexpected errors."""

from __future__ import annotations

import sys
from typing import Final

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views import defaults

from core.disk import causes_of, is_full

DISK_FULL_RETRY_AFTER: Final = 30
# Retry-After in seconds when the disk is full.
BUSY_RETRY_AFTER: Final = 5
# Retry-After in seconds when the database was too busy.


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if something could not be written for now, or else 500.

    Django calls this while it handles the error.
    """
    error = sys.exc_info()[1]
    busy = isinstance(error, OperationalError)
    return _unavailable(error, busy=busy) or defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 503 if something could not be written for now, or else 400.

    Django treats a session that cannot be saved as one that was deleted meanwhile.
    """
    busy = any(isinstance(cause, OperationalError) for cause in causes_of(exception))
    return _unavailable(exception, busy=busy) or defaults.bad_request(request, exception)


def _unavailable(error: BaseException | None, *, busy: bool) -> HttpResponse | None:
    full = error is not None and is_full(error)
    if not (full or busy):
        return None
    # Without the request: who asks is in the database, which has trouble enough.
    answer = HttpResponse(render_to_string("503.html", {"full": full}), status=503)
    answer["Retry-After"] = str(DISK_FULL_RETRY_AFTER if full else BUSY_RETRY_AFTER)
    return answer
