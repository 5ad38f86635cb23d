"""The first door of every request: names it, counts it, and answers whoever watches the process.

What is asked by machines for machines is answered before hosts, sessions and transport are looked
at: a container asks by an address that no visitor knows, and in plain.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse

from accounts.local import is_direct
from config.health import metrics, readiness
from config.health.token import bears_token
from config.health.tracing import name_of, request_id

log = logging.getLogger(__name__)

Answer = Callable[[HttpRequest], HttpResponse]
NOWHERE: Final = "none"
"""The name of the view of an address that there is not."""


class Door:
    """Middleware, the outermost."""

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or pass it on under its name."""
        request.request_id = name_of(request.headers.get("X-Request-ID", ""))  # type: ignore[attr-defined]
        named = request_id.set(request.request_id)  # type: ignore[attr-defined]
        try:
            response = self._answer(request)
        finally:
            request_id.reset(named)
        response["X-Request-ID"] = request.request_id  # type: ignore[attr-defined]
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        answer = ANSWERS.get(request.path_info)
        if answer is not None:
            return _kept_by_nobody(answer(request))
        began = time.perf_counter()
        response = self._get_response(request)
        seconds = time.perf_counter() - began
        view = view_of(request)
        metrics.count(view, request.method or "", response.status_code, seconds)
        # The view and never the address: addresses hold keys of calendars and of passwords.
        told = {"view": view, "status": response.status_code, "ms": round(1000 * seconds, 1)}
        log.info("answered", extra={"method": request.method, **told})
        return response


def view_of(request: HttpRequest) -> str:
    """The name of the view that answered."""
    match = request.resolver_match
    return (match.view_name or NOWHERE) if match else NOWHERE


def alive(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"alive": True})


def ready(request: HttpRequest) -> HttpResponse:
    """Database, broker and tables are as they must be; 503 and what is not, where they are not."""
    found = readiness.look()
    return JsonResponse(found, status=200 if found["ready"] else 503)


def measured(request: HttpRequest) -> HttpResponse:
    """The figures for Prometheus, for this machine or whoever bears the token; else not there."""
    if not (is_direct(request) or bears_token(request)):
        return HttpResponse("Not found.", status=404, content_type="text/plain; charset=utf-8")
    return HttpResponse(metrics.text(), content_type=metrics.TEXT)


ANSWERS: Final[dict[str, Answer]] = {
    "/healthz": alive,
    "/healthz/": alive,
    "/healthz/ready": ready,
    "/healthz/ready/": ready,
    "/metrics": measured,
}


def _kept_by_nobody(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response
