"""Error pages for unexpected errors and bad requests."""

from __future__ import annotations

import logging
import sys
from typing import Final

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from core.disk import causes_of, database_advice, is_damaged, is_full

log = logging.getLogger(__name__)

# Value in seconds of the Retry-After header if the disk is full.
DISK_FULL_RETRY_AFTER: Final = 30
# Value in seconds of the Retry-After header if the database was too busy.
BUSY_RETRY_AFTER: Final = 5
# Value in seconds of the Retry-After header if an administrator has to restore the database.
DAMAGED_RETRY_AFTER: Final = 300


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 503 if the database is busy, damaged or its disk full, or else 500.

    Django calls this while it handles the exception.
    """
    error = sys.exc_info()[1]
    busy = isinstance(error, OperationalError)
    return _unavailable(error, busy=busy) or defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 503 if the database is busy, damaged or its disk full, or else 400.

    Django reports a session that cannot be saved as a bad request, because it assumes that the
    session was deleted meanwhile.
    """
    busy = any(isinstance(cause, OperationalError) for cause in causes_of(exception))
    if unavailable := _unavailable(exception, busy=busy):
        return unavailable
    if isinstance(exception, (TooManyFieldsSent, RequestDataTooBig)):
        return render(request, "400.html", {"too_much": True}, status=400)
    return defaults.bad_request(request, exception)


def _unavailable(error: BaseException | None, *, busy: bool) -> HttpResponse | None:
    if error is None:
        return None
    if is_full(error):
        cause, seconds = "full", DISK_FULL_RETRY_AFTER
    elif is_damaged(error):
        cause, seconds = "damaged", DAMAGED_RETRY_AFTER
        log.critical(database_advice(error))
        connection.close()  # a new connection may find a restored file
    elif busy:
        cause, seconds = "busy", BUSY_RETRY_AFTER
    else:
        return None
    # Render without the request, because the template would load the user from the failing
    # database.
    answer = HttpResponse(render_to_string("503.html", {"cause": cause}), status=503)
    answer["Retry-After"] = str(seconds)
    return answer
