"""Middleware: allowed methods, request limits, htmx redirects, NUL characters in the admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from limits.rate_limits import count_request, seconds_until_reset

PAGE_METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")
API_PREFIX: Final = "/api/"
"""Addresses that say themselves which methods they have."""


class AllowedMethodsMiddleware:
    """Answer 405 before anything looks at a token or a session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on."""
        if request.method in PAGE_METHODS or request.path_info.startswith(API_PREFIX):
            return self._get_response(request)
        return HttpResponseNotAllowed(PAGE_METHODS[:3])


SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FILE_VIEWS = frozenset({"actas", "circuit_bring", "exchange", "league_import"})
"""Pages that take files apart and check them: a record, a season, a roster, results."""


class RequestLimitMiddleware:
    """Refuse what is too large (413) or comes too often (429), before anything reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on what is within measure."""
        if request.method in SAFE_METHODS or request.path.startswith(API_PREFIX):
            return self._get_response(request)
        if _declared_length(request) > settings.BODY_BYTES:
            return _refusal(request, 413)
        if _is_rate_limited(request):
            return _refusal(request, 429)
        return self._get_response(request)


def _declared_length(request: HttpRequest) -> int:
    """What the request says it brings; nothing more is read of it than that."""
    written = request.META.get("CONTENT_LENGTH") or "0"
    return int(written) if written.isascii() and written.isdigit() else 0


def _is_rate_limited(request: HttpRequest) -> bool:
    """Count a request, and once more where it brings a file to be checked."""
    if count_request(request, "sent") > settings.WRITES_A_MINUTE:
        return True
    return _uploads_file(request) and count_request(request, "files") > settings.FILES_A_MINUTE


def _uploads_file(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in FILE_VIEWS
    except Resolver404:
        return False


def _refusal(request: HttpRequest, status: int) -> HttpResponse:
    """The refusal as a page, with the seconds to wait where waiting helps."""
    answer = render(request, f"{status}.html", status=status)
    if status == 429:
        answer["Retry-After"] = str(seconds_until_reset())
    return answer


class HtmxRedirectMiddleware:
    """Answer htmx with `HX-Redirect` instead of a redirect.

    A browser follows a redirect before htmx sees it, and the whole page it leads to would be put
    into a part of this one. Boosted forms are left alone: they pick their part of that page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on; what comes back as a redirect goes out as a header."""
        response = self._get_response(request)
        by_htmx = request.headers.get("HX-Request") and not request.headers.get("HX-Boosted")
        if by_htmx and isinstance(response, HttpResponseRedirectBase):
            response["HX-Redirect"] = response["Location"]
            del response["Location"]
            response.status_code = 204
        return response


NUL = "\0"


class AdminNulMiddleware:
    """A query with a NUL in it is no query: PostgreSQL takes no such text."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass it on."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Raise `BadRequest` where a page of the office is asked with a NUL."""
        match = request.resolver_match
        if match is None or match.app_name != "admin":
            return
        for name, values in request.GET.lists():
            if NUL in name or any(NUL in value for value in values):
                raise BadRequest("A query holds no NUL.")
