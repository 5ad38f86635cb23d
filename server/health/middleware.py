"""Middleware for request ids, metrics and the readiness check.

The readiness check and metrics are answered before hosts, sessions and HTTPS are checked, because a
container calls by an internal address and without TLS.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from accounts.local_director import is_local_request
from server.health import metrics, readiness
from server.health.tracing import request_id, request_id_for

log = logging.getLogger(__name__)

View = Callable[[HttpRequest], HttpResponse]
# Name of the view in logs and metrics if no URL pattern matches.
NO_VIEW: Final = "none"


class HealthMiddleware:
    """The outermost middleware: request ids, health checks, metrics and the access log."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identity = request_id_for(request.META.get("HTTP_X_REQUEST_ID", ""))
        named = request_id.set(identity)
        try:
            response = self._respond(request)
        finally:
            request_id.reset(named)
        response["X-Request-ID"] = identity
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        return response

    def _respond(self, request: HttpRequest) -> HttpResponse:
        view = VIEWS.get(request.path_info)
        if view is not None:
            response = view(request)
            response["Cache-Control"] = "no-store"
            return response
        began = time.perf_counter()
        response = self._get_response(request)
        seconds = time.perf_counter() - began
        record_response(view_of(request), request.method or "", response.status_code, seconds)
        return response


def record_response(view: str, method: str, status: int, seconds: float) -> None:
    """Count a response and log it."""
    metrics.count_request(view, method, status, seconds)
    # Log the view's name, never the path: paths may contain secret keys of calendars or password
    # resets.
    fields = {"method": method, "view": view, "status": status, "ms": round(1000 * seconds, 1)}
    log.info("answered", extra=fields)


def view_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return (match.view_name or NO_VIEW) if match else NO_VIEW


def readiness_view(request: HttpRequest) -> HttpResponse:
    state = readiness.check_readiness()
    return JsonResponse(state, status=200 if state["ready"] else 503)


def metrics_view(request: HttpRequest) -> HttpResponse:
    if not (is_local_request(request) or has_metrics_token(request)):
        return HttpResponse("Not found.", status=404, content_type="text/plain; charset=utf-8")
    return HttpResponse(metrics.render_metrics(), content_type=metrics.CONTENT_TYPE)


VIEWS: Final[dict[str, View]] = {
    "/healthz/ready": readiness_view,
    "/healthz/ready/": readiness_view,
    "/metrics": metrics_view,
}


def has_metrics_token(request: HttpRequest) -> bool:
    if not settings.METRICS_TOKEN:
        return False
    given = request.headers.get("Authorization", "").encode()
    return hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode())
